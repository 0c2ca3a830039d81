/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

void
check_clReleaseMemObject(struct world *w)
{
	cl_mem o = clCreateBuffer(w->context, 0, 16, NULL, &w->err);

	must(w->err, "a new object");
	WANT_HANDLE(w, "memory object", cl_mem, clReleaseMemObject(h),
	    CL_INVALID_MEM_OBJECT);
	WANT(w, "a memory object with two references", clRetainMemObject(o),
	    CL_SUCCESS);
	WANT(w, "the first release", clReleaseMemObject(o), CL_SUCCESS);
	WANT(w, "the last release", clReleaseMemObject(o), CL_SUCCESS);
}
