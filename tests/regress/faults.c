/* SPDX-License-Identifier: ISC */
/*
 * faults - uses a bit of everything, four times, with a vendor of whose calls
 * one fails once: prints the codes, and fails if there is one
 * in the last of them.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <stdio.h>
#include <string.h>

#define SIZE 4096u
#define TIMES 4

static cl_device_id device;
static unsigned failures;

/* A code that a call returned; true: it went well. */
static int
note(const char *what, cl_int code)
{
	if (code == CL_SUCCESS)
		return 1;
	printf("%s %d\n", what, code);
	failures++;
	return 0;
}

static void
transfers(cl_command_queue q, cl_mem a, cl_mem b)
{
	static const size_t origin[3], region[3] = { 16, 4, 1 };
	static char bytes[SIZE];
	const int pattern = 7;
	cl_int code;
	void *p;

	note("clEnqueueWriteBuffer", clEnqueueWriteBuffer(q, a, CL_FALSE, 0,
	    SIZE, bytes, 0, NULL, NULL));
	note("clEnqueueCopyBuffer", clEnqueueCopyBuffer(q, a, b, 0, 0, SIZE,
	    0, NULL, NULL));
	note("clEnqueueFillBuffer", clEnqueueFillBuffer(q, b, &pattern,
	    sizeof(pattern), 0, SIZE, 0, NULL, NULL));
	note("clEnqueueWriteBufferRect", clEnqueueWriteBufferRect(q, a,
	    CL_FALSE, origin, origin, region, 32, 0, 16, 0, bytes, 0, NULL,
	    NULL));
	note("clEnqueueCopyBufferRect", clEnqueueCopyBufferRect(q, a, b,
	    origin, origin, region, 32, 0, 32, 0, 0, NULL, NULL));
	note("clEnqueueReadBufferRect", clEnqueueReadBufferRect(q, b, CL_TRUE,
	    origin, origin, region, 32, 0, 16, 0, bytes, 0, NULL, NULL));
	p = clEnqueueMapBuffer(q, b, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
	    SIZE, 0, NULL, NULL, &code);
	if (note("clEnqueueMapBuffer", code)) {
		memset(p, 1, SIZE);
		note("clEnqueueUnmapMemObject", clEnqueueUnmapMemObject(q, b,
		    p, 0, NULL, NULL));
	}
	note("clEnqueueMigrateMemObjects", clEnqueueMigrateMemObjects(q, 1,
	    &b, 0, 0, NULL, NULL));
	note("clEnqueueReadBuffer", clEnqueueReadBuffer(q, b, CL_TRUE, 0,
	    SIZE, bytes, 0, NULL, NULL));
}

static void
launch(cl_context c, cl_command_queue q, cl_mem a)
{
	static const char *source = "kernel void fill(global int *out, "
	    "int value) {}";
	const size_t items = 16;
	const int value = 3;
	cl_program p;
	cl_kernel k;
	cl_event e;
	cl_ulong t;
	cl_int code;

	p = clCreateProgramWithSource(c, 1, &source, NULL, &code);
	if (!note("clCreateProgramWithSource", code))
		return;
	note("clBuildProgram", clBuildProgram(p, 0, NULL, "", NULL, NULL));
	k = clCreateKernel(p, "fill", &code);
	if (note("clCreateKernel", code)) {
		note("clSetKernelArg", clSetKernelArg(k, 0, sizeof(a), &a));
		note("clSetKernelArg", clSetKernelArg(k, 1, sizeof(value),
		    &value));
		if (note("clEnqueueNDRangeKernel", clEnqueueNDRangeKernel(q,
		    k, 1, NULL, &items, NULL, 0, NULL, &e))) {
			if (note("clWaitForEvents", clWaitForEvents(1, &e)))
				note("clGetEventProfilingInfo",
				    clGetEventProfilingInfo(e,
				    CL_PROFILING_COMMAND_END, sizeof(t), &t,
				    NULL));
			clReleaseEvent(e);
		}
		clReleaseKernel(k);
	}
	clReleaseProgram(p);
}

static void
wait_lists(cl_context c, cl_command_queue q)
{
	cl_event gate, e;
	cl_int code;

	gate = clCreateUserEvent(c, &code);
	if (!note("clCreateUserEvent", code))
		return;
	if (note("clEnqueueMarkerWithWaitList", clEnqueueMarkerWithWaitList(q,
	    1, &gate, &e))) {
		note("clEnqueueBarrierWithWaitList",
		    clEnqueueBarrierWithWaitList(q, 0, NULL, NULL));
		note("clFlush", clFlush(q));
		note("clSetUserEventStatus", clSetUserEventStatus(gate,
		    CL_COMPLETE));
		note("clWaitForEvents", clWaitForEvents(1, &e));
		clReleaseEvent(e);
	}
	clReleaseEvent(gate);
}

static void
everything(void)
{
	const cl_buffer_region half = { 0, SIZE / 2 };
	cl_command_queue q;
	cl_mem a, b, part;
	cl_context c;
	cl_int code;

	c = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
	if (!note("clCreateContext", code))
		return;
	q = clCreateCommandQueue(c, device, CL_QUEUE_PROFILING_ENABLE, &code);
	if (note("clCreateCommandQueue", code)) {
		a = clCreateBuffer(c, 0, SIZE, NULL, &code);
		note("clCreateBuffer", code);
		b = clCreateBuffer(c, 0, SIZE, NULL, &code);
		note("clCreateBuffer", code);
		part = clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION,
		    &half, &code);
		if (note("clCreateSubBuffer", code))
			clReleaseMemObject(part);
		transfers(q, a, b);
		launch(c, q, a);
		wait_lists(c, q);
		note("clFinish", clFinish(q));
		clReleaseMemObject(a);
		clReleaseMemObject(b);
		clReleaseCommandQueue(q);
	}
	clReleaseContext(c);
}

int
main(void)
{
	cl_platform_id platform;
	int i;

	if (!note("clGetPlatformIDs", clGetPlatformIDs(1, &platform, NULL)) ||
	    !note("clGetDeviceIDs", clGetDeviceIDs(platform,
	    CL_DEVICE_TYPE_ALL, 1, &device, NULL)))
		return 2;
	for (i = 0; i < TIMES; i++) {
		failures = 0;
		everything();
	}
	return failures > 0;
}
