/* SPDX-License-Identifier: ISC */
#include "conformance/calls/images.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "conformance/calls/defect.h"

const struct image_kind image_kinds[IMAGE_KINDS] = {
	{ "2D", CL_MEM_OBJECT_IMAGE2D, { 8, 6, 1 } },
	{ "1D", CL_MEM_OBJECT_IMAGE1D, { 8, 1, 1 } },
	{ "1D buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER, { 8, 1, 1 } },
	{ "1D array", CL_MEM_OBJECT_IMAGE1D_ARRAY, { 8, 5, 1 } },
	{ "2D array", CL_MEM_OBJECT_IMAGE2D_ARRAY, { 8, 6, 3 } },
	{ "3D", CL_MEM_OBJECT_IMAGE3D, { 8, 6, 4 } },
};

const cl_image_format image_format = { CL_RGBA, CL_UNSIGNED_INT8 };

cl_image_desc
image_desc(const struct image_kind *k)
{
	cl_image_desc d = { .image_type = k->type,
		.image_width = k->extent[0] };

	switch (k->type) {
	case CL_MEM_OBJECT_IMAGE1D_ARRAY:
		d.image_array_size = k->extent[1];
		break;
	case CL_MEM_OBJECT_IMAGE2D_ARRAY:
		d.image_height = k->extent[1];
		d.image_array_size = k->extent[2];
		break;
	case CL_MEM_OBJECT_IMAGE3D:
		d.image_depth = k->extent[2];
		d.image_height = k->extent[1];
		break;
	case CL_MEM_OBJECT_IMAGE2D:
		d.image_height = k->extent[1];
		break;
	default:
		break;
	}
	return d;
}

cl_mem
image_of_kind(struct world *w, const struct image_kind *k, cl_mem_flags flags,
    void *host)
{
	cl_image_desc d = image_desc(k);
	cl_mem m, b = NULL;
	cl_int e;

	if (k->type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
		b = d.mem_object = world_buffer(w, 0, WORLD_SIZE);
	m = clCreateImage(w->context, flags, &image_format, &d, host, &e);
	must(e, "clCreateImage");
	if (b != NULL)
		clReleaseMemObject(b);
	return m;
}

bool
no_images(struct world *w)
{
	if (world_info(w, CL_DEVICE_IMAGE_SUPPORT))
		return false;
	skip(w, "all", "no images");
	return true;
}

/* ---- regions ----------------------------------------------------------- */

/* Where cases of one kind of image come from. */
struct regions {
	struct world *w;
	const char *side;
	const struct image_kind *kind;
	region_function *run;
	bool crashes;
	cl_mem image;
};

static void
region_case(const struct regions *r, const char *what, int dimension,
    const size_t *origin, const size_t *region, cl_int code)
{
	struct world *w = r->w;
	char text[96];

	snprintf(text, sizeof(text), "%s%s image: %s%c", r->side,
	    r->kind->name, what, dimension < 0 ? ' ' : "xyz"[dimension]);
	if (dimension < 0)
		text[strlen(text) - 1] = '\0';
	if (code == CL_SUCCESS && r->crashes &&
	    r->kind->type == CL_MEM_OBJECT_IMAGE1D_BUFFER &&
	    pocl_crashes(w, text))
		return;
	WANT_EVENT(w, text, r->run(w, r->image, origin, region, &w->done),
	    code);
}

static void
of_dimension(const struct regions *r, int i)
{
	size_t at[3] = { 0, 0, 0 }, n[3] = { 1, 1, 1 };

	n[i] = 0;
	region_case(r, "nothing in ", i, at, n, CL_INVALID_VALUE);
	n[i] = r->kind->extent[i] + 1;
	region_case(r, "too long in ", i, at, n, CL_INVALID_VALUE);
	n[i] = 1;
	at[i] = r->kind->extent[i];
	region_case(r, "beyond the end in ", i, at, n, CL_INVALID_VALUE);
	n[i] = 2;
	at[i] = SIZE_MAX;
	region_case(r, "overflow in ", i, at, n, CL_INVALID_VALUE);
	n[i] = 1;
	at[i] = r->kind->extent[i] - 1;
	region_case(r, "the last element in ", i, at, n, CL_SUCCESS);
}

static void
of_kind(struct regions *r)
{
	const size_t at[3] = { 0, 0, 0 };
	int i;

	r->image = image_of_kind(r->w, r->kind, 0, NULL);
	region_case(r, "no origin", -1, NULL, r->kind->extent,
	    CL_INVALID_VALUE);
	region_case(r, "no region", -1, at, NULL, CL_INVALID_VALUE);
	for (i = 0; i < 3; i++)
		of_dimension(r, i);
	region_case(r, "all of it", -1, at, r->kind->extent, CL_SUCCESS);
	clReleaseMemObject(r->image);
}

void
region_cases(struct world *w, const char *side, region_function *run,
    bool crashes)
{
	const size_t at[3] = { 0, 0, 0 }, n[3] = { 1, 1, 1 };
	struct regions r = { .w = w, .side = side, .run = run,
		.crashes = crashes };
	char what[32];
	size_t i;

	snprintf(what, sizeof(what), "no %simage", side);
	WANT_EVENT(w, what, run(w, NULL, at, n, &w->done),
	    CL_INVALID_MEM_OBJECT);
	snprintf(what, sizeof(what), "%simage is a buffer", side);
	WANT_EVENT(w, what, run(w, w->buffer, at, n, &w->done),
	    CL_INVALID_MEM_OBJECT);
	snprintf(what, sizeof(what), "%simage of another kind", side);
	WANT_EVENT(w, what, run(w, (cl_mem)world_other(w, "cl_mem"), at, n,
	    &w->done), CL_INVALID_MEM_OBJECT);
	snprintf(what, sizeof(what), "%simage of another context", side);
	WANT_EVENT(w, what, run(w, world_other_image(w), at, n, &w->done),
	    CL_INVALID_CONTEXT);
	for (i = 0; i < IMAGE_KINDS; i++) {
		r.kind = &image_kinds[i];
		of_kind(&r);
	}
}
