/* SPDX-License-Identifier: ISC */
#include "bench/world.h"

#include <string.h>

#include "bench/reply.h"

static const char source[] =
    "__kernel void null(void) { }\n"
    "__kernel void add(__global int *a, int v) { a[0] += v; }\n"
    "__kernel void spin(__global uint *a, uint n)\n"
    "{\n"
    "	uint i, x = a[0];\n"
    "\n"
    "	for (i = 0; i < n; i++)\n"
    "		x = x * 1664525u + (x >> 3);\n"
    "	a[0] = x;\n"
    "}\n"
    "__kernel void stir(__global uint *a, uint v)\n"
    "{\n"
    "	uint i = get_global_id(0);\n"
    "\n"
    "	a[i] = (i + v) * 2654435761u;\n"
    "}\n";

void
world_check(cl_int code, const char *call)
{
	if (code != CL_SUCCESS)
		reply_fail("%.*s: %d", (int)strcspn(call, "("), call, code);
}

cl_program
world_build(const struct world *w, const char *text)
{
	cl_program program;
	cl_int code;

	program = clCreateProgramWithSource(w->context, 1, &text, NULL, &code);
	world_check(code, "clCreateProgramWithSource");
	CK(clBuildProgram(program, 1, &w->device, "", NULL, NULL));
	return program;
}

cl_kernel
world_kernel(cl_program program, const char *name)
{
	cl_kernel kernel;
	cl_int code;

	kernel = clCreateKernel(program, name, &code);
	world_check(code, "clCreateKernel");
	return kernel;
}

static cl_command_queue
make_queue(const struct world *w)
{
	cl_command_queue queue;
	cl_int code;

	queue = clCreateCommandQueueWithProperties(w->context, w->device, NULL,
	    &code);
	/* the only call that OpenCL 1.2 lacks, and peers may be that old */
	if (code == CL_INVALID_OPERATION || code == CL_INVALID_DEVICE) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
		queue = clCreateCommandQueue(w->context, w->device, 0, &code);
#pragma GCC diagnostic pop
	}
	world_check(code, "clCreateCommandQueue");
	return queue;
}

void
world_init_in(struct world *w, cl_platform_id platform, cl_device_id device,
    cl_context context)
{
	w->platform = platform;
	w->device = device;
	w->context = context;
	CK(clRetainContext(context));
	w->queue = make_queue(w);
	w->other = make_queue(w);
	w->program = world_build(w, source);
	w->null = world_kernel(w->program, "null");
	w->add = world_kernel(w->program, "add");
	w->spin = world_kernel(w->program, "spin");
	w->stir = world_kernel(w->program, "stir");
}

void
world_init(struct world *w)
{
	cl_platform_id platform;
	cl_device_id device;
	cl_context context;
	cl_int code;

	CK(clGetPlatformIDs(1, &platform, NULL));
	CK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
	world_check(code, "clCreateContext");
	world_init_in(w, platform, device, context);
	clReleaseContext(context);
}

void
world_fini(struct world *w)
{
	clReleaseKernel(w->null);
	clReleaseKernel(w->add);
	clReleaseKernel(w->spin);
	clReleaseKernel(w->stir);
	clReleaseProgram(w->program);
	clReleaseCommandQueue(w->queue);
	clReleaseCommandQueue(w->other);
	clReleaseContext(w->context);
}

void
world_launch(cl_command_queue queue, cl_kernel kernel, cl_uint waits,
    const cl_event *wait, cl_event *event)
{
	const size_t one = 1;

	CK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, waits,
	    wait, event));
}

cl_mem
world_buffer(const struct world *w, size_t size)
{
	cl_mem mem;
	cl_int code;

	mem = clCreateBuffer(w->context, CL_MEM_READ_WRITE, size, NULL, &code);
	world_check(code, "clCreateBuffer");
	return mem;
}

void
world_warm(const struct world *w, unsigned n)
{
	while (n-- > 0) {
		world_launch(w->queue, w->null, 0, NULL, NULL);
		CK(clFinish(w->queue));
	}
}
