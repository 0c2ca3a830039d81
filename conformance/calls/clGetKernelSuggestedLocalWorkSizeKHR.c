/* SPDX-License-Identifier: ISC */
#include <CL/cl_ext.h>

#include "conformance/calls/calls.h"

static clGetKernelSuggestedLocalWorkSizeKHR_fn call;

static void
sizes(struct world *w, cl_kernel k)
{
	const size_t n[4] = { 64, 1, 1, 1 }, none[3] = { 64, 0, 1 };
	size_t out[4] = { 77, 77, 77, 77 };

	WANT(w, "no dimension", call(w->queue, k, 0, NULL, n, out),
	    CL_INVALID_WORK_DIMENSION);
	WANT(w, "four dimensions", call(w->queue, k, 4, NULL, n, out),
	    CL_INVALID_WORK_DIMENSION);
	WANT(w, "sizes nowhere", call(w->queue, k, 1, NULL, NULL, out),
	    CL_INVALID_GLOBAL_WORK_SIZE);
	WANT(w, "a size of nothing", call(w->queue, k, 2, NULL, none, out),
	    CL_INVALID_GLOBAL_WORK_SIZE);
	WANT(w, "no place for it", call(w->queue, k, 1, NULL, n, NULL),
	    CL_INVALID_VALUE);
	IS(w, "nothing was written", out[0] == 77);
	WANT(w, "two dimensions", call(w->queue, k, 2, NULL, n, out),
	    CL_SUCCESS);
	IS(w, "they are two sizes", out[0] != 77 && out[0] > 0 &&
	    out[1] == 1 && out[2] == 77);
}

void
check_clGetKernelSuggestedLocalWorkSizeKHR(struct world *w)
{
	const size_t n = 64;
	const cl_int one = 1;
	size_t out;
	cl_kernel k;

	call = (clGetKernelSuggestedLocalWorkSizeKHR_fn)extension(w,
	    "cl_khr_suggested_local_work_size",
	    "clGetKernelSuggestedLocalWorkSizeKHR");
	if (call == NULL)
		return;
	k = world_kernel_of(w, world_program(w), "add");
	WANT_HANDLE(w, "queue", cl_command_queue, call(h, k, 1, NULL, &n,
	    &out), CL_INVALID_COMMAND_QUEUE);
	WANT_HANDLE(w, "kernel", cl_kernel, call(w->queue, h, 1, NULL, &n,
	    &out), CL_INVALID_KERNEL);
	WANT(w, "queue of another context", call(w->other_queue, k, 1, NULL,
	    &n, &out), CL_INVALID_CONTEXT);
	WANT(w, "arguments that are not set", call(w->queue, k, 1, NULL, &n,
	    &out), CL_INVALID_KERNEL_ARGS);
	must(clSetKernelArg(k, 0, sizeof(w->buffer), &w->buffer), "arg 0");
	must(clSetKernelArg(k, 1, sizeof(one), &one), "arg 1");
	must(clSetKernelArg(k, 2, 16, NULL), "arg 2");
	sizes(w, k);
	clReleaseKernel(k);
}
