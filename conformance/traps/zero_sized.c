/* SPDX-License-Identifier: ISC */
/*
 * Launches over nothing run nothing, and end after what they wait for; the
 * rest of what may be empty.
 */
#include "conformance/traps/traps.h"

static void
launch(const char *what, cl_kernel k, cl_uint dims, const size_t *size)
{
	cl_event gate = gate_new(), e = NULL;
	cl_int code;

	code = clEnqueueNDRangeKernel(queue, k, dims, NULL, size, NULL, 1,
	    &gate, &e);
	say("%s: %d", what, code);
	if (code == CL_SUCCESS)
		say("%s waits: %d", what, status_of(e) > CL_RUNNING);
	gate_open(gate, CL_COMPLETE);
	must(clFinish(queue), "clFinish");
	if (code != CL_SUCCESS)
		return;
	say("%s ends: %d", what, status_of(e));
	must(clReleaseEvent(e), "clReleaseEvent");
}

void
zero_sized(void)
{
	const size_t none[3] = { 0, 0, 0 }, some[3] = { 4, 0, 2 };
	int x[4] = { 1, 2, 3, 4 };
	cl_int amount = 1;
	cl_kernel k;
	cl_mem m;

	open_device();
	k = kernel_new(add_source, "add");
	m = buffer_new(sizeof(x), x);
	must(clSetKernelArg(k, 0, sizeof(m), &m), "clSetKernelArg");
	must(clSetKernelArg(k, 1, sizeof(amount), &amount), "clSetKernelArg");
	launch("one dimension", k, 1, none);
	launch("three", k, 3, none);
	launch("one of three", k, 3, some);
	must(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof(x), x, 0, NULL,
	    NULL), "clEnqueueReadBuffer");
	say("untouched: %d %d", x[0], x[3]);
	say("marker: %d", clEnqueueMarkerWithWaitList(queue, 0, NULL, NULL));
	say("barrier: %d", clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
	say("finish: %d", clFinish(queue));
	say("finish of an empty queue: %d", clFinish(queue));
	say("flush: %d", clFlush(queue));
}
