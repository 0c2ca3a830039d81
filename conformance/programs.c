/* SPDX-License-Identifier: ISC */
#include "conformance/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cl_device_id device;
cl_context context;
cl_command_queue queue;

void
must(cl_int code, const char *what)
{
	if (code == CL_SUCCESS)
		return;
	fprintf(stderr, "programs: %s: OpenCL error %d\n", what, code);
	exit(1);
}

cl_program
program_of(const char *source)
{
	cl_int e;
	cl_program p = clCreateProgramWithSource(context, 1, &source, NULL,
	    &e);

	must(e, "clCreateProgramWithSource");
	return p;
}

cl_program
build_of(const char *source, const char *options)
{
	cl_program p = program_of(source);

	must(clBuildProgram(p, 1, &device, options, NULL, NULL),
	    "clBuildProgram");
	return p;
}

cl_kernel
kernel_of(cl_program p, const char *name)
{
	cl_int e;
	cl_kernel k = clCreateKernel(p, name, &e);

	must(e, "clCreateKernel");
	return k;
}

static void
show_text(const char *what, cl_program p, cl_program_info param)
{
	char text[4096] = "";
	size_t n = 0;
	cl_int e = clGetProgramInfo(p, param, sizeof(text), text, &n);

	printf("  %s: %d, %zu bytes, \"%s\"\n", what, e, n,
	    e == CL_SUCCESS ? text : "");
}

void
show_program(const char *what, cl_program p)
{
	cl_build_status status = 0;
	cl_program_binary_type type = 0;
	char options[256] = "";
	size_t kernels = 0;
	cl_int e;

	printf("%s\n", what);
	must(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_STATUS,
	    sizeof(status), &status, NULL), "CL_PROGRAM_BUILD_STATUS");
	must(clGetProgramBuildInfo(p, device, CL_PROGRAM_BINARY_TYPE,
	    sizeof(type), &type, NULL), "CL_PROGRAM_BINARY_TYPE");
	must(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_OPTIONS,
	    sizeof(options), options, NULL), "CL_PROGRAM_BUILD_OPTIONS");
	printf("  status %d, type %u, options \"%s\"\n", status, type,
	    options);
	show_text("source", p, CL_PROGRAM_SOURCE);
	if (type != CL_PROGRAM_BINARY_TYPE_EXECUTABLE ||
	    status != CL_BUILD_SUCCESS)
		return;
	e = clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, sizeof(kernels),
	    &kernels, NULL);
	printf("  kernels: %d, %zu\n", e, kernels);
	show_text("names", p, CL_PROGRAM_KERNEL_NAMES);
}

void
show_int(const char *what, cl_kernel k)
{
	const size_t one = 1;
	cl_int e, v = -1;
	cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(v), NULL,
	    &e);

	must(e, "clCreateBuffer");
	must(clSetKernelArg(k, 0, sizeof(b), &b), "clSetKernelArg");
	must(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL,
	    NULL), "clEnqueueNDRangeKernel");
	must(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof(v), &v, 0, NULL,
	    NULL), "clEnqueueReadBuffer");
	clReleaseMemObject(b);
	printf("%s: %d\n", what, v);
}

static void
open_device(void)
{
	cl_platform_id platform;
	cl_int e;

	must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
	    "clGetDeviceIDs");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
	must(e, "clCreateContext");
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &e);
	must(e, "clCreateCommandQueueWithProperties");
}

int
main(int argc, char **argv)
{
	open_device();
	programs_build();
	programs_parts();
	programs_link();
	programs_binaries();
	programs_kernels();
	programs_arguments();
	if (argc > 1)
		programs_includes(argv[1]);
	return 0;
}
