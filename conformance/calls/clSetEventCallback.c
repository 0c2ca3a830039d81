/* SPDX-License-Identifier: ISC */
#include <stdatomic.h>
#include <time.h>

#include "conformance/calls/enqueue.h"

/* What one callback was told. */
struct told {
	atomic_int count;
	cl_event event;
	cl_int status;
};

static void CL_CALLBACK
notify(cl_event event, cl_int status, void *arg)
{
	struct told *t = arg;

	t->event = event;
	t->status = status;
	atomic_fetch_add(&t->count, 1);
}

/* Is it told once, within five seconds? */
static bool
is_told(struct told *t, cl_event event, cl_int status)
{
	const struct timespec pause = { 0, 1000000 };
	int i;

	for (i = 0; i < 5000 && atomic_load(&t->count) == 0; i++)
		nanosleep(&pause, NULL);
	return atomic_load(&t->count) == 1 && t->event == event &&
	    t->status == status;
}

static void
codes(struct world *w, cl_event e)
{
	static struct told none;

	WANT_HANDLE(w, "event", cl_event, clSetEventCallback(h, CL_COMPLETE,
	    notify, &none), CL_INVALID_EVENT);
	WANT(w, "no function", clSetEventCallback(e, CL_COMPLETE, NULL,
	    &none), CL_INVALID_VALUE);
	WANT(w, "queued", clSetEventCallback(e, CL_QUEUED, notify, &none),
	    CL_INVALID_VALUE);
	WANT(w, "an error", clSetEventCallback(e, -1, notify, &none),
	    CL_INVALID_VALUE);
	WANT(w, "no status at all", clSetEventCallback(e, 77, notify, &none),
	    CL_INVALID_VALUE);
	IS(w, "wrong ones are not called", atomic_load(&none.count) == 0);
}

/* Of a command that waits for an event, before that one's end and after. */
static void
of_command(struct world *w)
{
	static struct told first[3], last[3];
	cl_event gate = clCreateUserEvent(w->context, &w->err), marker = NULL;
	cl_int type;

	must(w->err, "clCreateUserEvent");
	must(clEnqueueMarkerWithWaitList(w->queue, 1, &gate, &marker),
	    "clEnqueueMarkerWithWaitList");
	for (type = CL_COMPLETE; type <= CL_SUBMITTED; type++)
		WANT(w, "before the end", clSetEventCallback(marker, type,
		    notify, &first[type]), CL_SUCCESS);
	IS(w, "not complete, not called",
	    atomic_load(&first[CL_COMPLETE].count) == 0);
	must(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
	must(clWaitForEvents(1, &marker), "clWaitForEvents");
	IS(w, "complete", is_told(&first[CL_COMPLETE], marker, CL_COMPLETE));
	IS(w, "running", is_told(&first[CL_RUNNING], marker, CL_RUNNING));
	IS(w, "submitted",
	    is_told(&first[CL_SUBMITTED], marker, CL_SUBMITTED));
	for (type = CL_COMPLETE; type <= CL_SUBMITTED; type++) {
		WANT(w, "after the end", clSetEventCallback(marker, type,
		    notify, &last[type]), CL_SUCCESS);
		IS(w, "it is called", is_told(&last[type], marker, type));
	}
	clReleaseEvent(marker);
	clReleaseEvent(gate);
}

static void
of_errors(struct world *w)
{
	static struct told user, behind;
	cl_command_queue q = queue_apart(w);
	cl_event gate = clCreateUserEvent(w->context, &w->err), marker = NULL;

	must(w->err, "clCreateUserEvent");
	must(clEnqueueMarkerWithWaitList(q, 1, &gate, &marker),
	    "clEnqueueMarkerWithWaitList");
	must(clSetEventCallback(gate, CL_COMPLETE, notify, &user),
	    "clSetEventCallback");
	must(clSetEventCallback(marker, CL_COMPLETE, notify, &behind),
	    "clSetEventCallback");
	must(clSetUserEventStatus(gate, -9), "clSetUserEventStatus");
	IS(w, "an error is told", is_told(&user, gate, -9));
	IS(w, "and that of what waits for it", event_end(marker) < 0 &&
	    is_told(&behind, marker, event_end(marker)));
	clReleaseEvent(marker);
	clReleaseEvent(gate);
	clReleaseCommandQueue(q);
}

void
check_clSetEventCallback(struct world *w)
{
	codes(w, w->event);
	if (w->version < 12)
		return;
	of_command(w);
	of_errors(w);
}
