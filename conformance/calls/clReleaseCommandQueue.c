/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static cl_int
status(cl_event e)
{
	cl_int s = CL_QUEUED;

	must(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(s),
	    &s, NULL), "CL_EVENT_COMMAND_EXECUTION_STATUS");
	return s;
}

void
check_clReleaseCommandQueue(struct world *w)
{
	cl_event e = NULL;
	cl_int code;
	cl_command_queue q = clCreateCommandQueue(w->context, w->device, 0,
	    &code);

	must(code, "clCreateCommandQueue");
	WANT_HANDLE(w, "queue", cl_command_queue, clReleaseCommandQueue(h),
	    CL_INVALID_COMMAND_QUEUE);
	must(clEnqueueMarker(q, &e), "clEnqueueMarker");
	WANT(w, "a queue", clReleaseCommandQueue(q), CL_SUCCESS);
	WANT(w, "its commands go on", clWaitForEvents(1, &e), CL_SUCCESS);
	IS(w, "its commands have ended", status(e) == CL_COMPLETE);
	clReleaseEvent(e);
}
