/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	(void)w;
	return clEnqueueMarkerWithWaitList(q, n, list, event);
}

void
check_clEnqueueMarkerWithWaitList(struct world *w)
{
	if (older(w, 12))
		return;
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .type = CL_COMMAND_MARKER, .no_objects = true });
}
