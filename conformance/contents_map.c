/* SPDX-License-Identifier: ISC */
#include "conformance/contents.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define SIZE 200000

static void *
map(cl_mem m, cl_map_flags flags, size_t at, size_t n)
{
	cl_int e;
	void *p = clEnqueueMapBuffer(queue, m, CL_TRUE, flags, at, n, 0, NULL,
	    NULL, &e);

	must(e, "clEnqueueMapBuffer");
	return p;
}

static void
unmap(cl_mem m, void *p)
{
	must(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL),
	    "clEnqueueUnmapMemObject");
}

static void
show(const char *what, cl_mem m)
{
	uint8_t *p = get(SIZE);

	must(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, SIZE, p, 0, NULL, NULL),
	    "clEnqueueReadBuffer");
	line(what, p, SIZE);
	free(p);
}

static void
show_count(cl_mem m)
{
	cl_uint n;

	must(clGetMemObjectInfo(m, CL_MEM_MAP_COUNT, sizeof(n), &n, NULL),
	    "CL_MEM_MAP_COUNT");
	printf("maps: %u\n", n);
}

/* Several maps at a time, of which one stays for ever. */
static void
several(cl_mem m)
{
	uint8_t *low = map(m, CL_MAP_WRITE, 100, 5000);
	uint8_t *high = map(m, CL_MAP_WRITE_INVALIDATE_REGION, 100000, 90000);
	uint8_t *all = map(m, CL_MAP_READ, 0, SIZE), *kept, *mine = get(SIZE);
	cl_int e;
	cl_mem other;

	show_count(m);
	line("all of a buffer, mapped", all, 100000);
	scribble(low, 5000);
	scribble(high, 90000);
	unmap(m, all);
	unmap(m, low);
	unmap(m, high);
	show("a buffer after maps", m);
	kept = map(m, CL_MAP_READ, 0, 70000);
	/* Mapped memory is memory to read into, too. */
	scribble(mine, SIZE);
	other = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, SIZE, mine, &e);
	must(e, "clCreateBuffer");
	must(clEnqueueReadBuffer(queue, other, CL_TRUE, 1000, 70000, kept, 0,
	    NULL, NULL), "clEnqueueReadBuffer");
	line("another buffer read into a map", kept, 70000);
	must(clReleaseMemObject(other), "clReleaseMemObject");
	free(mine);
}

/* A map that is not waited for is filled when its event is complete. */
static void
late(cl_mem m)
{
	cl_event mapped, unmapped;
	cl_int e;
	uint8_t *p;

	p = clEnqueueMapBuffer(queue, m, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE,
	    50, 150000, 0, NULL, &mapped, &e);
	must(e, "clEnqueueMapBuffer");
	must(clWaitForEvents(1, &mapped), "clWaitForEvents");
	line("a map that was not waited for", p, 150000);
	p[77] ^= 255;
	must(clEnqueueUnmapMemObject(queue, m, p, 1, &mapped, &unmapped),
	    "clEnqueueUnmapMemObject");
	must(clWaitForEvents(1, &unmapped), "clWaitForEvents");
	must(clReleaseEvent(mapped), "clReleaseEvent");
	must(clReleaseEvent(unmapped), "clReleaseEvent");
	show("a buffer after such a map", m);
}

static void
of_flags(cl_mem_flags flags, const char *what)
{
	uint8_t *host = get(SIZE);
	cl_int e;
	cl_mem m;
	bool given = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);

	scribble(host, SIZE);
	m = clCreateBuffer(context, flags, SIZE, given ? host : NULL, &e);
	must(e, "clCreateBuffer");
	if (!given)
		must(clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, SIZE, host, 0,
		    NULL, NULL), "clEnqueueWriteBuffer");
	late(m);
	several(m);
	printf("%s: %s\n", what, map(m, CL_MAP_READ, 12, 20) ==
	    (void *)(host + 12) ? "the program's memory" : "other memory");
	must(clReleaseMemObject(m), "clReleaseMemObject");
	must(clFinish(queue), "clFinish");
	free(host);
}

void
contents_of_maps(void)
{
	of_flags(CL_MEM_READ_WRITE, "plain");
	of_flags(CL_MEM_ALLOC_HOST_PTR, "CL_MEM_ALLOC_HOST_PTR");
	of_flags(CL_MEM_COPY_HOST_PTR, "CL_MEM_COPY_HOST_PTR");
	of_flags(CL_MEM_USE_HOST_PTR, "CL_MEM_USE_HOST_PTR");
}
