/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/include_private.h"

#include <stdlib.h>
#include <string.h>

/* As many newlines as there are in n bytes, so that line numbers stay. */
static void
append_newlines(struct buf *b, const char *text, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (text[i] == '\n' || (text[i] == '\r' &&
		    (i + 1 == n || text[i + 1] != '\n')))
			buf_append(b, "\n", 1);
}

static void
append_text(struct buf *b, const char *text)
{
	buf_append(b, text, strlen(text));
}

/* Rewrite one line to its target, as a path below the mirror's root. */
static void
append_line(struct buf *b, const struct include_unit *u,
    const struct include_line *l)
{
	bool angled = strchr(l->target, '>') == NULL;

	append_text(b, l->kind == SCAN_IMPORT ? "#import " : "#include ");
	append_text(b, angled ? "<" : "\"");
	append_text(b, l->target + 1);
	append_text(b, angled ? ">" : "\"");
	append_newlines(b, u->text + l->start, l->end - l->start);
}

/* Write a unit's text with its lines rewritten; out is empty if none is. */
static enum vgpu_err
rewrite(const struct include_unit *u, struct include_text *out)
{
	struct buf b;
	size_t at = 0, i;

	memset(out, 0, sizeof(*out));
	buf_init(&b);
	for (i = 0; i < u->n_line; i++) {
		if (u->line[i].target == NULL)
			continue;
		buf_append(&b, u->text + at, u->line[i].start - at);
		append_line(&b, u, &u->line[i]);
		at = u->line[i].end;
	}
	if (at == 0)
		return VGPU_OK;
	buf_append(&b, u->text + at, u->len - at);
	if (b.failed) {
		buf_fini(&b);
		return VGPU_ENOMEM;
	}
	out->text = (char *)b.data;
	out->len = buf_len(&b);
	return VGPU_OK;
}

static enum vgpu_err
make_sources(const struct collection *c, struct includes *in)
{
	enum vgpu_err e = VGPU_OK;

	in->source = calloc(c->request->n_source + 1, sizeof(*in->source));
	if (in->source == NULL)
		return VGPU_ENOMEM;
	for (; in->n_source < c->request->n_source && e == VGPU_OK;
	    in->n_source++)
		e = rewrite(&c->unit[in->n_source],
		    &in->source[in->n_source]);
	return e;
}

/* Make a file of the result from one of the tree, which loses it. */
static enum vgpu_err
make_file(struct tree_file *from, const struct include_unit *u,
    struct include_file *to)
{
	struct include_text text;
	enum vgpu_err e;

	if ((e = rewrite(u, &text)) != VGPU_OK)
		return e;
	if (text.text == NULL) {
		to->data = from->data;
		to->len = from->len;
		from->data = NULL;
	} else {
		to->data = text.text;
		to->len = text.len;
	}
	to->path = from->path;
	from->path = NULL;
	return sha256(to->data, to->len, to->hash);
}

static int
compare_files(const void *a, const void *b)
{
	const struct include_file *f = a, *g = b;

	return strcmp(f->path, g->path);
}

static enum vgpu_err
make_files(struct collection *c, struct includes *in)
{
	enum vgpu_err e = VGPU_OK;
	size_t i;

	if ((in->file = calloc(c->tree.n + 1, sizeof(*in->file))) == NULL)
		return VGPU_ENOMEM;
	for (i = 0; i < c->tree.n && e == VGPU_OK; i++, in->n_file++)
		e = make_file(c->tree.file[i],
		    &c->unit[c->request->n_source + i], &in->file[i]);
	if (e == VGPU_OK)
		qsort(in->file, in->n_file, sizeof(*in->file), compare_files);
	return e;
}

static enum vgpu_err
make_folders(struct collection *c, struct includes *in)
{
	struct include_folder *f = c->folder;
	size_t i;

	if ((in->folder = calloc(c->n_folder + 1, sizeof(char *))) == NULL)
		return VGPU_ENOMEM;
	for (i = 0; i < c->n_folder; i++, f++) {
		if (!f->used)
			continue;
		in->folder[in->n_folder++] = f->path;
		f->path = NULL; /* the result has it now */
	}
	return VGPU_OK;
}

static int
compare_texts(const void *a, const void *b)
{
	const char *const *s = a, *const *t = b;

	return strcmp(*s, *t);
}

/* The folders to make, sorted, each once. */
static void
make_makes(struct collection *c, struct includes *in)
{
	size_t i;

	if (c->n_make > 0)
		qsort(c->make, c->n_make, sizeof(*c->make), compare_texts);
	for (i = 0; i < c->n_make; i++)
		if (in->n_make > 0 &&
		    strcmp(c->make[in->n_make - 1], c->make[i]) == 0)
			free(c->make[i]);
		else
			c->make[in->n_make++] = c->make[i];
	in->make = c->make;
	c->make = NULL;
	c->n_make = 0;
}

static enum vgpu_err
make_manifest(struct includes *in)
{
	struct buf b;
	enum vgpu_err e;

	buf_init(&b);
	include_manifest(in, &b);
	e = b.failed ? VGPU_ENOMEM :
	    sha256(buf_len(&b) > 0 ? buf_front(&b) : NULL, buf_len(&b),
		in->manifest);
	buf_fini(&b);
	return e;
}

enum vgpu_err
include_make_result(struct collection *c, struct includes *in)
{
	enum vgpu_err e;

	if ((e = make_sources(c, in)) != VGPU_OK ||
	    (e = make_files(c, in)) != VGPU_OK ||
	    (e = make_folders(c, in)) != VGPU_OK)
		return e;
	make_makes(c, in);
	return make_manifest(in);
}
