/* SPDX-License-Identifier: ISC */
/*
 * A kernel does not keep its arguments (OpenCL 3.0, 5.9.2): what is released is
 * gone, and a launch that would use it fails.
 */
#include "conformance/traps/traps.h"

static _Atomic int gone;

static void CL_CALLBACK
note(cl_mem m, void *arg)
{
	(void)m;
	(void)arg;
	gone++;
}

static cl_int
launch(cl_kernel k)
{
	const size_t n = 4;

	return clEnqueueNDRangeKernel(queue, k, 1, NULL, &n, NULL, 0, NULL,
	    NULL);
}

void
arg_released(void)
{
	int x[4] = { 1, 2, 3, 4 }, one = 1;
	cl_kernel k, clone;
	cl_mem m, other;
	cl_int code;

	open_device();
	k = kernel_new(add_source, "add");
	m = buffer_new(sizeof(x), x);
	other = buffer_new(sizeof(x), x);
	must(clSetMemObjectDestructorCallback(m, note, NULL),
	    "clSetMemObjectDestructorCallback");
	must(clSetKernelArg(k, 0, sizeof(m), &m), "clSetKernelArg");
	must(clSetKernelArg(k, 1, sizeof(one), &one), "clSetKernelArg");
	must(launch(k), "clEnqueueNDRangeKernel");
	must(clReleaseMemObject(m), "clReleaseMemObject");
	must(clFinish(queue), "clFinish");
	say("gone: %d", reaches(&gone, 1));
	say("launch without it: %d", launch(k));
	clone = clCloneKernel(k, &code);
	must(code, "clCloneKernel");
	say("launch of a clone: %d", launch(clone));
	must(clSetKernelArg(k, 0, sizeof(m), &other), "clSetKernelArg");
	say("launch with another: %d", launch(k));
	must(clEnqueueReadBuffer(queue, other, CL_TRUE, 0, sizeof(x), x, 0,
	    NULL, NULL), "clEnqueueReadBuffer");
	say("read: %d %d", x[0], x[3]);
}
