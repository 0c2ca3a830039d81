/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

void
check_clReleaseProgram(struct world *w)
{
	cl_program p = world_build(w, "kernel void f(void) {}\n", "");
	cl_kernel k = world_kernel_of(w, p, "f");
	cl_program got = NULL;

	WANT_HANDLE(w, "program", cl_program, clReleaseProgram(h),
	    CL_INVALID_PROGRAM);
	WANT(w, "a program with a kernel", clReleaseProgram(p), CL_SUCCESS);
	WANT(w, "the kernel keeps its program", clGetKernelInfo(k,
	    CL_KERNEL_PROGRAM, sizeof(got), &got, NULL), CL_SUCCESS);
	IS(w, "it is that program", got == p);
	WANT(w, "the kernel can run", clEnqueueTask(w->queue, k, 0, NULL,
	    NULL), CL_SUCCESS);
	must(clFinish(w->queue), "clFinish");
	clReleaseKernel(k);
}
