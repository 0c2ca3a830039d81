/* SPDX-License-Identifier: ISC */
#include <stdint.h>
#include <stdio.h>

#include "conformance/calls/images.h"

static char host[WORLD_SIZE];

static cl_mem
make(struct world *w, cl_mem_flags flags, const cl_image_desc *d, void *p)
{
	return clCreateImage(w->context, flags, &image_format, d, p, &w->err);
}

/* ---- formats ----------------------------------------------------------- */

static bool
is_supported(struct world *w, const cl_image_format *f)
{
	cl_image_format list[512];
	cl_uint n = 0, i;

	must(clGetSupportedImageFormats(w->context, CL_MEM_READ_WRITE,
	    CL_MEM_OBJECT_IMAGE2D, 512, list, &n),
	    "clGetSupportedImageFormats");
	for (i = 0; i < n && i < 512; i++)
		if (list[i].image_channel_order == f->image_channel_order &&
		    list[i].image_channel_data_type ==
		    f->image_channel_data_type)
			return true;
	return false;
}

/* Every format that there is, against the list of the supported ones. */
static void
of_support(struct world *w, const cl_image_desc *d)
{
	cl_image_format f;
	char what[64];

	for (f.image_channel_order = CL_R;
	    f.image_channel_order <= CL_ABGR; f.image_channel_order++)
		for (f.image_channel_data_type = CL_SNORM_INT8;
		    f.image_channel_data_type <= CL_FLOAT;
		    f.image_channel_data_type++) {
			snprintf(what, sizeof(what), "format %04x %04x",
			    f.image_channel_order, f.image_channel_data_type);
			if (is_supported(w, &f))
				WANT_NEW(w, what, clCreateImage(w->context, 0,
				    &f, d, NULL, &w->err), CL_SUCCESS);
			else
				WANT_NEW(w, what, clCreateImage(w->context, 0,
				    &f, d, NULL, &w->err),
				    CL_IMAGE_FORMAT_NOT_SUPPORTED,
				    CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
		}
}

static void
formats(struct world *w)
{
	const cl_image_desc d = image_desc(&image_kinds[0]);
	const cl_image_format order = { NO_SUCH_NAME, CL_FLOAT };
	const cl_image_format type = { CL_RGBA, NO_SUCH_NAME };
	const cl_image_format packed = { CL_R, CL_UNORM_SHORT_565 };

	WANT_NEW(w, "no format", clCreateImage(w->context, 0, NULL, &d, NULL,
	    &w->err), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	WANT_NEW(w, "unknown channel order", clCreateImage(w->context, 0,
	    &order, &d, NULL, &w->err), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	WANT_NEW(w, "unknown channel type", clCreateImage(w->context, 0,
	    &type, &d, NULL, &w->err), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	WANT_NEW(w, "three channels packed in one", clCreateImage(w->context,
	    0, &packed, &d, NULL, &w->err),
	    CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	of_support(w, &d);
}

/* ---- flags and host pointers ------------------------------------------- */

static void
flags(struct world *w)
{
	const cl_image_desc d = image_desc(&image_kinds[0]);

	WANT_NEW(w, "unknown flags", make(w, NO_SUCH_BIT, &d, NULL),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "read and write only", make(w, CL_MEM_READ_ONLY |
	    CL_MEM_WRITE_ONLY, &d, NULL), CL_INVALID_VALUE);
	WANT_NEW(w, "flags of queries alone", make(w,
	    CL_MEM_KERNEL_READ_AND_WRITE, &d, NULL), CL_INVALID_VALUE);
	WANT_NEW(w, "used and allocated host pointer", make(w,
	    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, &d, host),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "used and copied host pointer", make(w,
	    CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, &d, host),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "host read only and no access", make(w,
	    CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, &d, NULL),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "no host pointer to use", make(w, CL_MEM_USE_HOST_PTR, &d,
	    NULL), CL_INVALID_HOST_PTR);
	WANT_NEW(w, "no host pointer to copy", make(w, CL_MEM_COPY_HOST_PTR,
	    &d, NULL), CL_INVALID_HOST_PTR);
	WANT_NEW(w, "needless host pointer", make(w, 0, &d, host),
	    CL_INVALID_HOST_PTR);
	WANT_NEW(w, "allocated and copied host pointer", make(w,
	    CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, &d, host),
	    CL_SUCCESS);
}

/* ---- sizes and pitches ------------------------------------------------- */

static void
size_case(struct world *w, const struct image_kind *k, const char *what,
    const cl_image_desc *d)
{
	char text[64];

	snprintf(text, sizeof(text), "%s image: %s", k->name, what);
	WANT_NEW(w, text, make(w, 0, d, NULL), CL_INVALID_IMAGE_SIZE,
	    CL_INVALID_IMAGE_DESCRIPTOR);
}

static void
too_large(struct world *w, const struct image_kind *k, cl_image_desc d)
{
	const bool volume = k->type == CL_MEM_OBJECT_IMAGE3D;
	const cl_image_desc good = d;

	d.image_width = (size_t)world_info(w, volume ?
	    CL_DEVICE_IMAGE3D_MAX_WIDTH :
	    k->type == CL_MEM_OBJECT_IMAGE1D_BUFFER ?
	    CL_DEVICE_IMAGE_MAX_BUFFER_SIZE : CL_DEVICE_IMAGE2D_MAX_WIDTH) + 1;
	size_case(w, k, "too wide", &d);
	d = good;
	d.image_height = (size_t)world_info(w, volume ?
	    CL_DEVICE_IMAGE3D_MAX_HEIGHT : CL_DEVICE_IMAGE2D_MAX_HEIGHT) + 1;
	if (good.image_height != 0)
		size_case(w, k, "too high", &d);
	d = good;
	d.image_depth = (size_t)world_info(w, CL_DEVICE_IMAGE3D_MAX_DEPTH) + 1;
	if (good.image_depth != 0)
		size_case(w, k, "too deep", &d);
	d = good;
	d.image_array_size =
	    (size_t)world_info(w, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE) + 1;
	if (good.image_array_size != 0)
		size_case(w, k, "too many", &d);
}

static void
empty(struct world *w, const struct image_kind *k, cl_image_desc d)
{
	const cl_image_desc good = d;

	d.image_width = 0;
	size_case(w, k, "no width", &d);
	d = good;
	d.image_height = 0;
	if (good.image_height != 0)
		size_case(w, k, "no height", &d);
	d = good;
	d.image_depth = 0;
	if (good.image_depth != 0)
		size_case(w, k, "no depth", &d);
	d = good;
	d.image_array_size = 0;
	if (good.image_array_size != 0)
		size_case(w, k, "none in the array", &d);
}

static void
sizes(struct world *w)
{
	cl_image_desc d;
	char text[64];
	size_t i;

	for (i = 0; i < IMAGE_KINDS; i++) {
		d = image_desc(&image_kinds[i]);
		if (d.image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
			d.mem_object = w->buffer;
		too_large(w, &image_kinds[i], d);
		empty(w, &image_kinds[i], d);
		snprintf(text, sizeof(text), "%s image", image_kinds[i].name);
		WANT_NEW(w, text, make(w, 0, &d, NULL), CL_SUCCESS);
	}
}

static void
pitch_case(struct world *w, const char *what, const struct image_kind *k,
    size_t row, size_t slice, void *p, cl_int code)
{
	cl_image_desc d = image_desc(k);
	char text[96];

	d.image_row_pitch = row;
	d.image_slice_pitch = slice;
	snprintf(text, sizeof(text), "%s image: %s", k->name, what);
	WANT_NEW(w, text, make(w, p != NULL ? CL_MEM_COPY_HOST_PTR : 0, &d, p),
	    code);
}

/* Rows of 8 elements of 4 bytes; 6 rows in a slice. */
static void
pitches(struct world *w)
{
	const struct image_kind *k = &image_kinds[0];
	const cl_int wrong = CL_INVALID_IMAGE_DESCRIPTOR;
	size_t i;

	pitch_case(w, "row pitch without memory", k, 32, 0, NULL, wrong);
	pitch_case(w, "row pitch too short", k, 28, 0, host, wrong);
	pitch_case(w, "row pitch not of whole elements", k, 34, 0, host,
	    wrong);
	pitch_case(w, "row pitch", k, 40, 0, host, CL_SUCCESS);
	for (i = 3; i < IMAGE_KINDS; i++) {
		const size_t rows = i == 3 ? 1 : 6;

		k = &image_kinds[i];
		pitch_case(w, "slice pitch without memory", k, 0, 32 * rows,
		    NULL, wrong);
		pitch_case(w, "slice pitch too short", k, 32, 32 * rows - 4,
		    host, wrong);
		pitch_case(w, "slice pitch not of whole rows", k, 32,
		    32 * rows + 4, host, wrong);
		pitch_case(w, "row and slice pitch", k, 40, 40 * rows + 40,
		    host, CL_SUCCESS);
	}
}

/* ---- the rest of the descriptor ---------------------------------------- */

static void
descriptors(struct world *w)
{
	cl_image_desc d = image_desc(&image_kinds[0]);
	const cl_image_desc good = d;

	WANT_NEW(w, "no descriptor", make(w, 0, NULL, NULL),
	    CL_INVALID_IMAGE_DESCRIPTOR);
	d.image_type = CL_MEM_OBJECT_BUFFER;
	WANT_NEW(w, "an image that is a buffer", make(w, 0, &d, NULL),
	    CL_INVALID_IMAGE_DESCRIPTOR);
	d.image_type = NO_SUCH_NAME;
	WANT_NEW(w, "unknown type", make(w, 0, &d, NULL),
	    CL_INVALID_IMAGE_DESCRIPTOR);
	d = good;
	d.num_mip_levels = 2;
	WANT_NEW(w, "levels", make(w, 0, &d, NULL),
	    CL_INVALID_IMAGE_DESCRIPTOR);
	d = good;
	d.num_samples = 2;
	WANT_NEW(w, "samples", make(w, 0, &d, NULL),
	    CL_INVALID_IMAGE_DESCRIPTOR);
}

void
check_clCreateImage(struct world *w)
{
	const cl_image_desc d = image_desc(&image_kinds[0]);

	if (older(w, 12) || no_images(w))
		return;
	WANT_HANDLE_NEW(w, "context", cl_context, clCreateImage(h, 0,
	    &image_format, &d, NULL, &w->err), CL_INVALID_CONTEXT);
	descriptors(w);
	flags(w);
	formats(w);
	sizes(w);
	pitches(w);
	IS(w, "no place for the code", clCreateImage(w->context, 0,
	    &image_format, &d, NULL, NULL) != NULL);
	IS(w, "no place for the code of an error", clCreateImage(NULL, 0,
	    &image_format, &d, NULL, NULL) == NULL);
}
