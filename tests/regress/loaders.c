/* SPDX-License-Identifier: ISC */
/*
 * loaders - handles of one OpenCL loader used through another one that has
 * never looked for platforms, as in programs whose libraries carry loaders of
 * their own.
 *
 *	loaders FILE		FILE: a copy of libOpenCL.so.1
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/regress/check.h"

static void *other;

static void *
of_other(const char *name)
{
	void *f = dlsym(other, name);

	if (f == NULL) {
		printf("the other loader has no %s\n", name);
		exit(1);
	}
	return f;
}

/* Each object begins with the table, which has no empty entry. */
static void
look_at_table(cl_platform_id platform)
{
	const struct _cl_icd_dispatch *table =
	    *(struct _cl_icd_dispatch **)platform;
	void *const *entry = (void *const *)table;
	size_t i, n = sizeof(*table) / sizeof(*entry);

	for (i = 0; i < n; i++)
		if (entry[i] == NULL) {
			printf("entry %zu of the dispatch table is empty\n",
			    i);
			exit(1);
		}
	check("absent", table->clRetainDeviceEXT == NULL);
	printf("table of %zu entries\n", n > 140 ? (size_t)140 : n);
}

static void
use_other(cl_context context, cl_device_id device)
{
	cl_api_clCreateCommandQueue create = of_other("clCreateCommandQueue");
	cl_api_clCreateBuffer buffer = of_other("clCreateBuffer");
	cl_api_clEnqueueFillBuffer fill = of_other("clEnqueueFillBuffer");
	cl_api_clEnqueueReadBuffer read = of_other("clEnqueueReadBuffer");
	cl_api_clGetDeviceInfo info = of_other("clGetDeviceInfo");
	cl_uint units, pattern = 4711, got = 0;
	cl_command_queue queue;
	cl_mem mem;
	cl_int code;

	check("info", info(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(units),
	    &units, NULL));
	queue = create(context, device, 0, &code);
	check("queue", code);
	mem = buffer(context, CL_MEM_READ_WRITE, 64, NULL, &code);
	check("buffer", code);
	check("fill", fill(queue, mem, &pattern, sizeof(pattern), 0, 64, 0,
	    NULL, NULL));
	check("read", read(queue, mem, CL_TRUE, 32, sizeof(got), &got, 0, NULL,
	    NULL));
	printf("read %u\n", got);
	check("release", clReleaseMemObject(mem));
	check("release", clReleaseCommandQueue(queue));
}

int
main(int argc, char **argv)
{
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_int code;

	if (argc != 2 || (other = dlopen(argv[1], RTLD_NOW)) == NULL)
		return 2;
	check("platform", clGetPlatformIDs(1, &platform, NULL));
	look_at_table(platform);
	check("device", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1,
	    &device, NULL));
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
	check("context", code);
	use_other(context, device);
	check("release", clReleaseContext(context));
	return 0;
}
