/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/options.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/buf.h"
#include "common/vec.h"

#define BLANKS " \t\n\v\f\r"

/* One word: as it is spelled, and with its quotes resolved. */
struct word {
	const char *raw;
	size_t raw_len;
	char *text;
};

struct parser {
	struct options *o;
	const char *all;	/* the whole text */
	const char *next;	/* what is not read yet */
	struct buf rest;
	bool removed;		/* rest is not the same as all */
	struct err_text *text;
};

static bool
is_blank(char c)
{
	return c != '\0' && strchr(BLANKS, c) != NULL;
}

/*
 * Copy the character at s, without the backslash that quotes it; returns what
 * follows.  In double quotes a backslash quotes few characters.
 */
static const char *
copy_char(const char *s, bool in_double, char **to)
{
	if (s[0] == '\\' && s[1] != '\0' &&
	    (!in_double || strchr("\"\\$`", s[1]) != NULL))
		s++;
	*(*to)++ = *s;
	return s + 1;
}

/*
 * Copy the word at s to out, which has room for as many characters.  Returns
 * its end, or NULL with *open at the quote that is not closed.
 */
static const char *
unquote(const char *s, char *out, const char **open)
{
	char quote = '\0';

	for (; *s != '\0' && (quote != '\0' || !is_blank(*s));) {
		if (quote == '\0' && (*s == '"' || *s == '\'')) {
			*open = s;
			quote = *s++;
		} else if (*s == quote) {
			quote = '\0';
			s++;
		} else if (quote == '\'') {
			*out++ = *s++;
		} else {
			s = copy_char(s, quote == '"', &out);
		}
	}
	*out = '\0';
	return quote == '\0' ? s : NULL;
}

/* The next word; its raw is NULL at the end.  Its text is the caller's. */
static enum vgpu_err
word_next(struct parser *p, struct word *w)
{
	const char *end, *open = NULL;

	memset(w, 0, sizeof(*w));
	p->next += strspn(p->next, BLANKS);
	if (*p->next == '\0')
		return VGPU_OK;
	if ((w->text = malloc(strlen(p->next) + 1)) == NULL)
		return VGPU_ENOMEM;
	if ((end = unquote(p->next, w->text, &open)) == NULL) {
		free(w->text);
		return err_set(p->text, VGPU_ECL, "build options: the quote "
		    "at character %zu is not closed",
		    (size_t)(open - p->all) + 1);
	}
	w->raw = p->next;
	w->raw_len = (size_t)(end - p->next);
	p->next = end;
	return VGPU_OK;
}

static void
keep_word(struct parser *p, const struct word *w)
{
	if (buf_len(&p->rest) > 0)
		buf_append(&p->rest, " ", 1);
	buf_append(&p->rest, w->raw, w->raw_len);
}

static enum vgpu_err
add_folder(struct options *o, const char *name)
{
	char **v = vec_more(o->folder, o->n_folder, sizeof(*v));

	if (v == NULL)
		return VGPU_ENOMEM;
	o->folder = v;
	if ((v[o->n_folder] = strdup(name)) == NULL)
		return VGPU_ENOMEM;
	o->n_folder++;
	return VGPU_OK;
}

/* Enter "NAME", "NAME=VALUE" or "NAME(PARAMETERS)=VALUE" of n characters. */
static enum vgpu_err
add_macro(struct options *o, const char *text, size_t n, bool undefine)
{
	struct option_macro *v = vec_more(o->macro, o->n_macro, sizeof(*v)), m;
	const char *equal = memchr(text, '=', n);
	size_t name_len = equal != NULL ? (size_t)(equal - text) : n;

	if (v == NULL)
		return VGPU_ENOMEM;
	o->macro = v;
	m.value = NULL;
	m.name = strndup(text, name_len);
	if (m.name != NULL && !undefine)
		m.value = equal == NULL ? strdup("1") :
		    strndup(equal + 1, n - name_len - 1);
	if (m.name == NULL || (m.value == NULL && !undefine)) {
		free(m.name);
		return VGPU_ENOMEM;
	}
	v[o->n_macro++] = m;
	return VGPU_OK;
}

/*
 * Whether a vendor that does not unquote sees another definition, though still
 * one, from character skip of the word on.
 */
static bool
has_raw_reading(const struct word *w, size_t skip)
{
	return strncmp(w->raw, w->text, skip) == 0 && w->raw[skip] != '"' &&
	    w->raw[skip] != '\'' && (strlen(w->text) != w->raw_len ||
	    memcmp(w->text, w->raw, w->raw_len) != 0);
}

/* Enter a definition in the readings of a word from its character skip on. */
static enum vgpu_err
add_readings(struct options *o, const struct word *w, size_t skip,
    bool undefine)
{
	const char *text = w->text + skip;
	enum vgpu_err e = VGPU_OK;

	if (!undefine && has_raw_reading(w, skip))
		e = add_macro(o, w->raw + skip, w->raw_len - skip, false);
	if (e == VGPU_OK)
		e = add_macro(o, text, strlen(text), undefine);
	return e;
}

/* Take what an option names, which stands at character skip of a word. */
static enum vgpu_err
take_value(struct parser *p, char option, const struct word *w, size_t skip)
{
	if (option == 'I')
		return add_folder(p->o, w->text + skip);
	return add_readings(p->o, w, skip, option == 'U');
}

/* -I, -D or -U: what it names is in the same word or in the next one. */
static enum vgpu_err
take_option(struct parser *p, const struct word *w)
{
	struct word value = { 0 };
	char option = w->text[1];
	enum vgpu_err e;

	if (w->text[2] == '\0' && (e = word_next(p, &value)) != VGPU_OK)
		return e;
	if (w->text[2] == '\0' && value.raw == NULL) {
		keep_word(p, w);
		return VGPU_OK;
	}
	if (option == 'I') {
		p->removed = true;
	} else {
		keep_word(p, w);
		if (value.raw != NULL)
			keep_word(p, &value);
	}
	e = value.raw != NULL ? take_value(p, option, &value, 0) :
	    take_value(p, option, w, 2);
	free(value.text);
	return e;
}

static bool
is_ours(const char *text)
{
	return text[0] == '-' &&
	    (text[1] == 'I' || text[1] == 'D' || text[1] == 'U');
}

static enum vgpu_err
parse_words(struct parser *p)
{
	struct word w;
	enum vgpu_err e;

	while ((e = word_next(p, &w)) == VGPU_OK && w.raw != NULL) {
		if (is_ours(w.text))
			e = take_option(p, &w);
		else
			keep_word(p, &w);
		free(w.text);
		if (e != VGPU_OK)
			break;
	}
	return e;
}

/* What goes to the vendor: the text itself where nothing was taken out. */
static char *
make_rest(struct parser *p)
{
	if (!p->removed)
		return strdup(p->all);
	buf_append(&p->rest, "", 1);
	return p->rest.failed ? NULL : strdup((char *)buf_front(&p->rest));
}

enum vgpu_err
options_parse(struct options *out, const char *text, struct err_text *err)
{
	struct options o = { 0 };
	struct parser p = { .o = &o, .text = err };
	enum vgpu_err e;

	p.all = p.next = text != NULL ? text : "";
	buf_init(&p.rest);
	e = parse_words(&p);
	if (e == VGPU_OK && (o.rest = make_rest(&p)) == NULL)
		e = VGPU_ENOMEM;
	buf_fini(&p.rest);
	if (e == VGPU_OK)
		*out = o;
	else
		options_fini(&o);
	return e;
}

void
options_fini(struct options *o)
{
	size_t i;

	for (i = 0; i < o->n_folder; i++)
		free(o->folder[i]);
	for (i = 0; i < o->n_macro; i++) {
		free(o->macro[i].name);
		free(o->macro[i].value);
	}
	free(o->folder);
	free(o->macro);
	free(o->rest);
	memset(o, 0, sizeof(*o));
}
