/* SPDX-License-Identifier: ISC */
#include "hostd/conf_parse.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hostd/conf_check.h"

#define OPTIONS_MAX 33
#define CHUNK ((size_t)16 << 10)
#define THE_END "\001"	/* no keyword that could be written by hand */

/*
 * libconfuse hands nothing of the caller's to its callbacks, so where the
 * messages of the load in progress go is kept here.
 */
static struct buf *messages_now;
static const char *over_now;	/* parsing this, not the file */
static bool untitled_now;	/* a section without a title has been there */

void
conf_complain(const char *file, int line, const char *format, ...)
{
	char text[1024];
	va_list ap;
	int n, m;

	if (over_now != NULL)
		n = snprintf(text, sizeof(text), "%s: ", over_now);
	else if (line > 0)
		n = snprintf(text, sizeof(text), "%s:%d: ", file, line);
	else
		n = snprintf(text, sizeof(text), "%s: ", file);
	if (n < 0 || (size_t)n >= sizeof(text) - 2)
		n = 0;
	va_start(ap, format);
	m = vsnprintf(text + n, sizeof(text) - (size_t)n - 1, format, ap);
	va_end(ap);
	if (m > 0)
		n += m;
	if ((size_t)n > sizeof(text) - 2)
		n = (int)sizeof(text) - 2;
	text[n++] = '\n';
	buf_append(messages_now, text, (size_t)n);
}

const char *
conf_section(const cfg_t *cfg)
{
	return strcmp(cfg->name, "root") == 0 ? NULL : cfg->name;
}

/* Where a keyword belongs that is in the wrong place; NULL: nowhere. */
static const char *
belongs(const char *section, const char *name)
{
	if (section != NULL)
		return conf_key_find(NULL, name) == NULL ? NULL :
		    "outside of sections";
	return conf_key_find("tenant", name) == NULL &&
	    conf_key_find("tenant-default", name) == NULL ? NULL :
	    "in a section tenant or tenant-default";
}

/* What libconfuse itself finds wrong. */
static void
on_error(cfg_t *cfg, const char *format, va_list ap)
{
	static const char unknown[] = "no such option '";
	static const char stray[] = "unexpected token ";
	const struct conf_key *near;
	const char *place;
	char text[512], *name, *end;

	vsnprintf(text, sizeof(text), format, ap);
	if (strncmp(text, unknown, sizeof(unknown) - 1) != 0) {
		conf_complain(cfg->filename, cfg->line, "%s%s", text,
		    strncmp(text, stray, sizeof(stray) - 1) == 0 ? QUOTE : "");
		return;
	}
	name = text + sizeof(unknown) - 1;
	if ((end = strrchr(name, '\'')) != NULL)
		*end = '\0';
	if (strcmp(name, THE_END) == 0) {
		conf_complain(cfg->filename, cfg->line - 1, "section %s%s%s "
		    "does not end, expected \"}\"", conf_section(cfg),
		    cfg_title(cfg) != NULL ? " " : "",
		    cfg_title(cfg) != NULL ? cfg_title(cfg) : "");
		return;
	}
	near = conf_key_nearest(conf_section(cfg), name);
	if ((place = belongs(conf_section(cfg), name)) != NULL)
		conf_complain(cfg->filename, cfg->line, "\"%s\" can stand only "
		    "%s", name, place);
	else if (near != NULL)
		conf_complain(cfg->filename, cfg->line, "unknown keyword \"%s\", "
		    "did you mean \"%s\"?", name, near->name);
	else
		conf_complain(cfg->filename, cfg->line, "unknown keyword \"%s\"%s%s",
		    name, conf_section(cfg) == NULL ? "" : " in section ",
		    conf_section(cfg) == NULL ? "" : conf_section(cfg));
}

bool
conf_number(const struct conf_key *k, const char *text, unsigned *out)
{
	char *end;
	long v;

	errno = 0;
	v = strtol(text, &end, 10);
	if (text[0] == '\0' || *end != '\0' || errno != 0 || v < k->min ||
	    v > k->max)
		return false;
	*out = (unsigned)v;
	return true;
}

/* When a section has ended: libconfuse would take two untitled ones as one. */
static int
check_section(cfg_t *cfg, cfg_opt_t *opt)
{
	const char *title = cfg_title(cfg_opt_getnsec(opt,
	    cfg_opt_size(opt) - 1));

	if (title != NULL && title[0] == '\0') {
		conf_complain(cfg->filename, cfg->line, "%s: empty name",
		    opt->name);
		return -1;
	}
	if (title != NULL || over_now != NULL)
		return 0;
	if (untitled_now) {
		conf_complain(cfg->filename, cfg->line, "%s: there is one "
		    "already", opt->name);
		return -1;
	}
	untitled_now = true;
	return 0;
}

static cfg_opt_t
option(const struct conf_key *k, cfg_opt_t *inner)
{
	cfg_opt_t text = CFG_STR(k->name, NULL, CFGF_NODEFAULT);
	cfg_opt_t list = CFG_STR_LIST(k->name, NULL, CFGF_NODEFAULT);
	cfg_opt_t section = CFG_SEC(k->name, inner, CFGF_NODEFAULT);
	cfg_opt_t titled = CFG_SEC(k->name, inner,
	    CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES);
	cfg_opt_t o = text;

	if (k->kind == CONF_TITLED)
		o = titled;
	else if (k->kind == CONF_SECTION)
		o = section;
	else if (k->kind == CONF_LIST)
		o = list;
	o.validcb = k->kind == CONF_TITLED || k->kind == CONF_SECTION ?
	    check_section : conf_check_value;
	return o;
}

/* libconfuse's table, from ours; sections take their options from inner. */
static void
options(const char *section, cfg_opt_t out[OPTIONS_MAX],
    cfg_opt_t inner[2][OPTIONS_MAX])
{
	const cfg_opt_t the_end = CFG_INT(THE_END, 0, CFGF_NONE);
	const cfg_opt_t end = CFG_END();
	const struct conf_key *k;
	unsigned n = 0, sections = 0;

	for (k = conf_keys; k->name != NULL && n < OPTIONS_MAX - 2; k++) {
		if (k != conf_key_find(section, k->name))
			continue;
		if (k->kind == CONF_TITLED || k->kind == CONF_SECTION) {
			options(k->name, inner[sections], NULL);
			out[n++] = option(k, inner[sections++]);
		} else
			out[n++] = option(k, NULL);
	}
	if (section == NULL)
		out[n++] = the_end;
	out[n] = end;
}

/* libconfuse's scanner ends the process when it cannot read. */
static bool
read_file(const char *file, struct buf *text)
{
	uint8_t *to;
	ssize_t got = -1;
	int fd;

	if ((fd = open(file, O_RDONLY | O_CLOEXEC)) >= 0) {
		while ((to = buf_reserve(text, CHUNK)) != NULL &&
		    (got = read(fd, to, CHUNK)) > 0)
			buf_commit(text, (size_t)got);
		close(fd);
	}
	if (text->failed)
		conf_complain(file, 0, "out of memory");
	else if (got != 0 && errno == EISDIR)
		conf_complain(file, 0, "is not a file");
	else if (got != 0)
		conf_complain(file, 0, "cannot be read: %s", strerror(errno));
	return got == 0 && !text->failed;
}

/*
 * libconfuse checks no list that has nothing in it, nor knows its line.  True:
 * there is none in this section and those in it.
 */
static bool
lists_are_filled(cfg_t *cfg)
{
	const struct conf_key *k;
	const char *section = conf_section(cfg);
	cfg_opt_t *opt;
	unsigned i;
	bool filled = true;

	for (k = conf_keys; k->name != NULL; k++) {
		if (k != conf_key_find(section, k->name) ||
		    (opt = cfg_getopt(cfg, k->name)) == NULL)
			continue;
		if (k->kind == CONF_TITLED || k->kind == CONF_SECTION) {
			for (i = 0; i < cfg_opt_size(opt); i++)
				filled &= lists_are_filled(
				    cfg_opt_getnsec(opt, i));
		} else if (k->kind == CONF_LIST && cfg_opt_size(opt) == 0 &&
		    (opt->flags & CFGF_MODIFIED) != 0) {
			conf_complain(cfg->filename, 0, "%s: empty list, expected "
			    "%s", k->name, k->what);
			filled = false;
		}
	}
	return filled;
}

/*
 * libconfuse takes the end of the text for that of a section or comment, so
 * an option of ours stands at the end, and has to be found at the top.
 */
static int
parse_text(cfg_t *cfg, const char *name, const void *p, size_t n)
{
	struct buf text;
	FILE *f = NULL;
	int parsed = CFG_PARSE_ERROR;

	buf_init(&text);
	buf_append(&text, p, n);
	if (n > 0 && ((const char *)p)[n - 1] != '\n')
		buf_append(&text, "\n", 1);
	buf_append(&text, THE_END "=1\n", sizeof(THE_END "=1\n") - 1);
	free(cfg->filename);
	cfg->filename = strdup(name);
	if (!text.failed && cfg->filename != NULL)
		f = fmemopen(buf_front(&text), buf_len(&text), "r");
	if (f == NULL) {
		conf_complain(name, 0, "out of memory");
	} else {
		parsed = cfg_parse_fp(cfg, f);
		fclose(f);
	}
	if (parsed == CFG_SUCCESS && cfg_getint(cfg, THE_END) == 0) {
		conf_complain(name, 0, "a comment does not end, expected "
		    "\"*/\"");
		parsed = CFG_PARSE_ERROR;
	}
	if (parsed == CFG_SUCCESS && !lists_are_filled(cfg))
		parsed = CFG_PARSE_ERROR;
	cfg_setint(cfg, THE_END, 0);
	buf_fini(&text);
	return parsed;
}

/* The lines that go over the file, each as if it were a file "-o LINE". */
static int
parse_over(cfg_t *cfg, const char *const *over)
{
	static const char prefix[] = "-o ";
	char name[256];
	int parsed = CFG_SUCCESS;

	for (; parsed == CFG_SUCCESS && over != NULL && *over != NULL;
	    over++) {
		snprintf(name, sizeof(name), "%s\"%s\"", prefix, *over);
		over_now = name;
		parsed = parse_text(cfg, name, *over, strlen(*over));
	}
	over_now = NULL;
	return parsed;
}

static int
parse_all(cfg_t *cfg, const struct conf_source *source)
{
	struct buf text;
	int parsed = CFG_FILE_ERROR;

	cfg_set_error_function(cfg, on_error);
	buf_init(&text);
	if (read_file(source->file, &text))
		parsed = parse_text(cfg, source->file, buf_front(&text),
		    buf_len(&text));
	buf_fini(&text);
	if (parsed == CFG_SUCCESS)
		parsed = parse_over(cfg, source->over);
	if (parsed == CFG_PARSE_ERROR && buf_len(messages_now) == 0)
		conf_complain(source->file, cfg->line, "syntax error");
	return parsed;
}

enum vgpu_err
conf_parse(const struct conf_source *source, cfg_t **out,
    struct buf *messages)
{
	cfg_opt_t top[OPTIONS_MAX], inner[2][OPTIONS_MAX];
	enum vgpu_err rc = VGPU_ECONF;
	cfg_t *cfg;

	messages_now = messages;
	untitled_now = false;
	options(NULL, top, inner);
	if ((cfg = cfg_init(top, CFGF_NONE)) == NULL) {
		conf_complain(source->file, 0, "out of memory");
		rc = VGPU_ENOMEM;
	} else if (parse_all(cfg, source) == CFG_SUCCESS) {
		*out = cfg;
		rc = VGPU_OK;
	} else
		cfg_free(cfg);
	messages_now = NULL;
	return rc;
}
