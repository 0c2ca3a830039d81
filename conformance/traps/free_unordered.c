/* SPDX-License-Identifier: ISC */
/*
 * Where order is free, clEnqueueSVMFree waits for its wait list and for nothing
 * else: a program may free before it lets a command go that came earlier.
 */
#include "conformance/traps/traps.h"

static _Atomic int freed;

static void CL_CALLBACK
on_free(cl_command_queue q, cl_uint n, void **pointers, void *arg)
{
	cl_uint i;

	(void)arg;
	for (i = 0; i < n; i++)
		clSVMFree(context, pointers[i]);
	(void)q;
	freed++;
}

void
free_unordered(void)
{
	cl_device_svm_capabilities svm = 0;
	cl_event gate, held, done, e;
	cl_command_queue q;
	void *pointer;
	cl_kernel k;
	cl_mem m;

	open_device();
	if (clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(svm),
	    &svm, NULL) != CL_SUCCESS || svm == 0)
		return;
	q = queue_new(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	k = kernel_new(add_source, "add");
	m = buffer_new(64, NULL);
	done = add_launch(q, k, m, 1, 1, 0, NULL);
	must(clWaitForEvents(1, &done), "clWaitForEvents");
	gate = gate_new();
	held = add_launch(q, k, m, 1, 1, 1, &gate);
	pointer = clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
	must(clEnqueueSVMFree(q, 1, &pointer, on_free, NULL, 1, &done, &e),
	    "clEnqueueSVMFree");
	must(clFlush(q), "clFlush");
	say("it ends: %d", poll_end(e));
	say("freed: %d", reaches(&freed, 1));
	say("the other is held: %d", status_of(held) > CL_COMPLETE);
	gate_open(gate, CL_COMPLETE);
	say("finish: %d", clFinish(q));
}
