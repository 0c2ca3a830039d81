/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static struct {
	atomic_int calls;
	int order[2];
	cl_context context;
} seen;

static void CL_CALLBACK
first(cl_context c, void *data)
{
	seen.context = c;
	seen.order[0] = atomic_fetch_add((atomic_int *)data, 1);
}

static void CL_CALLBACK
second(cl_context c, void *data)
{
	seen.context = c;
	seen.order[1] = atomic_fetch_add((atomic_int *)data, 1);
}

void
check_clSetContextDestructorCallback(struct world *w)
{
	cl_context c;
	cl_int e;

	if (older(w, 30))
		return;
	WANT_HANDLE(w, "context", cl_context, clSetContextDestructorCallback(
	    h, first, &seen.calls), CL_INVALID_CONTEXT);
	WANT(w, "no function", clSetContextDestructorCallback(w->context,
	    NULL, &seen.calls), CL_INVALID_VALUE);
	c = clCreateContext(NULL, 1, &w->device, NULL, NULL, &e);
	must(e, "clCreateContext");
	WANT(w, "a function", clSetContextDestructorCallback(c, first,
	    &seen.calls), CL_SUCCESS);
	WANT(w, "a second function", clSetContextDestructorCallback(c, second,
	    &seen.calls), CL_SUCCESS);
	IS(w, "none is called before the release",
	    atomic_load(&seen.calls) == 0);
	clReleaseContext(c);
	IS(w, "both are called", soon(&seen.calls, 2));
	IS(w, "the last one first", seen.order[1] == 0 && seen.order[0] == 1);
	IS(w, "with the context", seen.context == c);
}
