/* SPDX-License-Identifier: ISC */
/*
 * side-by-side - devices of several vendors under one platform: prints the name of
 * each, whether it computes, and whether one context over all of them does.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/regress/check.h"

#define DEVICES_MAX 16

static void
try_device(cl_device_id device)
{
	char name[256];
	cl_int code, got = 0, pattern = 17;
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL,
	    &code);
	cl_command_queue queue;
	cl_mem mem;

	check("context", code);
	check("name", clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name),
	    name, NULL));
	queue = clCreateCommandQueue(context, device, 0, &code);
	check("queue", code);
	mem = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, &code);
	check("buffer", code);
	check("fill", clEnqueueFillBuffer(queue, mem, &pattern,
	    sizeof(pattern), 0, 64, 0, NULL, NULL));
	check("read", clEnqueueReadBuffer(queue, mem, CL_TRUE, 60, sizeof(got),
	    &got, 0, NULL, NULL));
	printf("device %s: %d\n", name, got);
}

/* What the first one fills each other one reads, though it knows no event. */
static void
try_all(const cl_device_id *device, cl_uint n)
{
	cl_int code, got = 0, pattern = 18;
	cl_context context = clCreateContext(NULL, n, device, NULL, NULL,
	    &code);
	cl_command_queue first, queue;
	cl_event filled;
	cl_mem mem;
	cl_uint i;

	check("one context", code);
	first = clCreateCommandQueue(context, device[0], 0, &code);
	check("queue", code);
	mem = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, &code);
	check("buffer", code);
	check("fill", clEnqueueFillBuffer(first, mem, &pattern,
	    sizeof(pattern), 0, 64, 0, NULL, &filled));
	for (i = 1; i < n; i++) {
		queue = clCreateCommandQueue(context, device[i], 0, &code);
		check("queue", code);
		check("read", clEnqueueReadBuffer(queue, mem, CL_TRUE, 60,
		    sizeof(got), &got, 1, &filled, NULL));
		printf("all: %d\n", got);
		got = 0;
	}
}

int
main(void)
{
	cl_platform_id platform;
	cl_device_id device[DEVICES_MAX];
	cl_uint n, i;

	check("platform", clGetPlatformIDs(1, &platform, NULL));
	check("devices", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL,
	    DEVICES_MAX, device, &n));
	for (i = 0; i < n; i++)
		try_device(device[i]);
	try_all(device, n);
	return 0;
}
