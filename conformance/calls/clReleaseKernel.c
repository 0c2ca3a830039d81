/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

void
check_clReleaseKernel(struct world *w)
{
	const cl_int one = 1;
	cl_kernel k = world_kernel_of(w, world_program(w), "add");

	WANT_HANDLE(w, "kernel", cl_kernel, clReleaseKernel(h),
	    CL_INVALID_KERNEL);
	must(clSetKernelArg(k, 0, sizeof(w->buffer), &w->buffer), "arg 0");
	must(clSetKernelArg(k, 1, sizeof(one), &one), "arg 1");
	must(clSetKernelArg(k, 2, 16, NULL), "arg 2");
	must(clEnqueueTask(w->queue, k, 1, &w->event, NULL), "clEnqueueTask");
	WANT(w, "a kernel that has still to run", clReleaseKernel(k),
	    CL_SUCCESS);
	must(clSetUserEventStatus(w->event, CL_COMPLETE),
	    "clSetUserEventStatus");
	WANT(w, "it runs", clFinish(w->queue), CL_SUCCESS);
}
