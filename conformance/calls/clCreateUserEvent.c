/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

void
check_clCreateUserEvent(struct world *w)
{
	cl_command_queue queue = w->queue;
	cl_context context = NULL;
	cl_command_type type = 0;
	cl_int status = 77;
	cl_event e;

	WANT_HANDLE_NEW(w, "context", cl_context,
	    clCreateUserEvent(h, &w->err), CL_INVALID_CONTEXT);
	IS(w, "no context and no place for the code",
	    clCreateUserEvent(NULL, NULL) == NULL);
	WANT_NEW(w, "an event", clCreateUserEvent(w->context, &w->err),
	    CL_SUCCESS);
	e = clCreateUserEvent(w->context, NULL);
	IS(w, "no place for the code", e != NULL);
	must(clGetEventInfo(e, CL_EVENT_COMMAND_QUEUE, sizeof(queue), &queue,
	    NULL), "CL_EVENT_COMMAND_QUEUE");
	must(clGetEventInfo(e, CL_EVENT_CONTEXT, sizeof(context), &context,
	    NULL), "CL_EVENT_CONTEXT");
	must(clGetEventInfo(e, CL_EVENT_COMMAND_TYPE, sizeof(type), &type,
	    NULL), "CL_EVENT_COMMAND_TYPE");
	must(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS,
	    sizeof(status), &status, NULL), "its status");
	IS(w, "it has no queue", queue == NULL);
	IS(w, "its context and type",
	    context == w->context && type == CL_COMMAND_USER);
	IS(w, "it is submitted", status == CL_SUBMITTED);
	clReleaseEvent(e);
}
