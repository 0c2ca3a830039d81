/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"

static cl_event
open_event(struct world *w)
{
	cl_event e = clCreateUserEvent(w->context, &w->err);

	must(w->err, "clCreateUserEvent");
	return e;
}

static void
once(struct world *w, cl_int status, const char *what)
{
	cl_event e = open_event(w);

	WANT(w, what, clSetUserEventStatus(e, status), CL_SUCCESS);
	IS(w, "the event has it", event_end(e) == status);
	WANT(w, "complete for the second time",
	    clSetUserEventStatus(e, CL_COMPLETE), CL_INVALID_OPERATION);
	WANT(w, "an error for the second time",
	    clSetUserEventStatus(e, -7), CL_INVALID_OPERATION);
	IS(w, "the event keeps what it had", event_end(e) == status);
	clReleaseEvent(e);
}

void
check_clSetUserEventStatus(struct world *w)
{
	cl_event e = open_event(w), command = NULL;

	WANT_HANDLE(w, "event", cl_event,
	    clSetUserEventStatus(h, CL_COMPLETE), CL_INVALID_EVENT);
	must(clEnqueueMarker(w->queue, &command), "clEnqueueMarker");
	WANT(w, "event of a command",
	    clSetUserEventStatus(command, CL_COMPLETE), CL_INVALID_EVENT);
	clReleaseEvent(command);
	WANT(w, "queued", clSetUserEventStatus(e, CL_QUEUED),
	    CL_INVALID_VALUE);
	WANT(w, "submitted", clSetUserEventStatus(e, CL_SUBMITTED),
	    CL_INVALID_VALUE);
	WANT(w, "running", clSetUserEventStatus(e, CL_RUNNING),
	    CL_INVALID_VALUE);
	WANT(w, "no status at all", clSetUserEventStatus(e, 77),
	    CL_INVALID_VALUE);
	WANT(w, "complete after wrong ones",
	    clSetUserEventStatus(e, CL_COMPLETE), CL_SUCCESS);
	clReleaseEvent(e);
	once(w, CL_COMPLETE, "complete");
	once(w, -1, "the least error");
	once(w, -2147483647 - 1, "the largest error");
}
