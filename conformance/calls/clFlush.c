/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

void
check_clFlush(struct world *w)
{
	WANT_HANDLE(w, "queue", cl_command_queue, clFlush(h),
	    CL_INVALID_COMMAND_QUEUE);
	WANT(w, "an empty queue", clFlush(w->queue), CL_SUCCESS);
	must(clEnqueueMarkerWithWaitList(w->queue, 1, &w->event, NULL),
	    "clEnqueueMarkerWithWaitList");
	WANT(w, "a queue whose command waits", clFlush(w->queue), CL_SUCCESS);
	must(clSetUserEventStatus(w->event, CL_COMPLETE),
	    "clSetUserEventStatus");
	must(clFinish(w->queue), "clFinish");
}
