/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

void
check_clReleaseEvent(struct world *w)
{
	cl_event o = clCreateUserEvent(w->context, &w->err);

	must(w->err, "a new object");
	WANT_HANDLE(w, "event", cl_event, clReleaseEvent(h), CL_INVALID_EVENT);
	WANT(w, "a event with two references", clRetainEvent(o), CL_SUCCESS);
	WANT(w, "the first release", clReleaseEvent(o), CL_SUCCESS);
	WANT(w, "the last release", clReleaseEvent(o), CL_SUCCESS);
}
