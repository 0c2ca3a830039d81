/* SPDX-License-Identifier: ISC */
/* A source of 100 MB, in one string and in very many. */
#include <stdlib.h>
#include <string.h>

#include "conformance/traps/traps.h"

#define BYTES ((size_t)100 << 20)
#define LINE 64
#define STRINGS 20000

static const char kernel_source[] =
    "kernel void last(global int *p) { *p = 4711; }\n";

/* Comments, and the kernel behind them. */
static char *
source_new(void)
{
	char *s = get(BYTES + sizeof(kernel_source));
	size_t i;

	memset(s, '.', BYTES);
	for (i = 0; i < BYTES; i += LINE) {
		memcpy(s + i, "// ", 3);
		s[i + LINE - 1] = '\n';
	}
	memcpy(s + BYTES, kernel_source, sizeof(kernel_source));
	return s;
}

static void
run(cl_program p)
{
	const size_t one = 1;
	cl_mem m = buffer_new(sizeof(cl_int), NULL);
	cl_int x = 0, code;
	cl_kernel k;
	size_t n;

	say("build: %d", clBuildProgram(p, 1, &device, "", NULL, NULL));
	k = clCreateKernel(p, "last", &code);
	must(code, "clCreateKernel");
	must(clSetKernelArg(k, 0, sizeof(m), &m), "clSetKernelArg");
	must(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL,
	    NULL), "clEnqueueNDRangeKernel");
	must(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof(x), &x, 0, NULL,
	    NULL), "clEnqueueReadBuffer");
	must(clGetProgramInfo(p, CL_PROGRAM_SOURCE, 0, NULL, &n),
	    "CL_PROGRAM_SOURCE");
	say("%d, source of %zu bytes", x, n);
	must(clReleaseKernel(k), "clReleaseKernel");
	must(clReleaseProgram(p), "clReleaseProgram");
	must(clReleaseMemObject(m), "clReleaseMemObject");
}

void
big_source(void)
{
	const char **list = get(STRINGS * sizeof(*list));
	size_t *size = get(STRINGS * sizeof(*size)), i;
	char *s = source_new();
	cl_program p;
	cl_int code;

	open_device();
	list[0] = s;
	p = clCreateProgramWithSource(context, 1, list, NULL, &code);
	must(code, "clCreateProgramWithSource");
	memset(s, 'x', BYTES);
	run(p);
	/* Lines of no string end, each with its length; the last without. */
	for (i = 0; i < STRINGS - 1; i++) {
		list[i] = "// one\n//and more";
		size[i] = 7;
	}
	list[i] = kernel_source;
	size[i] = 0;
	p = clCreateProgramWithSource(context, STRINGS, list, size, &code);
	must(code, "clCreateProgramWithSource");
	run(p);
}
