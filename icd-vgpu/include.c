/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/include.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/manifest.h"
#include "common/vec.h"
#include "icd-vgpu/include_private.h"

static bool
may_include(const struct include_request *r)
{
	size_t i;

	for (i = 0; i < r->n_source; i++)
		if (scan_may_include(r->source[i].text, r->source[i].len))
			return true;
	return false;
}

/* Enter a folder that exists; from makes it absolute. */
static enum vgpu_err
add_folder(struct collection *c, const char *from, const char *name)
{
	struct include_folder *f = &c->folder[c->n_folder];
	char *spelled;
	bool as_text;
	enum vgpu_err e;

	if (name[0] != '/' && from == NULL)
		return VGPU_OK;
	if ((spelled = tree_join(from != NULL ? from : "", name)) == NULL)
		return VGPU_ENOMEM;
	e = tree_resolve(spelled, &f->path, &as_text);
	free(spelled);
	if (e == VGPU_OK)
		c->n_folder++;
	return e == VGPU_EHANDLE ? VGPU_OK : e;
}

/*
 * The folders to search.  A current folder that was removed has no files, and
 * nothing can be relative to it.
 */
static enum vgpu_err
add_folders(struct collection *c)
{
	const struct options *o = c->request->options;
	char *own = c->request->cwd == NULL ? getcwd(NULL, 0) : NULL;
	const char *cwd = own != NULL ? own : c->request->cwd;
	size_t i, n = o != NULL ? o->n_folder : 0;
	enum vgpu_err e = VGPU_ENOMEM;

	c->folder = calloc(n + 1, sizeof(*c->folder));
	if (c->folder != NULL)
		e = cwd != NULL ? add_folder(c, "", cwd) : VGPU_OK;
	for (i = 0; i < n && e == VGPU_OK; i++)
		e = add_folder(c, cwd, o->folder[i]);
	free(own);
	return e;
}

static enum vgpu_err
add_macros(struct collection *c)
{
	const struct options *o = c->request->options;
	enum vgpu_err e = VGPU_OK;
	size_t i;

	if ((c->macros = macro_table_new()) == NULL)
		return VGPU_ENOMEM;
	for (i = 0; o != NULL && i < o->n_macro && e == VGPU_OK; i++)
		e = macro_add_option(c->macros, &o->macro[i]);
	return e;
}

static enum vgpu_err
add_sources(struct collection *c)
{
	const struct include_source *s = c->request->source;
	struct include_unit *v;

	for (; c->n_unit < c->request->n_source; s++) {
		v = vec_more(c->unit, c->n_unit, sizeof(*v));
		if (v == NULL)
			return VGPU_ENOMEM;
		c->unit = v;
		memset(&v[c->n_unit], 0, sizeof(*v));
		v[c->n_unit].text = s->text;
		v[c->n_unit].len = s->len;
		v[c->n_unit].name = s->name;
		c->n_unit++;
	}
	return VGPU_OK;
}

static void
collection_fini(struct collection *c)
{
	size_t i, j;

	for (i = 0; i < c->n_unit; i++) {
		for (j = 0; j < c->unit[i].n_line; j++) {
			free(c->unit[i].line[j].operand);
			free(c->unit[i].line[j].target);
		}
		free(c->unit[i].line);
	}
	for (i = 0; i < c->n_folder; i++)
		free(c->folder[i].path);
	for (i = 0; i < c->n_make; i++)
		free(c->make[i]);
	free(c->unit);
	free(c->folder);
	free(c->make);
	macro_table_free(c->macros);
	tree_fini(&c->tree);
}

static enum vgpu_err
collect(struct collection *c)
{
	enum vgpu_err e;

	if ((e = add_sources(c)) != VGPU_OK ||
	    !may_include(c->request))
		return e;
	if ((e = add_folders(c)) != VGPU_OK ||
	    (e = add_macros(c)) != VGPU_OK)
		return e;
	return include_find(c);
}

enum vgpu_err
include_collect(struct includes *out, const struct include_request *request,
    struct err_text *text)
{
	struct collection c = { .request = request, .text = text };
	struct includes in = { 0 };
	enum vgpu_err e;

	tree_init(&c.tree, INCLUDE_FILES_MAX, INCLUDE_BYTES_MAX);
	if ((e = collect(&c)) == VGPU_OK)
		e = include_make_result(&c, &in);
	collection_fini(&c);
	if (e == VGPU_OK)
		*out = in;
	else
		include_fini(&in);
	if (e == VGPU_ENOMEM)
		err_set(text, e, "include files: no memory");
	else if (e == VGPU_ESYS)
		err_set(text, e, "include files: no SHA-256");
	return e;
}

void
include_manifest(const struct includes *in, struct buf *out)
{
	struct manifest_entry e = { .is_folder = true };
	size_t i;

	for (i = 0; i < in->n_make; i++) {
		e.path = in->make[i];
		e.path_len = strlen(e.path);
		manifest_write(out, &e);
	}
	e.is_folder = false;
	for (i = 0; i < in->n_file; i++) {
		e.path = in->file[i].path;
		e.path_len = strlen(e.path);
		e.size = in->file[i].len;
		e.hash = in->file[i].hash;
		manifest_write(out, &e);
	}
}

void
include_fini(struct includes *in)
{
	size_t i;

	for (i = 0; i < in->n_file; i++) {
		free(in->file[i].path);
		free(in->file[i].data);
	}
	for (i = 0; i < in->n_folder; i++)
		free(in->folder[i]);
	for (i = 0; i < in->n_make; i++)
		free(in->make[i]);
	for (i = 0; i < in->n_source; i++)
		free(in->source[i].text);
	free(in->file);
	free(in->folder);
	free(in->make);
	free(in->source);
	memset(in, 0, sizeof(*in));
}
