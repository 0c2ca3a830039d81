/* SPDX-License-Identifier: ISC */
/*
 * polling - a program that asks for an event's status again and again, after it
 * has waited long for something else.  Prints how it ended; exit status 1: not
 * within a minute.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <time.h>

#include "tests/regress/open.h"

#define PATIENCE 60.0

static const char *source =
    "__kernel void spin(__global volatile uint *out, uint n) {\n"
    "	uint x = 1, i;\n"
    "	for (i = 0; i < n; i++) {\n"
    "		x = x * 1664525u + 1013904223u;\n"
    "		out[0] = x;\n"
    "	}\n"
    "}\n";

static cl_context context;
static cl_device_id device;
static cl_program program;

/* A queue, its kernel and what that writes to. */
struct lane {
	cl_command_queue queue;
	cl_kernel kernel;
	cl_mem out;
};

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static struct lane
open_lane(void)
{
	const struct lane l = {
		.queue = open_queue(context, device, 0),
		.kernel = open_kernel(program, "spin"),
		.out = open_buffer(context, sizeof(cl_uint)),
	};

	check("argument", clSetKernelArg(l.kernel, 0, sizeof(l.out), &l.out));
	return l;
}

static void
spin(const struct lane *l, double steps, cl_event *event)
{
	const size_t one = 1;
	const cl_uint n = (cl_uint)steps;

	check("argument", clSetKernelArg(l->kernel, 1, sizeof(n), &n));
	check("launch", clEnqueueNDRangeKernel(l->queue, l->kernel, 1, NULL,
	    &one, &one, 0, NULL, event));
}

static cl_int
status(cl_event e)
{
	cl_int s;

	check("status", clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS,
	    sizeof(s), &s, NULL));
	return s;
}

int
main(void)
{
	struct lane a, b;
	double began, second;
	cl_event e;

	device = open_device();
	context = open_context(device);
	program = open_program(context, source);
	a = open_lane();
	b = open_lane();
	spin(&a, 1e6, NULL);
	check("finish", clFinish(a.queue));
	began = now();
	spin(&a, 1e7, NULL);
	check("finish", clFinish(a.queue));
	second = 1e7 / (now() - began);

	spin(&a, 3 * second, &e);
	check("flush", clFlush(a.queue));
	status(e);
	spin(&b, second, NULL);
	check("finish", clFinish(b.queue));
	began = now();
	while (status(e) > CL_COMPLETE && now() - began < PATIENCE)
		;
	printf("status %d\n", status(e));
	return status(e) != CL_COMPLETE;
}
