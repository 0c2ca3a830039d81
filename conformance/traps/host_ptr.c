/* SPDX-License-Identifier: ISC */
/*
 * Memory of the program's as a buffer: maps give its own addresses, several at
 * a time and overlapping, with what is in the buffer then.
 */
#include "conformance/traps/traps.h"

#define N 2048

static int *
map(cl_mem m, cl_map_flags flags, size_t offset, size_t n)
{
	cl_int code;
	int *p = clEnqueueMapBuffer(queue, m, CL_TRUE, flags,
	    offset * sizeof(*p), n * sizeof(*p), 0, NULL, NULL, &code);

	must(code, "clEnqueueMapBuffer");
	return p;
}

static void
unmap(cl_mem m, void *p)
{
	must(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL),
	    "clEnqueueUnmapMemObject");
}

static void
say_maps(cl_mem m)
{
	cl_uint n;

	must(clFinish(queue), "clFinish");
	must(clGetMemObjectInfo(m, CL_MEM_MAP_COUNT, sizeof(n), &n, NULL),
	    "CL_MEM_MAP_COUNT");
	say("maps: %u", n);
}

static void
try_part(cl_mem whole, int *x, cl_kernel k)
{
	const cl_buffer_region r = { 4096, 1024 };
	cl_int code, *p;
	cl_mem part = clCreateSubBuffer(whole, CL_MEM_READ_WRITE,
	    CL_BUFFER_CREATE_TYPE_REGION, &r, &code);

	must(code, "clCreateSubBuffer");
	must(clReleaseEvent(add_launch(queue, k, part, 1000, 4, 0, NULL)),
	    "clReleaseEvent");
	p = map(part, CL_MAP_READ, 2, 10);
	say("part: at its place %d, %d %d", p == x + 1024 + 2, p[0], p[2]);
	unmap(part, p);
	p = map(whole, CL_MAP_READ, 1024, 8);
	say("whole: at its place %d, %d %d", p == x + 1024, p[0], p[4]);
	unmap(whole, p);
	must(clReleaseMemObject(part), "clReleaseMemObject");
}

void
host_ptr(void)
{
	int *x = get(N * sizeof(*x)), y[4], i, *p, *q;
	void *told;
	cl_int code;
	cl_kernel k;
	cl_mem m;

	open_device();
	k = kernel_new(add_source, "add");
	for (i = 0; i < N; i++)
		x[i] = i;
	m = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
	    N * sizeof(*x), x, &code);
	must(code, "clCreateBuffer");
	must(clGetMemObjectInfo(m, CL_MEM_HOST_PTR, sizeof(told), &told, NULL),
	    "CL_MEM_HOST_PTR");
	say("told: %d", told == x);
	must(clReleaseEvent(add_launch(queue, k, m, 10000, N, 0, NULL)),
	    "clReleaseEvent");
	p = map(m, CL_MAP_READ, 4, 100);
	q = map(m, CL_MAP_READ, 0, N);
	say("at their places: %d %d", p == x + 4, q == x);
	say("read: %d %d %d", p[0], q[0], q[N - 1]);
	say_maps(m);
	unmap(m, p);
	say_maps(m);
	unmap(m, q);
	say_maps(m);
	p = map(m, CL_MAP_WRITE_INVALIDATE_REGION, 0, 4);
	for (i = 0; i < 4; i++)
		p[i] = -i;
	unmap(m, p);
	must(clReleaseEvent(add_launch(queue, k, m, 7, N, 0, NULL)),
	    "clReleaseEvent");
	must(clEnqueueReadBuffer(queue, m, CL_TRUE, 8, sizeof(y), y, 0, NULL,
	    NULL), "clEnqueueReadBuffer");
	say("written: %d %d %d %d", y[0], y[1], y[2], y[3]);
	try_part(m, x, k);
	must(clReleaseMemObject(m), "clReleaseMemObject");
}
