/* SPDX-License-Identifier: ISC */
#include "conformance/calls/images.h"

static char host[WORLD_SIZE];

static cl_mem
make(struct world *w, cl_mem_flags flags, size_t width, size_t height,
    size_t row, void *p)
{
	return clCreateImage2D(w->context, flags, &image_format, width, height,
	    row, p, &w->err);
}

void
check_clCreateImage2D(struct world *w)
{
	const cl_image_format order = { NO_SUCH_NAME, CL_FLOAT };

	if (no_images(w))
		return;
	WANT_HANDLE_NEW(w, "context", cl_context, clCreateImage2D(h, 0,
	    &image_format, 8, 8, 0, NULL, &w->err), CL_INVALID_CONTEXT);
	WANT_NEW(w, "unknown flags", make(w, NO_SUCH_BIT, 8, 8, 0, NULL),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "read and write only", make(w, CL_MEM_READ_ONLY |
	    CL_MEM_WRITE_ONLY, 8, 8, 0, NULL), CL_INVALID_VALUE);
	WANT_NEW(w, "no format", clCreateImage2D(w->context, 0, NULL, 8, 8, 0,
	    NULL, &w->err), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	WANT_NEW(w, "unknown format", clCreateImage2D(w->context, 0, &order,
	    8, 8, 0, NULL, &w->err), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
	WANT_NEW(w, "no width", make(w, 0, 0, 8, 0, NULL),
	    CL_INVALID_IMAGE_SIZE);
	WANT_NEW(w, "no height", make(w, 0, 8, 0, 0, NULL),
	    CL_INVALID_IMAGE_SIZE);
	WANT_NEW(w, "too wide", make(w, 0, (size_t)world_info(w,
	    CL_DEVICE_IMAGE2D_MAX_WIDTH) + 1, 1, 0, NULL),
	    CL_INVALID_IMAGE_SIZE);
	WANT_NEW(w, "too high", make(w, 0, 1, (size_t)world_info(w,
	    CL_DEVICE_IMAGE2D_MAX_HEIGHT) + 1, 0, NULL),
	    CL_INVALID_IMAGE_SIZE);
	WANT_NEW(w, "row pitch without memory", make(w, 0, 8, 8, 32, NULL),
	    CL_INVALID_IMAGE_SIZE);
	WANT_NEW(w, "row pitch too short", make(w, CL_MEM_COPY_HOST_PTR, 8, 8,
	    28, host), CL_INVALID_IMAGE_SIZE);
	WANT_NEW(w, "row pitch not of whole elements", make(w,
	    CL_MEM_COPY_HOST_PTR, 8, 8, 34, host), CL_INVALID_IMAGE_SIZE);
	WANT_NEW(w, "no host pointer", make(w, CL_MEM_USE_HOST_PTR, 8, 8, 0,
	    NULL), CL_INVALID_HOST_PTR);
	WANT_NEW(w, "needless host pointer", make(w, 0, 8, 8, 0, host),
	    CL_INVALID_HOST_PTR);
	WANT_NEW(w, "an image", make(w, 0, 8, 8, 0, NULL), CL_SUCCESS);
	WANT_NEW(w, "an image with a pitch", make(w, CL_MEM_USE_HOST_PTR, 8,
	    8, 40, host), CL_SUCCESS);
}
