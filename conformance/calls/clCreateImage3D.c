/* SPDX-License-Identifier: ISC */
#include "conformance/calls/images.h"

static char host[WORLD_SIZE];

static cl_mem
sized(struct world *w, size_t width, size_t height, size_t depth)
{
	return clCreateImage3D(w->context, 0, &image_format, width, height,
	    depth, 0, 0, NULL, &w->err);
}

static cl_mem
pitched(struct world *w, cl_mem_flags flags, size_t row, size_t slice, void *p)
{
	return clCreateImage3D(w->context, flags, &image_format, 8, 6, 4, row,
	    slice, p, &w->err);
}

static size_t
above(struct world *w, cl_device_info limit)
{
	return (size_t)world_info(w, limit) + 1;
}

static void
sizes(struct world *w)
{
	WANT_NEW(w, "no width", sized(w, 0, 6, 4), CL_INVALID_IMAGE_SIZE);
	WANT_NEW(w, "no height", sized(w, 8, 0, 4), CL_INVALID_IMAGE_SIZE);
	WANT_NEW(w, "no depth", sized(w, 8, 6, 0), CL_INVALID_IMAGE_SIZE);
	WANT_NEW(w, "too wide", sized(w,
	    above(w, CL_DEVICE_IMAGE3D_MAX_WIDTH), 1, 2),
	    CL_INVALID_IMAGE_SIZE);
	WANT_NEW(w, "too high", sized(w, 1,
	    above(w, CL_DEVICE_IMAGE3D_MAX_HEIGHT), 2),
	    CL_INVALID_IMAGE_SIZE);
	WANT_NEW(w, "too deep", sized(w, 1, 1,
	    above(w, CL_DEVICE_IMAGE3D_MAX_DEPTH)), CL_INVALID_IMAGE_SIZE);
}

void
check_clCreateImage3D(struct world *w)
{
	const cl_mem_flags copy = CL_MEM_COPY_HOST_PTR;

	if (no_images(w))
		return;
	WANT_HANDLE_NEW(w, "context", cl_context, clCreateImage3D(h, 0,
	    &image_format, 8, 6, 4, 0, 0, NULL, &w->err), CL_INVALID_CONTEXT);
	WANT_NEW(w, "unknown flags", pitched(w, NO_SUCH_BIT, 0, 0, NULL),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "no format", clCreateImage3D(w->context, 0, NULL, 8, 6, 4,
	    0, 0, NULL, &w->err), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	sizes(w);
	WANT_NEW(w, "row pitch without memory", pitched(w, 0, 32, 0, NULL),
	    CL_INVALID_IMAGE_SIZE);
	WANT_NEW(w, "slice pitch without memory", pitched(w, 0, 0, 192, NULL),
	    CL_INVALID_IMAGE_SIZE);
	WANT_NEW(w, "row pitch too short", pitched(w, copy, 28, 0, host),
	    CL_INVALID_IMAGE_SIZE);
	WANT_NEW(w, "row pitch not of whole elements",
	    pitched(w, copy, 34, 0, host), CL_INVALID_IMAGE_SIZE);
	WANT_NEW(w, "slice pitch too short", pitched(w, copy, 32, 160, host),
	    CL_INVALID_IMAGE_SIZE);
	WANT_NEW(w, "slice pitch not of whole rows",
	    pitched(w, copy, 32, 200, host), CL_INVALID_IMAGE_SIZE);
	WANT_NEW(w, "no host pointer", pitched(w, copy, 0, 0, NULL),
	    CL_INVALID_HOST_PTR);
	WANT_NEW(w, "needless host pointer", pitched(w, 0, 0, 0, host),
	    CL_INVALID_HOST_PTR);
	WANT_NEW(w, "an image", pitched(w, 0, 0, 0, NULL), CL_SUCCESS);
	WANT_NEW(w, "an image with pitches", pitched(w, copy, 40, 280, host),
	    CL_SUCCESS);
}
