/* SPDX-License-Identifier: ISC */
/*
 * rounds - computes in parts of as many rounds, and waits before each part
 * until a file is there, in which time its context may move.
 *
 *	rounds ROUNDS PARTS FILE
 *
 * It says "part N" when it waits for FILE.N.  Between its parts it calls
 * nothing.
 */
#include "tests/regress/open.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "tests/regress/check.h"

#define ITEMS 64
#define LOOK_NS 10000000

static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static cl_mem buffer;
static cl_uint expected[ITEMS];

static void
make(void)
{
	cl_device_id device = open_device();

	context = open_context(device);
	queue = open_queue(context, device, 0);
	kernel = open_kernel(open_program(context,
	    "kernel void compute(global uint *a, uint n)\n"
	    "{ size_t i = get_global_id(0); a[i] = a[i] * 3 + n; }\n"),
	    "compute");
	buffer = open_buffer(context, sizeof(expected));
	check("clEnqueueWriteBuffer", clEnqueueWriteBuffer(queue, buffer,
	    CL_TRUE, 0, sizeof(expected), expected, 0, NULL, NULL));
	check("clSetKernelArg", clSetKernelArg(kernel, 0, sizeof(buffer),
	    &buffer));
}

/* An event, a body in each direction, and an argument that changes. */
static void
one_round(cl_uint n)
{
	const size_t items = ITEMS;
	cl_uint got[ITEMS], i;
	cl_event e;

	check("clSetKernelArg", clSetKernelArg(kernel, 1, sizeof(n), &n));
	check("compute", clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items,
	    NULL, 0, NULL, &e));
	check("clEnqueueReadBuffer", clEnqueueReadBuffer(queue, buffer,
	    CL_TRUE, 0, sizeof(got), got, 1, &e, NULL));
	for (i = 0; i < ITEMS; i++) {
		expected[i] = expected[i] * 3 + n;
		if (got[i] != expected[i]) {
			printf("round %u: %u, expected %u\n", n, got[i],
			    expected[i]);
			exit(1);
		}
	}
	expected[n % ITEMS] = n;
	check("clEnqueueWriteBuffer", clEnqueueWriteBuffer(queue, buffer,
	    CL_FALSE, n % ITEMS * sizeof(n), sizeof(n),
	    &expected[n % ITEMS], 0, NULL, NULL));
	check("clReleaseEvent", clReleaseEvent(e));
	check("clFinish", clFinish(queue));
}

static void
await(const char *file, unsigned part)
{
	const struct timespec t = { 0, LOOK_NS };
	char path[4096];

	snprintf(path, sizeof(path), "%s.%u", file, part);
	printf("part %u\n", part);
	fflush(stdout);
	while (access(path, F_OK) != 0)
		nanosleep(&t, NULL);
}

int
main(int argc, char **argv)
{
	cl_uint rounds, parts, part, i, n = 0;

	if (argc != 4)
		return 2;
	rounds = (cl_uint)atoi(argv[1]);
	parts = (cl_uint)atoi(argv[2]);
	make();
	one_round(n++);
	for (part = 0; part < parts; part++) {
		await(argv[3], part);
		for (i = 0; i < rounds; i++)
			one_round(n++);
	}
	printf("right\n");
	clReleaseMemObject(buffer);
	clReleaseKernel(kernel);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return 0;
}
