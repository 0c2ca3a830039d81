/* SPDX-License-Identifier: ISC */
/*
 * side-by-side - devices of several vendors under one platform: prints the name of
 * each, whether it computes, and what a context over all of them gives.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/regress/check.h"

#define DEVICES_MAX 16

static volatile int told;

static void CL_CALLBACK
on_notify(const char *text, const void *info, size_t n, void *arg)
{
	(void)info;
	(void)n;
	(void)arg;
	printf("told: %s\n", text);
	told = 1;
}

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

int
main(void)
{
	cl_platform_id platform;
	cl_device_id device[DEVICES_MAX];
	cl_uint n, i;
	cl_int code;

	check("platform", clGetPlatformIDs(1, &platform, NULL));
	check("devices", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL,
	    DEVICES_MAX, device, &n));
	for (i = 0; i < n; i++)
		try_device(device[i]);
	clCreateContext(NULL, n, device, on_notify, NULL, &code);
	/* The callback comes from another thread. */
	for (i = 0; i < 1000 && !told; i++)
		usleep(1000);
	printf("all: %d\n", code);
	return 0;
}
