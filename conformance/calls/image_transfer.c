/* SPDX-License-Identifier: ISC */
#include "conformance/calls/image_transfer.h"

#include <stdio.h>

#include "conformance/calls/enqueue.h"
#include "conformance/calls/images.h"
#include "conformance/calls/linear.h"

static const size_t zero[3] = { 0, 0, 0 }, part[3] = { 4, 4, 1 };
static char host[4 * WORLD_SIZE];
static image_function *call;

static cl_int
transfer(cl_command_queue q, cl_mem m, cl_bool blocking, cl_uint n,
    const cl_event *list, cl_event *event)
{
	return call(q, m, blocking, zero, part, 0, 0, host, n,
	    list, event);
}

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	return transfer(q, world_image(w), CL_FALSE, n, list, event);
}

static cl_int
run_blocking(struct world *w, cl_command_queue q, cl_uint n,
    const cl_event *list, cl_event *event)
{
	return transfer(q, world_image(w), CL_TRUE, n, list, event);
}

static cl_int
region(struct world *w, cl_mem m, const size_t *origin, const size_t *n,
    cl_event *event)
{
	return call(w->queue, m, CL_TRUE, origin, n, 0, 0, host,
	    0, NULL, event);
}

static cl_int
host_access(struct world *w, cl_mem m)
{
	return transfer(w->queue, m, CL_TRUE, 0, NULL, NULL);
}

static void
pitch_case(struct world *w, const struct image_kind *k, cl_mem m,
    const char *what, size_t row, size_t slice, cl_int code)
{
	char text[96];

	snprintf(text, sizeof(text), "%s image: %s", k->name, what);
	WANT_EVENT(w, text, call(w->queue, m, CL_TRUE, zero,
	    k->extent, row, slice, host, 0, NULL, &w->done), code);
}

/* Rows of 8 elements of 4 bytes; 6 rows in a slice, or one. */
static void
pitches(struct world *w)
{
	const struct image_kind *k;
	size_t i, rows;
	cl_mem m;

	for (i = 0; i < IMAGE_KINDS; i++) {
		k = &image_kinds[i];
		m = image_of_kind(w, k, 0, NULL);
		pitch_case(w, k, m, "row pitch too short", 31, 0,
		    CL_INVALID_VALUE);
		pitch_case(w, k, m, "row pitch", 40, 0, CL_SUCCESS);
		rows = i == 3 ? 1 : 6;
		if (i >= 3) {
			pitch_case(w, k, m, "slice pitch too short", 40,
			    40 * rows - 4, CL_INVALID_VALUE);
			pitch_case(w, k, m, "both pitches", 40, 40 * rows + 40,
			    CL_SUCCESS);
		}
		clReleaseMemObject(m);
	}
}

void
image_transfer_cases(struct world *w, image_function *f, bool reads)
{
	if (older(w, 12) || no_images(w))
		return;
	call = f;
	region_cases(w, "", region, false);
	WANT_EVENT(w, "no memory", call(w->queue, world_image(w),
	    CL_TRUE, zero, part, 0, 0, NULL, 0, NULL, &w->done),
	    CL_INVALID_VALUE);
	pitches(w);
	access_cases(w, true, host_access, reads, !reads);
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .blocking = run_blocking, .type = reads ?
	    CL_COMMAND_READ_IMAGE : CL_COMMAND_WRITE_IMAGE });
}
