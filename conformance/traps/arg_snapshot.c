/* SPDX-License-Identifier: ISC */
/* A launch keeps the arguments of its moment, whatever is set or released. */
#include "conformance/traps/traps.h"

#define ROUNDS 50

void
arg_snapshot(void)
{
	int zero[4] = { 0 }, y[4], i;
	cl_kernel k, copy;
	cl_event gate, e;
	cl_mem a, b, gone;
	cl_int amount = 1000000, code;

	open_device();
	k = kernel_new(add_source, "add");
	a = buffer_new(sizeof(zero), zero);
	b = buffer_new(sizeof(zero), zero);
	gate = gate_new();
	for (i = 0; i < ROUNDS; i++) {
		e = add_launch(queue, k, i % 2 ? a : b, i, 4, 1, &gate);
		must(clReleaseEvent(e), "clReleaseEvent");
	}
	copy = clCloneKernel(k, &code);
	if (code == CL_SUCCESS)
		must(clReleaseKernel(copy), "clReleaseKernel");
	/* Set, but never launched; and set to what is gone then. */
	must(clSetKernelArg(k, 1, sizeof(amount), &amount), "clSetKernelArg");
	gone = buffer_new(sizeof(zero), zero);
	must(clSetKernelArg(k, 0, sizeof(gone), &gone), "clSetKernelArg");
	must(clReleaseMemObject(gone), "clReleaseMemObject");
	amount = 7;
	gate_open(gate, CL_COMPLETE);
	must(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, sizeof(y), y, 0, NULL,
	    NULL), "clEnqueueReadBuffer");
	say("odd: %d %d", y[0], y[3]);
	must(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof(y), y, 0, NULL,
	    NULL), "clEnqueueReadBuffer");
	say("even: %d %d", y[0], y[3]);
	must(clReleaseMemObject(a), "clReleaseMemObject");
	must(clReleaseMemObject(b), "clReleaseMemObject");
	must(clReleaseKernel(k), "clReleaseKernel");
	say("end: %d", clFinish(queue));
}
