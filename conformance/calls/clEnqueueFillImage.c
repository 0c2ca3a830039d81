/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"
#include "conformance/calls/images.h"
#include "conformance/calls/linear.h"

static const size_t zero[3] = { 0, 0, 0 }, part[3] = { 4, 4, 1 };
static const cl_uint color[4] = { 1, 2, 3, 4 };

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	return clEnqueueFillImage(q, world_image(w), color, zero, part, n,
	    list, event);
}

static cl_int
region(struct world *w, cl_mem m, const size_t *origin, const size_t *n,
    cl_event *event)
{
	return clEnqueueFillImage(w->queue, m, color, origin, n, 0, NULL,
	    event);
}

static cl_int
host_access(struct world *w, cl_mem m)
{
	return region(w, m, zero, part, NULL);
}

void
check_clEnqueueFillImage(struct world *w)
{
	if (older(w, 12) || no_images(w))
		return;
	region_cases(w, "", region, true);
	WANT_EVENT(w, "no color", clEnqueueFillImage(w->queue, world_image(w),
	    NULL, zero, part, 0, NULL, &w->done), CL_INVALID_VALUE);
	access_cases(w, true, host_access, false, false);
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .type = CL_COMMAND_FILL_IMAGE });
}
