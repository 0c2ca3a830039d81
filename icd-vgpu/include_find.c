/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/include_private.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/vec.h"

/* One include of one unit, while its name is looked for. */
struct search {
	struct collection *c;
	const struct include_unit *unit;
	struct include_line *line;
	bool found;
};

/* A file is a unit too; the tree may just have grown by one. */
static enum vgpu_err
add_unit(struct collection *c)
{
	const struct tree_file *f;
	struct include_unit *v;

	if (c->n_unit - c->request->n_source == c->tree.n)
		return VGPU_OK;
	if ((v = vec_more(c->unit, c->n_unit, sizeof(*v))) == NULL)
		return VGPU_ENOMEM;
	c->unit = v;
	f = c->tree.file[c->tree.n - 1];
	memset(&v[c->n_unit], 0, sizeof(*v));
	v[c->n_unit].text = f->data;
	v[c->n_unit].len = f->len;
	v[c->n_unit].path = f->path;
	c->n_unit++;
	return VGPU_OK;
}

static enum vgpu_err
add_make(struct collection *c, const char *path, size_t n)
{
	char **v = vec_more(c->make, c->n_make, sizeof(*v));

	if (v == NULL)
		return VGPU_ENOMEM;
	c->make = v;
	if ((v[c->n_make] = tree_canonical(path, n)) == NULL)
		return VGPU_ENOMEM;
	c->n_make++;
	return VGPU_OK;
}

/* "a/../b" opens only where there is an a: each of them has to be made. */
static enum vgpu_err
add_makes(struct collection *c, const char *path)
{
	enum vgpu_err e = VGPU_OK;
	const char *p = path;

	while (e == VGPU_OK && (p = strstr(p, "/..")) != NULL) {
		if (p[3] == '/')
			e = add_make(c, path, (size_t)(p - path));
		p += 3;
	}
	return e;
}

/*
 * A file was found.  Its line is rewritten where the host's compiler would not
 * find it by the name that stands there, unless a likelier reading of the line
 * found one already; else the folders that the name steps out of are made.
 */
static enum vgpu_err
take_file(struct search *s, const char *spelled, const char *path,
    bool rewrite)
{
	enum vgpu_err e = VGPU_OK;

	if (!rewrite)
		e = add_makes(s->c, spelled);
	else if (!s->found && (s->line->target = strdup(path)) == NULL)
		e = VGPU_ENOMEM;
	return e == VGPU_OK ? add_unit(s->c) : e;
}

/* Look for a name in a folder; *found says whether it is there. */
static enum vgpu_err
look_in(struct search *s, const char *folder, const char *name, bool *found)
{
	char *spelled = tree_join(folder, name), *path = NULL;
	bool as_text;
	enum vgpu_err e;

	*found = false;
	if (spelled == NULL)
		return VGPU_ENOMEM;
	e = tree_resolve(spelled, &path, &as_text);
	if (e == VGPU_OK)
		e = tree_find(&s->c->tree, path, s->c->text);
	if (e == VGPU_OK) {
		*found = true;
		e = take_file(s, spelled, path, name[0] == '/' || !as_text);
	} else if (e == VGPU_EHANDLE) {
		e = VGPU_OK;
	}
	s->found |= *found;
	free(spelled);
	free(path);
	return e;
}

/* Look for a name beside the file that includes it. */
static enum vgpu_err
look_beside(struct search *s, const char *name, bool *found)
{
	const char *file = s->unit->path;
	char *folder;
	enum vgpu_err e;

	*found = false;
	if (file == NULL)
		return VGPU_OK;
	folder = strndup(file, (size_t)(strrchr(file, '/') - file));
	if (folder == NULL)
		return VGPU_ENOMEM;
	e = look_in(s, folder, name, found);
	free(folder);
	return e;
}

/* include_next goes on after the folder of its own file, so take all. */
static enum vgpu_err
look_in_folders(struct search *s, const char *name)
{
	struct collection *c = s->c;
	bool found, all = s->line->kind == SCAN_INCLUDE_NEXT;
	enum vgpu_err e = VGPU_OK;
	size_t i;

	for (i = 0; i < c->n_folder && e == VGPU_OK; i++) {
		e = look_in(s, c->folder[i].path, name, &found);
		if (e != VGPU_OK || !found)
			continue;
		c->folder[i].used = true;
		if (!all)
			break;
	}
	return e;
}

/* Whether a name, seen from a header program's folder too, is one's name. */
static bool
is_header_program(const struct search *s, const char *name)
{
	const struct include_request *r = s->c->request;
	const char *from = s->unit->name, *slash;
	size_t i, n;

	slash = from != NULL ? strrchr(from, '/') : NULL;
	n = slash != NULL ? (size_t)(slash - from) + 1 : 0;
	for (i = 0; i < r->n_source; i++) {
		if (r->source[i].name == NULL)
			continue;
		if (strcmp(r->source[i].name, name) == 0 ||
		    (n > 0 && strncmp(r->source[i].name, from, n) == 0 &&
		    strcmp(r->source[i].name + n, name) == 0))
			return true;
	}
	return false;
}

static enum vgpu_err
look_for(struct search *s, const char *name, bool quoted)
{
	bool found = false;
	enum vgpu_err e = VGPU_OK;

	if (name[0] == '/')
		return look_in(s, "", name, &found);
	if (quoted && (e = look_beside(s, name, &found)) != VGPU_OK)
		return e;
	if ((found && s->line->kind != SCAN_INCLUDE_NEXT) ||
	    is_header_program(s, name))
		return VGPU_OK;
	return look_in_folders(s, name);
}

/* Look for what a line names, as "name" or <name>. */
static enum vgpu_err
look_up(void *arg, const char *spelling)
{
	struct search *s = arg;
	size_t n = strlen(spelling);
	char *name;
	enum vgpu_err e;

	if (n < 3 || n > PATH_MAX || spelling[n - 1] !=
	    (spelling[0] == '<' ? '>' : '"'))
		return VGPU_OK;
	if ((name = strndup(spelling + 1, n - 2)) == NULL)
		return VGPU_ENOMEM;
	e = look_for(s, name, spelling[0] == '"');
	free(name);
	return e;
}

static bool
names_macro(const struct include_line *l)
{
	return l->operand[0] != '<' && l->operand[0] != '"';
}

struct scan {
	struct collection *c;
	size_t unit;
};

static enum vgpu_err
add_line(void *arg, const struct scan_line *l)
{
	const struct scan *s = arg;
	struct include_unit *u = &s->c->unit[s->unit];
	struct include_line *v = vec_more(u->line, u->n_line, sizeof(*v));

	if (v == NULL)
		return VGPU_ENOMEM;
	u->line = v;
	v += u->n_line;
	memset(v, 0, sizeof(*v));
	v->kind = l->kind;
	v->start = l->start;
	v->end = l->end;
	if ((v->operand = strdup(l->operand)) == NULL)
		return VGPU_ENOMEM;
	u->n_line++;
	return VGPU_OK;
}

static enum vgpu_err
add_define(void *arg, const struct scan_line *l)
{
	const struct scan *s = arg;

	return macro_add(s->c->macros, l->operand, s->unit, l->start);
}

/*
 * Look for what a line names.  Units may move when files are added, so the
 * search has a copy; the lines of a unit stay.
 */
static enum vgpu_err
search_line(struct collection *c, size_t unit, struct include_line *l)
{
	const struct include_unit u = c->unit[unit];
	struct search s = { .c = c, .unit = &u, .line = l };

	if (!names_macro(l))
		return look_up(&s, l->operand);
	free(l->target);
	l->target = NULL;
	return macro_try_all(c->macros, l->operand, unit, l->start, look_up,
	    &s);
}

/* Find the includes of a unit, and what those of them name that are literal. */
static enum vgpu_err
scan_unit(struct collection *c, size_t unit, bool *macros)
{
	const struct include_unit u = c->unit[unit];
	struct scan s = { c, unit };
	struct include_line *l;
	enum vgpu_err e;
	size_t i, n;

	if (!scan_may_include(u.text, u.len))
		return VGPU_OK;
	e = scan_text(u.text, u.len, false, add_line, &s);
	l = c->unit[unit].line;
	n = c->unit[unit].n_line;
	for (i = 0; i < n && e == VGPU_OK; i++) {
		if (names_macro(&l[i]))
			*macros = true;
		else
			e = search_line(c, unit, &l[i]);
	}
	return e;
}

/* Enter the definitions of all units that are new. */
static enum vgpu_err
scan_defines(struct collection *c)
{
	struct scan s = { c, 0 };
	struct include_unit *u;
	enum vgpu_err e = VGPU_OK;

	for (; s.unit < c->n_unit && e == VGPU_OK; s.unit++) {
		u = &c->unit[s.unit];
		if (!u->has_defines)
			e = scan_text(u->text, u->len, true, add_define, &s);
		u->has_defines = true;
	}
	return e;
}

/* Look for what all lines with macros name, by all definitions so far. */
static enum vgpu_err
search_macros(struct collection *c)
{
	struct include_line *l;
	enum vgpu_err e = scan_defines(c);
	size_t unit, i, n;

	for (unit = 0; unit < c->n_unit && e == VGPU_OK; unit++) {
		l = c->unit[unit].line;
		n = c->unit[unit].n_line;
		for (i = 0; i < n && e == VGPU_OK; i++)
			if (names_macro(&l[i]))
				e = search_line(c, unit, &l[i]);
	}
	return e;
}

/*
 * Files bring lines and definitions, which bring files: go on until a round
 * over all lines with macros brings nothing.
 */
enum vgpu_err
include_find(struct collection *c)
{
	bool macros = false;
	enum vgpu_err e = VGPU_OK;
	size_t next = 0;

	do {
		for (; next < c->n_unit && e == VGPU_OK; next++)
			e = scan_unit(c, next, &macros);
		if (macros && e == VGPU_OK)
			e = search_macros(c);
	} while (next < c->n_unit && e == VGPU_OK);
	return e;
}
