/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

void
check_clCreateKernel(struct world *w)
{
	cl_program p = world_program(w);
	cl_program unbuilt = world_source(w, w->context, "kernel void add(){}");
	cl_program broken = world_source(w, w->context,
	    "kernel void add(global int *a) { b; }\n");
	cl_kernel k = NULL;

	must(clBuildProgram(broken, 0, NULL, "", NULL, NULL) == CL_SUCCESS ?
	    CL_INVALID_VALUE : CL_SUCCESS, "a build that fails");
	WANT_HANDLE_NEW(w, "program", cl_program, clCreateKernel(h, "add",
	    &w->err), CL_INVALID_PROGRAM);
	WANT_NEW(w, "program that was not built", clCreateKernel(unbuilt,
	    "add", &w->err), CL_INVALID_PROGRAM_EXECUTABLE);
	WANT_NEW(w, "program whose build failed", clCreateKernel(broken,
	    "add", &w->err), CL_INVALID_PROGRAM_EXECUTABLE);
	WANT_NEW(w, "no such kernel", clCreateKernel(p, "subtract", &w->err),
	    CL_INVALID_KERNEL_NAME);
	WANT_NEW(w, "part of a name", clCreateKernel(p, "ad", &w->err),
	    CL_INVALID_KERNEL_NAME);
	WANT_NEW(w, "an empty name", clCreateKernel(p, "", &w->err),
	    CL_INVALID_KERNEL_NAME);
	WANT_NEW(w, "no name", clCreateKernel(p, NULL, &w->err),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "a kernel", k = clCreateKernel(p, "add", &w->err),
	    CL_SUCCESS);
	if (k != NULL)
		clReleaseKernel(k);
	IS(w, "without errcode_ret, failing", clCreateKernel(p, "none",
	    NULL) == NULL);
	clReleaseProgram(unbuilt);
	clReleaseProgram(broken);
}
