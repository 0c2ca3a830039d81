/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static cl_uint
count(cl_mem o)
{
	cl_uint n = 0;

	clGetMemObjectInfo(o, CL_MEM_REFERENCE_COUNT, sizeof(n), &n, NULL);
	return n;
}

static cl_mem
make(struct world *w)
{
	cl_mem o = clCreateBuffer(w->context, 0, 16, NULL, &w->err);

	must(w->err, "a new object");
	return o;
}

void
check_clRetainMemObject(struct world *w)
{
	cl_mem o = make(w);

	WANT_HANDLE(w, "memory object", cl_mem, clRetainMemObject(h),
	    CL_INVALID_MEM_OBJECT);
	IS(w, "a new memory object has one reference", count(o) == 1);
	WANT(w, "a memory object", clRetainMemObject(o), CL_SUCCESS);
	IS(w, "it has one reference more", count(o) == 2);
	clReleaseMemObject(o);
	IS(w, "and one less after its release", count(o) == 1);
	clReleaseMemObject(o);
}
