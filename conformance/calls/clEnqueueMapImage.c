/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"
#include "conformance/calls/images.h"
#include "conformance/calls/linear.h"

#include <stdio.h>

static const size_t zero[3] = { 0, 0, 0 }, part[3] = { 4, 4, 1 };
static cl_map_flags flags;

/* Map, and say so to the cases: a pointer comes with CL_SUCCESS alone. */
static cl_int
map(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin,
    const size_t *region, cl_uint n, const cl_event *list, cl_event *event)
{
	size_t row = 77, slice = 77;
	cl_int e = 1;
	void *p = clEnqueueMapImage(q, m, blocking, flags, origin, region,
	    &row, &slice, n, list, event, &e);

	if ((p != NULL) != (e == CL_SUCCESS) ||
	    (p != NULL) != (row != 77))
		return 2;
	if (p != NULL)
		clEnqueueUnmapMemObject(q, m, p, 0, NULL, NULL);
	return e;
}

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	return map(q, world_image(w), CL_FALSE, zero, part, n, list, event);
}

static cl_int
run_blocking(struct world *w, cl_command_queue q, cl_uint n,
    const cl_event *list, cl_event *event)
{
	return map(q, world_image(w), CL_TRUE, zero, part, n, list, event);
}

static cl_int
region(struct world *w, cl_mem m, const size_t *origin, const size_t *n,
    cl_event *event)
{
	return map(w->queue, m, CL_TRUE, origin, n, 0, NULL, event);
}

static cl_int
host_access(struct world *w, cl_mem m)
{
	return region(w, m, zero, part, NULL);
}

static cl_int
with_flags(struct world *w, cl_map_flags f, cl_event *event)
{
	flags = f;
	return region(w, world_image(w), zero, part, event);
}

static void
of_flags(struct world *w)
{
	WANT_EVENT(w, "unknown flags", with_flags(w, NO_SUCH_BIT, &w->done),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "read and invalidate", with_flags(w, CL_MAP_READ |
	    CL_MAP_WRITE_INVALIDATE_REGION, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "write and invalidate", with_flags(w, CL_MAP_WRITE |
	    CL_MAP_WRITE_INVALIDATE_REGION, &w->done), CL_INVALID_VALUE);
	flags = CL_MAP_READ;
	access_cases(w, true, host_access, true, false);
	flags = CL_MAP_WRITE;
	access_cases(w, true, host_access, false, true);
	flags = CL_MAP_WRITE_INVALIDATE_REGION;
	access_cases(w, true, host_access, false, true);
	flags = CL_MAP_READ;
}

/* Pitches that are not asked for. */
static void
pitches(struct world *w, const struct image_kind *k)
{
	const bool slices = k->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
	    k->type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
	    k->type == CL_MEM_OBJECT_IMAGE3D;
	cl_mem m = image_of_kind(w, k, 0, NULL);
	char what[64];
	size_t pitch;

	snprintf(what, sizeof(what), "%s image: no row pitch", k->name);
	WANT_NEW(w, what, clEnqueueMapImage(w->queue, m, CL_TRUE, CL_MAP_READ,
	    zero, k->extent, NULL, &pitch, 0, NULL, NULL, &w->err),
	    CL_INVALID_VALUE);
	snprintf(what, sizeof(what), "%s image: no slice pitch", k->name);
	WANT_NEW(w, what, clEnqueueMapImage(w->queue, m, CL_TRUE, CL_MAP_READ,
	    zero, k->extent, &pitch, NULL, 0, NULL, NULL, &w->err),
	    slices ? CL_INVALID_VALUE : CL_SUCCESS);
	clReleaseMemObject(m);
}

void
check_clEnqueueMapImage(struct world *w)
{
	size_t i;

	if (older(w, 12) || no_images(w))
		return;
	flags = CL_MAP_READ;
	region_cases(w, "", region, false);
	for (i = 0; i < IMAGE_KINDS; i++)
		pitches(w, &image_kinds[i]);
	of_flags(w);
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .blocking = run_blocking, .type = CL_COMMAND_MAP_IMAGE });
}
