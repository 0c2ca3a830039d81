/* SPDX-License-Identifier: ISC */
#include "conformance/contents.h"

#include <stdio.h>
#include <stdlib.h>

cl_device_id device;
cl_context context;
cl_command_queue queue;

static uint64_t state = 88172645463325252u;

void
must(cl_int code, const char *what)
{
	if (code == CL_SUCCESS)
		return;
	fprintf(stderr, "contents: %s: OpenCL error %d\n", what, code);
	exit(1);
}

void *
get(size_t n)
{
	void *p = aligned_alloc(4096, (n + 4095) / 4096 * 4096);

	if (p == NULL) {
		fprintf(stderr, "contents: no memory for %zu bytes\n", n);
		exit(1);
	}
	return p;
}

/* Marsaglia's xorshift of 64 bits, so that every run does the same. */
static uint64_t
next(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

size_t
pick(size_t limit)
{
	return (size_t)(next() % limit);
}

void
scribble(void *p, size_t n)
{
	uint8_t *to = p;
	size_t i;

	for (i = 0; i < n; i++)
		to[i] = (uint8_t)(next() >> 11);
}

void
line(const char *what, const void *p, size_t n)
{
	const uint8_t *from = p;
	uint64_t sum = n;
	size_t i;

	for (i = 0; i < n; i++)
		sum = (sum ^ from[i]) * 1099511628211u;
	printf("%s: %016llx\n", what, (unsigned long long)sum);
}

int
main(void)
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
	contents_of_buffers();
	contents_of_maps();
	contents_of_images();
	contents_of_formats();
	contents_of_host_memory();
	contents_of_svm();
	contents_of_large();
	must(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	must(clReleaseContext(context), "clReleaseContext");
	return 0;
}
