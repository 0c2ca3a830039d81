/* SPDX-License-Identifier: ISC */
#include "conformance/contents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 300000
#define ROUNDS 60

static cl_mem a, b;
static uint8_t *mine;

static void
write_some(void)
{
	size_t at = pick(SIZE), n = pick(SIZE - at) + 1;

	scribble(mine, n);
	must(clEnqueueWriteBuffer(queue, a, pick(2) == 0, at, n, mine, 0, NULL,
	    NULL), "clEnqueueWriteBuffer");
	/* What was written without blocking may change from here on. */
	must(clFinish(queue), "clFinish");
}

static void
copy_some(void)
{
	size_t from = pick(SIZE), to = pick(SIZE), n;

	n = pick(SIZE - (from > to ? from : to)) + 1;
	must(clEnqueueCopyBuffer(queue, a, b, from, to, n, 0, NULL, NULL),
	    "clEnqueueCopyBuffer");
}

static void
fill_some(void)
{
	uint8_t pattern[128];
	size_t n = (size_t)1 << pick(8), most = SIZE / n;
	size_t at = pick(most), count = pick(most - at) + 1;

	scribble(pattern, n);
	must(clEnqueueFillBuffer(queue, b, pattern, n, at * n, count * n, 0,
	    NULL, NULL), "clEnqueueFillBuffer");
}

/* A box that lies in SIZE bytes with these pitches. */
struct box {
	size_t host[3], device[3], region[3];
	size_t host_row, host_slice, row, slice;
};

static struct box
pick_box(void)
{
	struct box x = {
		.host = { pick(9), pick(4), pick(3) },
		.device = { pick(9), pick(4), pick(3) },
		.region = { pick(100) + 1, pick(12) + 1, pick(6) + 1 },
	};

	x.row = 110 + pick(50);
	x.slice = x.row * (16 + pick(5));
	x.host_row = 110 + pick(50);
	x.host_slice = x.host_row * (16 + pick(5));
	return x;
}

static void
write_box(void)
{
	struct box x = pick_box();

	scribble(mine, SIZE);
	must(clEnqueueWriteBufferRect(queue, b, CL_TRUE, x.device, x.host,
	    x.region, x.row, x.slice, x.host_row, x.host_slice, mine, 0, NULL,
	    NULL), "clEnqueueWriteBufferRect");
}

static void
read_box(void)
{
	struct box x = pick_box();

	memset(mine, 0, SIZE);
	must(clEnqueueReadBufferRect(queue, b, CL_TRUE, x.device, x.host,
	    x.region, x.row, x.slice, x.host_row, x.host_slice, mine, 0, NULL,
	    NULL), "clEnqueueReadBufferRect");
	line("a box of a buffer", mine, SIZE);
}

static void
copy_box(void)
{
	struct box x = pick_box();

	must(clEnqueueCopyBufferRect(queue, a, b, x.host, x.device, x.region,
	    x.host_row, x.host_slice, x.row, x.slice, 0, NULL, NULL),
	    "clEnqueueCopyBufferRect");
}

static void
read_some(void)
{
	size_t at = pick(SIZE), n = pick(SIZE - at) + 1;
	cl_event e;

	must(clEnqueueReadBuffer(queue, b, CL_FALSE, at, n, mine, 0, NULL,
	    &e), "clEnqueueReadBuffer");
	must(clWaitForEvents(1, &e), "clWaitForEvents");
	must(clReleaseEvent(e), "clReleaseEvent");
	line("a part of a buffer", mine, n);
}

/* A write into one sub-buffer is seen in the buffer and in another one. */
static void
sub_buffers(void)
{
	const cl_buffer_region low = { 0, 8192 }, high = { 4096, 8192 };
	cl_int e;
	cl_mem one, other;

	one = clCreateSubBuffer(b, CL_MEM_READ_WRITE,
	    CL_BUFFER_CREATE_TYPE_REGION, &low, &e);
	must(e, "clCreateSubBuffer");
	other = clCreateSubBuffer(b, CL_MEM_READ_WRITE,
	    CL_BUFFER_CREATE_TYPE_REGION, &high, &e);
	must(e, "clCreateSubBuffer");
	scribble(mine, 5000);
	must(clEnqueueWriteBuffer(queue, one, CL_TRUE, 3000, 5000, mine, 0,
	    NULL, NULL), "clEnqueueWriteBuffer");
	must(clEnqueueReadBuffer(queue, other, CL_TRUE, 0, 8192, mine, 0, NULL,
	    NULL), "clEnqueueReadBuffer");
	line("a sub-buffer over another", mine, 8192);
	must(clReleaseMemObject(one), "clReleaseMemObject");
	must(clReleaseMemObject(other), "clReleaseMemObject");
}

/* Sizes around those at which bodies travel in other ways. */
static void
lengths(void)
{
	static const size_t list[] = { 1, 65535, 65536, 65537, 1 << 20,
		(4 << 20) + 3, 65 << 20 };
	size_t i;
	cl_int e;
	cl_mem m;

	for (i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		uint8_t *p = get(list[i]);

		scribble(p, list[i]);
		m = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, list[i], p,
		    &e);
		must(e, "clCreateBuffer");
		memset(p, 0, list[i]);
		must(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, list[i], p, 0,
		    NULL, NULL), "clEnqueueReadBuffer");
		line("a buffer made with its content", p, list[i]);
		scribble(p, list[i]);
		must(clEnqueueWriteBuffer(queue, m, CL_FALSE, 0, list[i], p, 0,
		    NULL, NULL), "clEnqueueWriteBuffer");
		must(clFinish(queue), "clFinish");
		memset(p, 0, list[i]);
		must(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, list[i], p, 0,
		    NULL, NULL), "clEnqueueReadBuffer");
		line("a buffer written and read", p, list[i]);
		must(clReleaseMemObject(m), "clReleaseMemObject");
		free(p);
	}
}

/* Writes of more than is sent unasked, behind an event that is set late. */
static void
held_back(void)
{
	enum { COUNT = 3, LENGTH = 40 << 20 };
	cl_mem to[COUNT], half;
	const cl_buffer_region all = { 0, LENGTH };
	uint8_t *from[COUNT], *p;
	cl_int e;
	cl_event start = clCreateUserEvent(context, &e);
	int i;

	must(e, "clCreateUserEvent");
	for (i = 0; i < COUNT; i++) {
		from[i] = get(LENGTH);
		memset(from[i], 'a' + i, LENGTH);
		to[i] = clCreateBuffer(context, 0, LENGTH, NULL, &e);
		must(e, "clCreateBuffer");
	}
	half = clCreateSubBuffer(to[0], CL_MEM_READ_WRITE,
	    CL_BUFFER_CREATE_TYPE_REGION, &all, &e);
	must(e, "clCreateSubBuffer");
	p = clEnqueueMapBuffer(queue, half, CL_TRUE, CL_MAP_WRITE, 0, LENGTH,
	    0, NULL, NULL, &e);
	must(e, "clEnqueueMapBuffer");
	memset(p, 'm', LENGTH);
	for (i = 1; i < COUNT; i++)
		must(clEnqueueWriteBuffer(queue, to[i], CL_FALSE, 0, LENGTH,
		    from[i], 1, &start, NULL), "clEnqueueWriteBuffer");
	/* What is mapped has to outlive the object it is mapped by. */
	must(clEnqueueUnmapMemObject(queue, half, p, 1, &start, NULL),
	    "clEnqueueUnmapMemObject");
	must(clReleaseMemObject(half), "clReleaseMemObject");
	must(clFlush(queue), "clFlush");
	must(clSetUserEventStatus(start, CL_COMPLETE),
	    "clSetUserEventStatus");
	must(clReleaseEvent(start), "clReleaseEvent");
	for (i = 0; i < COUNT; i++) {
		must(clEnqueueReadBuffer(queue, to[i], CL_TRUE, 0, LENGTH,
		    from[i], 0, NULL, NULL), "clEnqueueReadBuffer");
		line("a buffer that was written late", from[i], LENGTH);
		must(clReleaseMemObject(to[i]), "clReleaseMemObject");
		free(from[i]);
	}
}

void
contents_of_buffers(void)
{
	void (*const step[])(void) = { write_some, copy_some, fill_some,
		write_box, read_box, copy_box, read_some };
	cl_int e;
	int i;

	mine = get(SIZE);
	memset(mine, 0, SIZE);
	a = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, SIZE, mine, &e);
	must(e, "clCreateBuffer");
	b = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, SIZE, mine, &e);
	must(e, "clCreateBuffer");
	for (i = 0; i < ROUNDS; i++)
		step[pick(sizeof(step) / sizeof(step[0]))]();
	sub_buffers();
	must(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, SIZE, mine, 0, NULL,
	    NULL), "clEnqueueReadBuffer");
	line("one buffer at the end", mine, SIZE);
	must(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, SIZE, mine, 0, NULL,
	    NULL), "clEnqueueReadBuffer");
	line("the other buffer at the end", mine, SIZE);
	must(clReleaseMemObject(a), "clReleaseMemObject");
	must(clReleaseMemObject(b), "clReleaseMemObject");
	free(mine);
	lengths();
	held_back();
}
