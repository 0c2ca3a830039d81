/* SPDX-License-Identifier: ISC */
#define CL_TARGET_OPENCL_VERSION 120
#include "tests/regress/open.h"

cl_device_id
open_device(void)
{
	cl_platform_id platform;
	cl_device_id device;

	check("platform", clGetPlatformIDs(1, &platform, NULL));
	check("device", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1,
	    &device, NULL));
	return device;
}

cl_context
open_context(cl_device_id device)
{
	cl_int code;
	cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL,
	    &code);

	check("context", code);
	return context;
}

cl_command_queue
open_queue(cl_context context, cl_device_id device,
    cl_command_queue_properties properties)
{
	cl_int code;
	cl_command_queue queue = clCreateCommandQueue(context, device,
	    properties, &code);

	check("queue", code);
	return queue;
}

cl_mem
open_buffer(cl_context context, size_t size)
{
	cl_int code;
	cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL,
	    &code);

	check("buffer", code);
	return buffer;
}

cl_program
open_program(cl_context context, const char *source)
{
	cl_int code;
	cl_program program = clCreateProgramWithSource(context, 1, &source,
	    NULL, &code);

	check("program", code);
	check("build", clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
	return program;
}

cl_kernel
open_kernel(cl_program program, const char *name)
{
	cl_int code;
	cl_kernel kernel = clCreateKernel(program, name, &code);

	check("kernel", code);
	return kernel;
}
