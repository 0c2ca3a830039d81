/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static cl_uint
count(cl_kernel k)
{
	cl_uint n = 0;

	clGetKernelInfo(k, CL_KERNEL_REFERENCE_COUNT, sizeof(n), &n, NULL);
	return n;
}

void
check_clRetainKernel(struct world *w)
{
	cl_kernel k = world_kernel_of(w, world_program(w), "add");

	WANT_HANDLE(w, "kernel", cl_kernel, clRetainKernel(h),
	    CL_INVALID_KERNEL);
	IS(w, "a new kernel has one reference", count(k) == 1);
	WANT(w, "a kernel", clRetainKernel(k), CL_SUCCESS);
	IS(w, "it has one reference more", count(k) == 2);
	clReleaseKernel(k);
	IS(w, "and one less after its release", count(k) == 1);
	clReleaseKernel(k);
}
