/* SPDX-License-Identifier: ISC */
/*
 * steady - how much memory the main thread allocates inside of OpenCL for
 * operations that a program repeats, after it has repeated them for a while.
 * A line for each: its name and the allocations in 100 of them.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/regress/open.h"

#define REPEAT 100
#define WARM 200	/* rounds before the one that counts */

/* Allocations of this thread; of glibc, which has these other names. */
static _Thread_local unsigned long allocations;

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

void *
malloc(size_t n)
{
	allocations++;
	return __libc_malloc(n);
}

void *
calloc(size_t n, size_t size)
{
	allocations++;
	return __libc_calloc(n, size);
}

void *
realloc(void *p, size_t n)
{
	allocations++;
	return __libc_realloc(p, n);
}

static cl_command_queue queue, other;
static cl_kernel kernel;
static cl_mem buffer;

static void
open_all(void)
{
	static const char *source =
	    "__kernel void add(__global int *sum, int n) { *sum += n; }\n";
	cl_device_id device = open_device();
	cl_context context = open_context(device);

	queue = open_queue(context, device, 0);
	other = open_queue(context, device, 0);
	buffer = open_buffer(context, sizeof(cl_int));
	kernel = open_kernel(open_program(context, source), "add");
	check("arg", clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
}

static void
launch(cl_command_queue q, const cl_event *wait, cl_event *event)
{
	const size_t one = 1;

	check("launch", clEnqueueNDRangeKernel(q, kernel, 1, NULL, &one, &one,
	    wait != NULL, wait, event));
}

static void
launches(cl_int i)
{
	check("arg", clSetKernelArg(kernel, 1, sizeof(i), &i));
	launch(queue, NULL, NULL);
}

static void
events(cl_int i)
{
	cl_event event;

	check("arg", clSetKernelArg(kernel, 1, sizeof(i), &i));
	launch(queue, NULL, &event);
	check("release", clReleaseEvent(event));
}

static void
finishes(cl_int i)
{
	launches(i);
	check("finish", clFinish(queue));
}

static void
hops(cl_int i)
{
	cl_event event;

	(void)i;
	launch(queue, NULL, &event);
	launch(other, &event, NULL);
	check("release", clReleaseEvent(event));
}

static void
waits(cl_int i)
{
	cl_event event;

	(void)i;
	launch(queue, NULL, &event);
	check("wait", clWaitForEvents(1, &event));
	check("release", clReleaseEvent(event));
}

static void
writes(cl_int i)
{
	check("write", clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0,
	    sizeof(i), &i, 0, NULL, NULL));
}

static void
measure(const char *name, void (*once)(cl_int))
{
	unsigned long before = 0;
	cl_int i, round;

	for (round = 0; round <= WARM; round++) {
		before = allocations;
		for (i = 0; i < REPEAT; i++)
			once(i);
		check("finish", clFinish(other));
		check("finish", clFinish(queue));
	}
	printf("%s %lu\n", name, allocations - before);
}

int
main(void)
{
	/* Counting works at all. */
	void *volatile p = malloc(1);

	if (allocations == 0)
		return 77;
	free(p);
	setvbuf(stdout, NULL, _IONBF, 0);
	open_all();
	measure("launches", launches);
	measure("events", events);
	measure("finishes", finishes);
	measure("hops", hops);
	measure("waits", waits);
	measure("writes", writes);
	return 0;
}
