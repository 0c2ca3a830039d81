/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"
#include "conformance/calls/images.h"

static const size_t zero[3] = { 0, 0, 0 }, part[3] = { 4, 4, 1 };

/* Another image like that of the world. */
static cl_mem second;

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	return clEnqueueCopyImage(q, world_image(w), second, zero, zero, part,
	    n, list, event);
}

/* One side; the other is the same object's twin, all of it at zero. */
static cl_mem twin;

static cl_int
source(struct world *w, cl_mem m, const size_t *origin, const size_t *n,
    cl_event *event)
{
	return clEnqueueCopyImage(w->queue, m, twin, origin, zero, n, 0, NULL,
	    event);
}

static cl_int
destination(struct world *w, cl_mem m, const size_t *origin, const size_t *n,
    cl_event *event)
{
	return clEnqueueCopyImage(w->queue, twin, m, zero, origin, n, 0, NULL,
	    event);
}

static cl_int
within(struct world *w, size_t x, size_t y, cl_event *event)
{
	const size_t to[3] = { x, y, 0 };

	return clEnqueueCopyImage(w->queue, world_image(w), world_image(w),
	    zero, to, part, 0, NULL, event);
}

static cl_mem
image_of(struct world *w, const cl_image_format *f)
{
	const cl_image_desc d = { .image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = WORLD_WIDTH, .image_height = WORLD_WIDTH };
	cl_int e;
	cl_mem m = clCreateImage(w->context, 0, f, &d, NULL, &e);

	must(e, "clCreateImage");
	return m;
}

static void
formats(struct world *w)
{
	const cl_image_format type = { CL_RGBA, CL_SIGNED_INT8 };
	const cl_image_format size = { CL_RGBA, CL_FLOAT };
	cl_mem m;

	m = image_of(w, &type);
	WANT_EVENT(w, "formats of one size that differ", clEnqueueCopyImage(
	    w->queue, world_image(w), m, zero, zero, part, 0, NULL,
	    &w->done), CL_IMAGE_FORMAT_MISMATCH);
	clReleaseMemObject(m);
	m = image_of(w, &size);
	WANT_EVENT(w, "formats that differ", clEnqueueCopyImage(w->queue, m,
	    world_image(w), zero, zero, part, 0, NULL, &w->done),
	    CL_IMAGE_FORMAT_MISMATCH);
	clReleaseMemObject(m);
}

/* A twin as large as any image here in every direction. */
static cl_mem
largest(struct world *w)
{
	const cl_image_desc d = { .image_type = CL_MEM_OBJECT_IMAGE3D,
		.image_width = 16, .image_height = 16, .image_depth = 16 };
	cl_int e;
	cl_mem m = clCreateImage(w->context, 0, &image_format, &d, NULL, &e);

	must(e, "clCreateImage");
	return m;
}

void
check_clEnqueueCopyImage(struct world *w)
{
	const cl_image_format f = { CL_RGBA, CL_UNORM_INT8 };

	if (older(w, 12) || no_images(w))
		return;
	twin = largest(w);
	region_cases(w, "source ", source, false);
	region_cases(w, "destination ", destination, false);
	formats(w);
	WANT_EVENT(w, "onto itself", within(w, 0, 0, &w->done),
	    CL_MEM_COPY_OVERLAP);
	WANT_EVENT(w, "overlap", within(w, 3, 3, &w->done),
	    CL_MEM_COPY_OVERLAP);
	WANT_EVENT(w, "side by side", within(w, 4, 0, &w->done), CL_SUCCESS);
	WANT_EVENT(w, "below each other", within(w, 0, 4, &w->done),
	    CL_SUCCESS);
	second = image_of(w, &f);
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .type = CL_COMMAND_COPY_IMAGE });
	clReleaseMemObject(second);
	clReleaseMemObject(twin);
}
