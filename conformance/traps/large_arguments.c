/* SPDX-License-Identifier: ISC */
/*
 * The largest that may be: wait lists, arguments by value, offsets; and what is
 * larger than anything fails and does no harm.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/traps/traps.h"

#define EVENTS 5000
#define BIG 900

static void
wait_for_many(void)
{
	cl_event *e = get((EVENTS + 1) * sizeof(*e)), last;
	int i;

	e[0] = gate_new();
	for (i = 1; i <= EVENTS; i++)
		must(clEnqueueMarkerWithWaitList(queue, 1, &e[0], &e[i]),
		    "marker");
	must(clEnqueueMarkerWithWaitList(queue, EVENTS, e + 1, &last),
	    "marker");
	gate_open(e[0], CL_COMPLETE);
	say("many: %d", clWaitForEvents(EVENTS, e + 1));
	say("last: %d", clWaitForEvents(1, &last));
	for (i = 0; i <= EVENTS; i++)
		must(clReleaseEvent(e[i]), "clReleaseEvent");
	must(clReleaseEvent(last), "clReleaseEvent");
	free(e);
}

static void
pass_much(void)
{
	static const char source[] =
	    "typedef struct { char c[900]; } big;\n"
	    "kernel void pass(big b, global char *to)\n"
	    "{\n"
	    "	size_t i = get_global_id(0);\n"
	    "	to[i - get_global_offset(0)] = b.c[i % 900];\n"
	    "}\n";
	const size_t n = BIG, far = 900u << 20;
	cl_mem m = buffer_new(BIG, NULL);
	cl_kernel k = kernel_new(source, "pass");
	char x[BIG], y[BIG];
	int i;

	for (i = 0; i < BIG; i++)
		x[i] = (char)(i * 7);
	must(clSetKernelArg(k, 0, sizeof(x), x), "clSetKernelArg");
	must(clSetKernelArg(k, 1, sizeof(m), &m), "clSetKernelArg");
	say("far: %d", clEnqueueNDRangeKernel(queue, k, 1, &far, &n, NULL, 0,
	    NULL, NULL));
	must(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof(y), y, 0, NULL,
	    NULL), "clEnqueueReadBuffer");
	say("passed: %d", memcmp(x, y, sizeof(x)));
}

static void
ask_too_much(void)
{
	cl_mem m = buffer_new(64, NULL);
	char x[64];
	cl_int code;

	say("buffer: %d", clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE_MAX,
	    NULL, &code) == NULL);
	say("read: %d", clEnqueueReadBuffer(queue, m, CL_TRUE, SIZE_MAX - 3, 8,
	    x, 0, NULL, NULL));
	say("write: %d", clEnqueueWriteBuffer(queue, m, CL_TRUE, 8, SIZE_MAX,
	    x, 0, NULL, NULL));
	say("copy: %d", clEnqueueCopyBuffer(queue, m, m, SIZE_MAX, 0, 2, 0,
	    NULL, NULL));
	say("map: %d", clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ,
	    SIZE_MAX, SIZE_MAX, 0, NULL, NULL, &code) == NULL);
	must(clReleaseMemObject(m), "clReleaseMemObject");
}

void
large_arguments(void)
{
	open_device();
	wait_for_many();
	pass_much();
	ask_too_much();
	say("after all: %d", compute());
}
