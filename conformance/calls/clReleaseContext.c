/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

void
check_clReleaseContext(struct world *w)
{
	cl_int e;
	cl_context c = clCreateContext(NULL, 1, &w->device, NULL, NULL, &e);

	must(e, "clCreateContext");
	WANT_HANDLE(w, "context", cl_context, clReleaseContext(h),
	    CL_INVALID_CONTEXT);
	WANT(w, "a context", clReleaseContext(c), CL_SUCCESS);
}
