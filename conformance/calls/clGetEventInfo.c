/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"

static cl_int
ask(struct world *w, void *object, cl_uint param, size_t size, void *value,
    size_t *size_ret)
{
	(void)w;
	return clGetEventInfo(object, param, size, value, size_ret);
}

void
check_clGetEventInfo(struct world *w)
{
	cl_command_queue queue = NULL;
	cl_context context = NULL;
	cl_event marker = NULL;
	cl_int status = 77;

	query_cases(w, &(struct query){ .ask = ask, .object = w->event,
	    .type = "cl_event", .no_object = CL_INVALID_EVENT,
	    .param = CL_EVENT_COMMAND_TYPE, .size = sizeof(cl_command_type) });
	must(clEnqueueMarker(w->queue, &marker), "clEnqueueMarker");
	must(clWaitForEvents(1, &marker), "clWaitForEvents");
	WANT(w, "queue", clGetEventInfo(marker, CL_EVENT_COMMAND_QUEUE,
	    sizeof(queue), &queue, NULL), CL_SUCCESS);
	WANT(w, "context", clGetEventInfo(marker, CL_EVENT_CONTEXT,
	    sizeof(context), &context, NULL), CL_SUCCESS);
	WANT(w, "status", clGetEventInfo(marker,
	    CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, NULL),
	    CL_SUCCESS);
	IS(w, "its queue", queue == w->queue);
	IS(w, "its context", context == w->context);
	IS(w, "it is complete", status == CL_COMPLETE);
	clReleaseEvent(marker);
}
