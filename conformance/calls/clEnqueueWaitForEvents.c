/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"

void
check_clEnqueueWaitForEvents(struct world *w)
{
	const cl_event other = (cl_event)world_other(w, "cl_event");
	cl_event list[2] = { event_with(w, CL_COMPLETE), NULL };

	WANT_HANDLE(w, "queue", cl_command_queue,
	    clEnqueueWaitForEvents(h, 1, list), CL_INVALID_COMMAND_QUEUE);
	WANT(w, "no events", clEnqueueWaitForEvents(w->queue, 0, list),
	    CL_INVALID_VALUE);
	WANT(w, "events nowhere", clEnqueueWaitForEvents(w->queue, 1, NULL),
	    CL_INVALID_VALUE);
	WANT(w, "no event behind one", clEnqueueWaitForEvents(w->queue, 2,
	    list), CL_INVALID_EVENT);
	list[1] = other;
	WANT(w, "what is no event behind one", clEnqueueWaitForEvents(
	    w->queue, 2, list), CL_INVALID_EVENT);
	list[1] = w->other_event;
	WANT(w, "another context's event behind one", clEnqueueWaitForEvents(
	    w->queue, 2, list), CL_INVALID_CONTEXT);
	list[1] = list[0];
	WANT(w, "events", clEnqueueWaitForEvents(w->queue, 2, list),
	    CL_SUCCESS);
	WANT(w, "they are waited for", clFinish(w->queue), CL_SUCCESS);
	clReleaseEvent(list[0]);
}
