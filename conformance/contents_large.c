/* SPDX-License-Identifier: ISC */
/*
 * Objects and offsets beyond 4 GiB.  Few of their bytes are touched, so they
 * need few pages.
 */
#include "conformance/contents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GIB ((size_t)1 << 30)
#define FAR (4 * GIB + 12345 * 64)
#define PIECE 70000

static uint8_t *mine;
static cl_mem large;

static void
show(const char *what, size_t at)
{
	memset(mine, 0, PIECE);
	must(clEnqueueReadBuffer(queue, large, CL_TRUE, at, PIECE, mine, 0,
	    NULL, NULL), "clEnqueueReadBuffer");
	line(what, mine, PIECE);
}

static void
write_at(size_t at)
{
	scribble(mine, PIECE);
	must(clEnqueueWriteBuffer(queue, large, CL_TRUE, at, PIECE, mine, 0,
	    NULL, NULL), "clEnqueueWriteBuffer");
}

static void
fills_and_copies(void)
{
	static const char pattern[4] = "abcd";

	must(clEnqueueFillBuffer(queue, large, pattern, 4, FAR + 64, 1024, 0,
	    NULL, NULL), "clEnqueueFillBuffer");
	show("filled far away", FAR);
	must(clEnqueueCopyBuffer(queue, large, large, FAR, 2 * GIB, PIECE, 0,
	    NULL, NULL), "clEnqueueCopyBuffer");
	show("copied from far away", 2 * GIB);
	write_at(0);
	must(clEnqueueCopyBuffer(queue, large, large, 0, FAR, PIECE, 0, NULL,
	    NULL), "clEnqueueCopyBuffer");
	show("copied to far away", FAR);
}

/* Rows of a GiB each; the last two lie beyond 4 GiB. */
static void
boxes(void)
{
	const size_t zero[3] = { 0, 0, 0 }, at[3] = { 1000, 3, 0 };
	const size_t n[3] = { 500, 2, 1 };

	scribble(mine, 1000);
	must(clEnqueueWriteBufferRect(queue, large, CL_TRUE, at, zero, n, GIB,
	    0, 500, 0, mine, 0, NULL, NULL), "clEnqueueWriteBufferRect");
	memset(mine, 0, 1000);
	must(clEnqueueReadBufferRect(queue, large, CL_TRUE, at, zero, n, GIB,
	    0, 500, 0, mine, 0, NULL, NULL), "clEnqueueReadBufferRect");
	line("rows a GiB apart", mine, 1000);
	show("the last of them", 4 * GIB);
}

static void
maps(void)
{
	cl_int e;
	uint8_t *p = clEnqueueMapBuffer(queue, large, CL_TRUE, CL_MAP_READ |
	    CL_MAP_WRITE, FAR, PIECE, 0, NULL, NULL, &e);

	must(e, "clEnqueueMapBuffer");
	line("mapped far away", p, PIECE);
	scribble(p, PIECE / 2);
	must(clEnqueueUnmapMemObject(queue, large, p, 0, NULL, NULL),
	    "clEnqueueUnmapMemObject");
	show("unmapped far away", FAR);
}

static void
parts(size_t size)
{
	const cl_buffer_region r = { 4 * GIB, size - 4 * GIB };
	size_t n[2] = { 0, 0 };
	cl_int e;
	cl_mem m = clCreateSubBuffer(large, 0, CL_BUFFER_CREATE_TYPE_REGION,
	    &r, &e);

	must(e, "clCreateSubBuffer");
	must(clGetMemObjectInfo(m, CL_MEM_OFFSET, sizeof(n[0]), &n[0], NULL),
	    "CL_MEM_OFFSET");
	must(clGetMemObjectInfo(large, CL_MEM_SIZE, sizeof(n[1]), &n[1],
	    NULL), "CL_MEM_SIZE");
	printf("a part at %zu of %zu\n", n[0], n[1]);
	must(clEnqueueReadBuffer(queue, m, CL_TRUE, FAR - 4 * GIB, PIECE, mine,
	    0, NULL, NULL), "clEnqueueReadBuffer");
	line("a part far away", mine, PIECE);
	must(clReleaseMemObject(m), "clReleaseMemObject");
}

/* Work-items whose numbers need more than 32 bits. */
static void
kernels(void)
{
	const char *text = "kernel void f(global uchar *a)\n"
	    "{ a[get_global_id(0)] = (uchar)(get_global_id(0) >> 20); }\n";
	const size_t offset = FAR, n = 4096;
	cl_int e;
	cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &e);
	cl_kernel k;

	must(e, "clCreateProgramWithSource");
	must(clBuildProgram(p, 1, &device, "", NULL, NULL), "clBuildProgram");
	k = clCreateKernel(p, "f", &e);
	must(e, "clCreateKernel");
	must(clSetKernelArg(k, 0, sizeof(large), &large), "clSetKernelArg");
	must(clEnqueueNDRangeKernel(queue, k, 1, &offset, &n, NULL, 0, NULL,
	    NULL), "clEnqueueNDRangeKernel");
	show("what a kernel wrote far away", FAR);
	must(clReleaseKernel(k), "clReleaseKernel");
	must(clReleaseProgram(p), "clReleaseProgram");
}

void
contents_of_large(void)
{
	const size_t size = 4 * GIB + GIB / 8;
	cl_ulong most = 0;
	cl_int e;

	must(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
	    sizeof(most), &most, NULL), "CL_DEVICE_MAX_MEM_ALLOC_SIZE");
	if (most < size) {
		printf("nothing beyond 4 GiB\n");
		return;
	}
	mine = get(PIECE);
	large = clCreateBuffer(context, 0, size, NULL, &e);
	must(e, "clCreateBuffer");
	write_at(size - PIECE);
	show("the end of a large buffer", size - PIECE);
	write_at(FAR);
	show("the middle of a large buffer", FAR);
	fills_and_copies();
	boxes();
	maps();
	parts(size);
	kernels();
	must(clReleaseMemObject(large), "clReleaseMemObject");
	large = clCreateBuffer(context, 0, (size_t)most, NULL, &e);
	must(e, "clCreateBuffer");
	write_at((size_t)most - PIECE);
	show("the end of the largest buffer", (size_t)most - PIECE);
	must(clReleaseMemObject(large), "clReleaseMemObject");
	free(mine);
}
