/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"

static void
lists(struct world *w, cl_event complete)
{
	cl_event list[2] = { complete, NULL };

	WANT(w, "no event behind one", clWaitForEvents(2, list),
	    CL_INVALID_EVENT);
	list[1] = (cl_event)world_other(w, "cl_event");
	WANT(w, "what is no event behind one", clWaitForEvents(2, list),
	    CL_INVALID_EVENT);
	list[1] = w->other_event;
	WANT(w, "another context's event behind one", clWaitForEvents(2,
	    list), CL_INVALID_CONTEXT);
	list[1] = complete;
	WANT(w, "an event twice", clWaitForEvents(2, list), CL_SUCCESS);
}

static void
failures(struct world *w, cl_event complete)
{
	cl_command_queue q = queue_apart(w);
	cl_event list[3] = { complete, event_with(w, -3), complete };
	cl_event marker = NULL;

	WANT(w, "a failed event", clWaitForEvents(1, &list[1]),
	    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	WANT(w, "a failed event between others", clWaitForEvents(3, list),
	    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	must(clEnqueueMarkerWithWaitList(q, 1, &list[1], &marker),
	    "clEnqueueMarkerWithWaitList");
	WANT(w, "a command behind a failed event",
	    clWaitForEvents(1, &marker),
	    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	clReleaseEvent(marker);
	clReleaseEvent(list[1]);
	clReleaseCommandQueue(q);
}

void
check_clWaitForEvents(struct world *w)
{
	cl_event complete = event_with(w, CL_COMPLETE), marker = NULL;

	WANT(w, "no events", clWaitForEvents(0, &complete), CL_INVALID_VALUE);
	WANT(w, "events nowhere", clWaitForEvents(1, NULL), CL_INVALID_VALUE);
	WANT(w, "neither", clWaitForEvents(0, NULL), CL_INVALID_VALUE);
	WANT_HANDLE(w, "event", cl_event, clWaitForEvents(1, &h),
	    CL_INVALID_EVENT);
	lists(w, complete);
	WANT(w, "a complete event", clWaitForEvents(1, &complete),
	    CL_SUCCESS);
	must(clEnqueueMarker(w->queue, &marker), "clEnqueueMarker");
	WANT(w, "a command", clWaitForEvents(1, &marker), CL_SUCCESS);
	WANT(w, "a command again", clWaitForEvents(1, &marker), CL_SUCCESS);
	clReleaseEvent(marker);
	if (w->version >= 12)
		failures(w, complete);
	clReleaseEvent(complete);
}
