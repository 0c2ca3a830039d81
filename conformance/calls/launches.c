/* SPDX-License-Identifier: ISC */
#include "conformance/calls/launches.h"

static const char source[] =
    "kernel void plain(global int *a) { a[0] = 1; }\n"
    "__attribute__((reqd_work_group_size(4, 2, 1)))\n"
    "kernel void required(global int *a) { a[0] = 2; }\n";

cl_kernel
ready_kernel(struct world *w)
{
	const cl_int n = 1;
	cl_kernel k = world_kernel(w);

	must(clSetKernelArg(k, 0, sizeof(w->buffer), &w->buffer),
	    "clSetKernelArg");
	must(clSetKernelArg(k, 1, sizeof(n), &n), "clSetKernelArg");
	must(clSetKernelArg(k, 2, 64, NULL), "clSetKernelArg");
	return k;
}

static cl_kernel
kernel(struct world *w, struct launches *l, const char *name)
{
	cl_kernel k = world_kernel_of(w, l->program, name);

	must(clSetKernelArg(k, 0, sizeof(w->buffer), &w->buffer),
	    "clSetKernelArg");
	return k;
}

void
launches_open(struct world *w, struct launches *l)
{
	l->program = world_build(w, source, "");
	l->plain = kernel(w, l, "plain");
	l->required = kernel(w, l, "required");
}

void
launches_close(struct launches *l)
{
	clReleaseKernel(l->plain);
	clReleaseKernel(l->required);
	clReleaseProgram(l->program);
}
