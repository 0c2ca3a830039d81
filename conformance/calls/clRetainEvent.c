/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static cl_uint
count(cl_event o)
{
	cl_uint n = 0;

	clGetEventInfo(o, CL_EVENT_REFERENCE_COUNT, sizeof(n), &n, NULL);
	return n;
}

static cl_event
make(struct world *w)
{
	cl_event o = clCreateUserEvent(w->context, &w->err);

	must(w->err, "a new object");
	return o;
}

void
check_clRetainEvent(struct world *w)
{
	cl_event o = make(w);

	WANT_HANDLE(w, "event", cl_event, clRetainEvent(h), CL_INVALID_EVENT);
	IS(w, "a new event has one reference", count(o) == 1);
	WANT(w, "a event", clRetainEvent(o), CL_SUCCESS);
	IS(w, "it has one reference more", count(o) == 2);
	clReleaseEvent(o);
	IS(w, "and one less after its release", count(o) == 1);
	clReleaseEvent(o);
}
