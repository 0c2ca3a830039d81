/* SPDX-License-Identifier: ISC */
/*
 * The child starts anew: what its parent had is invalid there, platform and
 * devices are not, and the parent goes on.
 */
#include <stdlib.h>

#include "conformance/traps/traps.h"

static int x[4] = { 1, 2, 3, 4 };
static cl_kernel kernel;
static cl_event event;
static cl_mem mem;

static void
say_old_handles(void)
{
	size_t n = 4;

	say("context: %d", clRetainContext(context));
	say("queue: %d", clFinish(queue));
	say("buffer: %d", clReleaseMemObject(mem));
	say("kernel: %d", clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n,
	    NULL, 0, NULL, NULL));
	say("argument: %d", clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	say("event: %d", clWaitForEvents(1, &event));
	say("read: %d", clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(x),
	    x, 0, NULL, NULL));
}

static void
child(void)
{
	cl_platform_id p = NULL;
	cl_device_id d = NULL;
	cl_uint n = 0;
	char name[256];

	say_old_handles();
	say("name: %d", clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name),
	    name, NULL));
	say("platforms: %d", clGetPlatformIDs(1, &p, &n));
	say("the same: %d", p == platform);
	say("devices: %d", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &d,
	    NULL));
	say("the same: %d", d == device);
	say_old_handles();
	say("child: %d", compute());
	exit(0);
}

/* Its first call makes a context of the device that it remembers. */
static void
second_child(void)
{
	cl_int code;

	context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
	say("remembered: %d", code);
	queue = queue_new(0);
	must(clFinish(queue), "clFinish");
	close_device();
	say("second child: %d", compute());
	exit(0);
}

void
fork_child(void)
{
	int pid;

	open_device();
	kernel = kernel_new(add_source, "add");
	mem = buffer_new(sizeof(x), x);
	event = add_launch(queue, kernel, mem, 10, 4, 0, NULL);
	must(clWaitForEvents(1, &event), "clWaitForEvents");
	if ((pid = fork_now()) == 0)
		child();
	say_end("child", pid);
	if ((pid = fork_now()) == 0)
		second_child();
	say_end("second child", pid);
	must(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(x), x, 0, NULL,
	    NULL), "clEnqueueReadBuffer");
	say("parent: %d %d", x[0], x[3]);
	say("again: %d", compute());
}
