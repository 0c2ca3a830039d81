/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

void
check_clFinish(struct world *w)
{
	cl_event e = NULL;
	cl_int status = CL_QUEUED;

	WANT_HANDLE(w, "queue", cl_command_queue, clFinish(h),
	    CL_INVALID_COMMAND_QUEUE);
	WANT(w, "an empty queue", clFinish(w->queue), CL_SUCCESS);
	must(clEnqueueMarker(w->queue, &e), "clEnqueueMarker");
	WANT(w, "a queue with a command", clFinish(w->queue), CL_SUCCESS);
	must(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS,
	    sizeof(status), &status, NULL), "status");
	IS(w, "the command has ended", status == CL_COMPLETE);
	clReleaseEvent(e);
}
