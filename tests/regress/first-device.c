/* SPDX-License-Identifier: ISC */
/*
 * first-device - takes the first device, as most programs do, says where its
 * kernel ran, and keeps its context until a file is there.
 *
 *	first-device [FILE [CONTEXTS [LAUNCHES MS]]]
 *
 * Prints a line for each context: the device's name, and its number if it is
 * one of tests/fakecl.  When the file is there it launches, one after the other,
 * kernels that sleep.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tests/regress/open.h"

#define MS 1000000L
#define CONTEXTS_MAX 16

static cl_device_id device;

static cl_kernel
kernel(cl_context c, const char *name)
{
	static const char *source = "kernel void where(global int *out) {}\n"
	    "kernel void sleep(ulong ns) {}\n";
	cl_program p = open_program(c, source);
	cl_kernel k = open_kernel(p, name);

	clReleaseProgram(p);
	return k;
}

static void
work(cl_context c, int launches, cl_ulong ns)
{
	cl_command_queue q = open_queue(c, device, 0);
	cl_kernel k = kernel(c, "sleep");
	const size_t one = 1;

	check("clSetKernelArg", clSetKernelArg(k, 0, sizeof(ns), &ns));
	while (launches-- > 0) {
		check("clEnqueueNDRangeKernel", clEnqueueNDRangeKernel(q, k, 1,
		    NULL, &one, NULL, 0, NULL, NULL));
		check("clFinish", clFinish(q));
	}
	clReleaseKernel(k);
	clReleaseCommandQueue(q);
}

static cl_int
where(cl_context c)
{
	cl_command_queue q = open_queue(c, device, 0);
	cl_kernel k = kernel(c, "where");
	const size_t one = 1;
	cl_int code, number = -1;
	cl_mem m;

	m = clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, sizeof(number), &number,
	    &code);
	check("clCreateBuffer", code);
	check("clSetKernelArg", clSetKernelArg(k, 0, sizeof(m), &m));
	check("clEnqueueNDRangeKernel", clEnqueueNDRangeKernel(q, k, 1, NULL,
	    &one, NULL, 0, NULL, NULL));
	check("clEnqueueReadBuffer", clEnqueueReadBuffer(q, m, CL_TRUE, 0,
	    sizeof(number), &number, 0, NULL, NULL));
	clReleaseMemObject(m);
	clReleaseKernel(k);
	clReleaseCommandQueue(q);
	return number;
}

int
main(int argc, char **argv)
{
	const struct timespec pause = { 0, 10 * MS };
	int n = argc > 2 ? atoi(argv[2]) : 1, i;
	cl_context context[CONTEXTS_MAX];
	char name[256];

	if (n < 1 || n > CONTEXTS_MAX)
		return 2;
	device = open_device();
	check("clGetDeviceInfo", clGetDeviceInfo(device, CL_DEVICE_NAME,
	    sizeof(name), name, NULL));
	for (i = 0; i < n; i++) {
		context[i] = open_context(device);
		printf("%s %d\n", name, where(context[i]));
	}
	fflush(stdout);
	while (argc > 1 && access(argv[1], F_OK) != 0)
		nanosleep(&pause, NULL);
	if (argc > 4)
		work(context[0], atoi(argv[3]), (cl_ulong)atoi(argv[4]) * MS);
	for (i = 0; i < n; i++)
		clReleaseContext(context[i]);
	return 0;
}
