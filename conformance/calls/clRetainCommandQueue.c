/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static cl_uint
count(cl_command_queue q)
{
	cl_uint n = 0;

	clGetCommandQueueInfo(q, CL_QUEUE_REFERENCE_COUNT, sizeof(n), &n,
	    NULL);
	return n;
}

void
check_clRetainCommandQueue(struct world *w)
{
	WANT_HANDLE(w, "queue", cl_command_queue, clRetainCommandQueue(h),
	    CL_INVALID_COMMAND_QUEUE);
	IS(w, "a new queue has one reference", count(w->queue) == 1);
	WANT(w, "a queue", clRetainCommandQueue(w->queue), CL_SUCCESS);
	IS(w, "it has one reference more", count(w->queue) == 2);
	clReleaseCommandQueue(w->queue);
	IS(w, "and one less after its release", count(w->queue) == 1);
}
