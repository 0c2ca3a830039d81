/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/token.h"

#include <stdlib.h>
#include <string.h>

struct token_block {
	struct token_block *next;
	char bytes[];
};

/* Memory until the end of the expansion; NULL sets why there is none. */
void *
token_memory(struct expansion *x, size_t n)
{
	struct token_block *b;

	if (token_failed(x))
		return NULL;
	if (n > TOKEN_MEMORY_MAX - x->used) {
		x->excess = true;
		return NULL;
	}
	if ((b = calloc(1, sizeof(*b) + n)) == NULL) {
		x->no_memory = true;
		return NULL;
	}
	x->used += n;
	b->next = x->blocks;
	x->blocks = b;
	return b->bytes;
}

void
token_list_init(struct token_list *l)
{
	l->first = NULL;
	l->end = &l->first;
}

/* Append a copy of a token, and return it. */
struct token *
token_list_add(struct expansion *x, struct token_list *l, const struct token *t)
{
	struct token *copy = token_memory(x, sizeof(*copy));

	if (copy == NULL)
		return NULL;
	*copy = *t;
	copy->next = NULL;
	*l->end = copy;
	l->end = &copy->next;
	return copy;
}

void
token_list_add_all(struct expansion *x, struct token_list *l,
    const struct token *t)
{
	for (; t != NULL; t = t->next)
		token_list_add(x, l, t);
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    is_digit(c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

bool
token_is_punct(const struct token *t, char c)
{
	return t != NULL && t->kind == TOKEN_PUNCT && t->n == 1 && t->s[0] == c;
}

bool
token_is_paste(const struct token *t)
{
	return t != NULL && t->kind == TOKEN_PUNCT && t->n == 2;
}

bool
token_same_text(const struct token *t, const struct token *u)
{
	return t->n == u->n && memcmp(t->s, u->s, t->n) == 0;
}

/* The length of a string that begins at s, or 0 if it isn't closed. */
static size_t
string_len(const char *s)
{
	size_t i;

	for (i = 1; s[i] != '\0' && s[i] != s[0]; i++)
		if (s[i] == '\\' && s[i + 1] != '\0')
			i++;
	return s[i] == s[0] ? i + 1 : 0;
}

static size_t
number_len(const char *s)
{
	size_t i;

	for (i = 1; is_name_char(s[i]) || s[i] == '.' ||
	    ((s[i] == '+' || s[i] == '-') && strchr("eEpP", s[i - 1])); i++)
		;
	return i;
}

/* Measure the token at s, which is not a blank. */
void
token_measure(const char *s, struct token *t)
{
	t->s = s;
	t->kind = TOKEN_PUNCT;
	t->n = 1;
	if ((s[0] == '"' || s[0] == '\'') && string_len(s) > 0) {
		t->kind = TOKEN_STRING;
		t->n = string_len(s);
	} else if (is_digit(s[0]) || (s[0] == '.' && is_digit(s[1]))) {
		t->kind = TOKEN_NUMBER;
		t->n = number_len(s);
	} else if (is_name_char(s[0])) {
		t->kind = TOKEN_NAME;
		while (is_name_char(s[t->n]))
			t->n++;
	} else if (s[0] == '#' && s[1] == '#') {
		t->n = 2;
	}
}

struct token *
token_lex(struct expansion *x, const char *s)
{
	struct token_list l;
	struct token t;
	size_t blanks;

	token_list_init(&l);
	for (;;) {
		blanks = strspn(s, " \t\v\f\r\n");
		s += blanks;
		if (*s == '\0')
			return l.first;
		memset(&t, 0, sizeof(t));
		t.blank = blanks > 0;
		token_measure(s, &t);
		if (token_list_add(x, &l, &t) == NULL)
			return l.first;
		s += t.n;
	}
}

bool
hide_has(const struct hide *h, const struct token *t)
{
	for (; h != NULL; h = h->next)
		if (h->n == t->n && memcmp(h->name, t->s, t->n) == 0)
			return true;
	return false;
}

const struct hide *
hide_add(struct expansion *x, const struct hide *set, const char *name,
    size_t n)
{
	const struct token t = { .s = name, .n = n };
	struct hide *h;

	if (hide_has(set, &t) || (h = token_memory(x, sizeof(*h))) == NULL)
		return set;
	h->name = name;
	h->n = n;
	h->next = set;
	return h;
}

/* What is in both sets. */
const struct hide *
hide_both(struct expansion *x, const struct hide *a, const struct hide *b)
{
	const struct hide *both = NULL;

	for (; a != NULL; a = a->next) {
		const struct token t = { .s = a->name, .n = a->n };

		if (hide_has(b, &t))
			both = hide_add(x, both, a->name, a->n);
	}
	return both;
}

/* Append a token to a spelling; in a string of ours, strings are escaped. */
char *
token_spell(char *to, const struct token *t, bool escape)
{
	size_t i;

	for (i = 0; i < t->n; i++) {
		if (escape && t->kind == TOKEN_STRING &&
		    (t->s[i] == '"' || t->s[i] == '\\'))
			*to++ = '\\';
		*to++ = t->s[i];
	}
	return to;
}

void
token_free_all(struct expansion *x)
{
	struct token_block *b;

	while ((b = x->blocks) != NULL) {
		x->blocks = b->next;
		free(b);
	}
}
