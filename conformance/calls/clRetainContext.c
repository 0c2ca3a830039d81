/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static cl_uint
count(cl_context c)
{
	cl_uint n = 0;

	clGetContextInfo(c, CL_CONTEXT_REFERENCE_COUNT, sizeof(n), &n, NULL);
	return n;
}

void
check_clRetainContext(struct world *w)
{
	cl_int e;
	cl_context c = clCreateContext(NULL, 1, &w->device, NULL, NULL, &e);

	must(e, "clCreateContext");
	WANT_HANDLE(w, "context", cl_context, clRetainContext(h),
	    CL_INVALID_CONTEXT);
	IS(w, "a new context has one reference", count(c) == 1);
	WANT(w, "a context", clRetainContext(c), CL_SUCCESS);
	IS(w, "it has one reference more", count(c) == 2);
	clReleaseContext(c);
	IS(w, "and one less after its release", count(c) == 1);
	clReleaseContext(c);
}
