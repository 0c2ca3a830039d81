/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"

void
check_clEnqueueMarker(struct world *w)
{
	cl_command_type type = 0;
	cl_event event = NULL;

	WANT_HANDLE_EVENT(w, "queue", cl_command_queue,
	    clEnqueueMarker(h, &w->done), CL_INVALID_COMMAND_QUEUE);
	WANT(w, "no event", clEnqueueMarker(w->queue, NULL),
	    CL_INVALID_VALUE);
	WANT(w, "a marker", clEnqueueMarker(w->queue, &event), CL_SUCCESS);
	if (event == NULL)
		return;
	IS(w, "it ends", event_end(event) == CL_COMPLETE);
	clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type,
	    NULL);
	IS(w, "its command type", type == CL_COMMAND_MARKER);
	clReleaseEvent(event);
}
