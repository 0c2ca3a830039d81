/* SPDX-License-Identifier: ISC */
#include "conformance/calls/images.h"

#include <stdio.h>
#include <string.h>

static cl_int
ask(struct world *w, void *object, cl_uint param, size_t size, void *value,
    size_t *size_ret)
{
	(void)w;
	return clGetImageInfo(object, param, size, value, size_ret);
}

static size_t
number(cl_mem m, cl_image_info param)
{
	size_t n = 77;

	must(clGetImageInfo(m, param, sizeof(n), &n, NULL), "clGetImageInfo");
	return n;
}

static void
numbers(struct world *w, const struct image_kind *k, cl_mem m)
{
	const cl_image_desc d = image_desc(k);
	char what[64];
	cl_uint n = 77;

	snprintf(what, sizeof(what), "%s image: its extent", k->name);
	IS(w, what, number(m, CL_IMAGE_WIDTH) == d.image_width &&
	    number(m, CL_IMAGE_HEIGHT) == d.image_height &&
	    number(m, CL_IMAGE_DEPTH) == d.image_depth &&
	    number(m, CL_IMAGE_ARRAY_SIZE) == d.image_array_size);
	snprintf(what, sizeof(what), "%s image: its pitches", k->name);
	IS(w, what, number(m, CL_IMAGE_ROW_PITCH) >= 32 &&
	    (number(m, CL_IMAGE_SLICE_PITCH) != 0) ==
	    (d.image_array_size != 0 || d.image_depth != 0));
	snprintf(what, sizeof(what), "%s image: neither levels nor samples",
	    k->name);
	must(clGetImageInfo(m, CL_IMAGE_NUM_MIP_LEVELS, sizeof(n), &n, NULL),
	    "CL_IMAGE_NUM_MIP_LEVELS");
	IS(w, what, n == 0);
}

static void
of_kind(struct world *w, const struct image_kind *k)
{
	cl_mem m = image_of_kind(w, k, 0, NULL), b = w->buffer;
	cl_mem_object_type type = 0;
	cl_image_format f;
	char what[64];

	numbers(w, k, m);
	must(clGetImageInfo(m, CL_IMAGE_FORMAT, sizeof(f), &f, NULL),
	    "CL_IMAGE_FORMAT");
	must(clGetImageInfo(m, CL_IMAGE_BUFFER, sizeof(b), &b, NULL),
	    "CL_IMAGE_BUFFER");
	must(clGetMemObjectInfo(m, CL_MEM_TYPE, sizeof(type), &type, NULL),
	    "CL_MEM_TYPE");
	snprintf(what, sizeof(what), "%s image: its format, buffer and type",
	    k->name);
	IS(w, what, memcmp(&f, &image_format, sizeof(f)) == 0 &&
	    number(m, CL_IMAGE_ELEMENT_SIZE) == 4 && type == k->type &&
	    (b != NULL) == (type == CL_MEM_OBJECT_IMAGE1D_BUFFER));
	clReleaseMemObject(m);
}

/* The program's pitches are told. */
static void
pitches(struct world *w)
{
	static char host[WORLD_SIZE];
	cl_image_desc d = image_desc(&image_kinds[4]);
	cl_mem m;

	d.image_row_pitch = 40;
	d.image_slice_pitch = 320;
	m = clCreateImage(w->context, CL_MEM_USE_HOST_PTR, &image_format, &d,
	    host, &w->err);
	must(w->err, "clCreateImage");
	IS(w, "pitches of used memory", number(m, CL_IMAGE_ROW_PITCH) == 40 &&
	    number(m, CL_IMAGE_SLICE_PITCH) == 320);
	clReleaseMemObject(m);
}

void
check_clGetImageInfo(struct world *w)
{
	size_t i, n;

	if (no_images(w))
		return;
	query_cases(w, &(struct query){ .ask = ask, .object = world_image(w),
	    .type = "cl_mem", .no_object = CL_INVALID_MEM_OBJECT,
	    .param = CL_IMAGE_WIDTH, .size = sizeof(size_t) });
	WANT(w, "query of a buffer", clGetImageInfo(w->buffer, CL_IMAGE_WIDTH,
	    sizeof(n), &n, NULL), CL_INVALID_MEM_OBJECT);
	for (i = 0; i < IMAGE_KINDS && w->version >= 12; i++)
		of_kind(w, &image_kinds[i]);
	pitches(w);
}
