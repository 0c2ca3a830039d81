/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static cl_uint
count(cl_program p)
{
	cl_uint n = 0;

	clGetProgramInfo(p, CL_PROGRAM_REFERENCE_COUNT, sizeof(n), &n, NULL);
	return n;
}

void
check_clRetainProgram(struct world *w)
{
	cl_program p = world_source(w, w->context, "");

	WANT_HANDLE(w, "program", cl_program, clRetainProgram(h),
	    CL_INVALID_PROGRAM);
	IS(w, "a new program has one reference", count(p) == 1);
	WANT(w, "a program", clRetainProgram(p), CL_SUCCESS);
	IS(w, "it has one reference more", count(p) == 2);
	clReleaseProgram(p);
	IS(w, "and one less after its release", count(p) == 1);
	clReleaseProgram(p);
}
