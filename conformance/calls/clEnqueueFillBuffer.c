/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"
#include "conformance/calls/linear.h"

#include <stdio.h>

static const char pattern[256];

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	return clEnqueueFillBuffer(q, w->buffer, pattern, 4, 16, 128, n, list,
	    event);
}

static cl_int
range(struct world *w, cl_mem m, size_t offset, size_t size, cl_event *event)
{
	return clEnqueueFillBuffer(w->queue, m, pattern, 1, offset, size, 0,
	    NULL, event);
}

static cl_int
fill(struct world *w, size_t pattern_size, size_t offset, size_t size,
    cl_event *event)
{
	return clEnqueueFillBuffer(w->queue, w->buffer, pattern,
	    pattern_size, offset, size, 0, NULL, event);
}

static cl_int
host_access(struct world *w, cl_mem m)
{
	return range(w, m, 0, 16, NULL);
}

static void
patterns(struct world *w)
{
	char what[64];
	size_t n;

	WANT_EVENT(w, "no pattern", clEnqueueFillBuffer(w->queue, w->buffer,
	    NULL, 4, 0, 16, 0, NULL, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "pattern of no size", fill(w, 0, 0, 16, &w->done),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "pattern of 3 bytes", fill(w, 3, 0, 12, &w->done),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "pattern of 96 bytes", fill(w, 96, 0, 192, &w->done),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "pattern of 256 bytes", fill(w, 256, 0, 256, &w->done),
	    CL_INVALID_VALUE);
	for (n = 1; n <= 128; n *= 2) {
		snprintf(what, sizeof(what), "pattern of %zu bytes", n);
		WANT_EVENT(w, what, fill(w, n, n, 2 * n, &w->done),
		    CL_SUCCESS);
	}
	for (n = 2; n <= 128; n *= 2) {
		snprintf(what, sizeof(what), "offset not of %zu bytes", n);
		WANT_EVENT(w, what, fill(w, n, n / 2, 2 * n, &w->done),
		    CL_INVALID_VALUE);
		snprintf(what, sizeof(what), "size not of %zu bytes", n);
		WANT_EVENT(w, what, fill(w, n, 0, n + n / 2, &w->done),
		    CL_INVALID_VALUE);
	}
}

void
check_clEnqueueFillBuffer(struct world *w)
{
	if (older(w, 12))
		return;
	linear_cases(w, range);
	patterns(w);
	/* Fills are the device's, not the host's, access. */
	access_cases(w, false, host_access, false, false);
	WANT_EVENT(w, "nothing", fill(w, 4, 16, 0, &w->done), CL_SUCCESS);
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .type = CL_COMMAND_FILL_BUFFER });
}
