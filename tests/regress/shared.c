/* SPDX-License-Identifier: ISC */
/*
 * shared - moves a large body N times in one way, for the counters of
 * shared.sh, and checks it.  It knows nothing of vgpu.
 *
 *	shared write N		blocking writes to a queue that is idle
 *	shared read N		blocking reads from one
 *	shared map N		blocking maps for reading and writing, and unmaps
 *	shared behind N		blocking reads behind a kernel
 *	shared later N		reads behind a kernel that are not awaited
 *	shared ahead N		writes behind a kernel that are not awaited
 *	shared image N		blocking writes and reads of an image
 *	shared buffers N	a buffer made, written, read and released
 *	shared threads N	blocking reads and writes beside a thread that
 *				launches kernels in the same queue: each sees,
 *				and leaves, all of the buffer or nothing
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/regress/open.h"

#define WORDS ((size_t)16 << 20)
#define SIZE (WORDS * sizeof(uint32_t))
#define WIDTH 2048	/* of an image of four bytes an element */

static const char source[] =
    "__kernel void add(__global uint *p, uint n) {\n"
    "	p[get_global_id(0)] += n;\n"
    "}\n";

static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static cl_mem buffer;
static uint32_t *body, *kept;

static void
demand(const char *what, uint32_t got, uint32_t expected)
{
	if (got == expected)
		return;
	printf("%s: %u, expected %u\n", what, got, expected);
	exit(1);
}

/* Every word of what was moved. */
static void
demand_all(const char *what, const uint32_t *p, uint32_t expected)
{
	size_t i;

	for (i = 0; i < WORDS; i++)
		demand(what, p[i], expected);
}

static void
fill(uint32_t value)
{
	size_t i;

	for (i = 0; i < WORDS; i++)
		body[i] = value;
}

static void
open_all(void)
{
	cl_device_id device = open_device();

	context = open_context(device);
	queue = open_queue(context, device, 0);
	kernel = open_kernel(open_program(context, source), "add");
	buffer = open_buffer(context, SIZE);
	check("argument", clSetKernelArg(kernel, 0, sizeof(buffer), &buffer));
	body = malloc(SIZE);
	kept = malloc(SIZE);
	if (body == NULL || kept == NULL)
		exit(1);
	fill(7);
	check("write", clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, SIZE,
	    body, 0, NULL, NULL));
}

static void
add(cl_uint n)
{
	const size_t size = WORDS;

	check("argument", clSetKernelArg(kernel, 1, sizeof(n), &n));
	check("launch", clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size,
	    NULL, 0, NULL, NULL));
}

static void
read_back(uint32_t expected)
{
	memset(body, 0, SIZE);
	check("read", clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, SIZE,
	    body, 0, NULL, NULL));
	demand_all("read", body, expected);
}

static void
write_once(cl_uint i)
{
	fill(i);
	check("write", clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, SIZE,
	    body, 0, NULL, NULL));
	/* The program may do with it what it wants. */
	body[i] = 4711;
}

static void
map_once(cl_uint i)
{
	uint32_t *p;
	cl_int code;

	p = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ |
	    CL_MAP_WRITE, 0, SIZE, 0, NULL, NULL, &code);
	check("map", code);
	demand("mapped", p[i], 7 + i);
	p[i + 1] = 7 + i + 1;
	check("unmap", clEnqueueUnmapMemObject(queue, buffer, p, 0, NULL,
	    NULL));
}

/* The second kernel must not be seen by the read between. */
static void
later_once(cl_uint i)
{
	add(1);
	memset(kept, 0, SIZE);
	check("read", clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, SIZE,
	    kept, 0, NULL, NULL));
	add(1);
	check("finish", clFinish(queue));
	demand_all("read between kernels", kept, 7 + 2 * i + 1);
}

static void
ahead_once(cl_uint i)
{
	fill(100 * i);
	add(1);
	check("write", clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, SIZE,
	    body, 0, NULL, NULL));
	add(3);
	check("finish", clFinish(queue));
}

static void
image_once(cl_uint i)
{
	static cl_mem image;
	const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = WIDTH, .image_height = WORDS / WIDTH };
	const size_t origin[3] = { 0 }, region[3] = { WIDTH, WORDS / WIDTH,
		1 };
	cl_int code;

	if (image == NULL) {
		image = clCreateImage(context, CL_MEM_READ_WRITE, &format,
		    &desc, NULL, &code);
		check("image", code);
	}
	fill(i + 1);
	check("write", clEnqueueWriteImage(queue, image, CL_TRUE, origin,
	    region, 0, 0, body, 0, NULL, NULL));
	memset(body, 0, SIZE);
	check("read", clEnqueueReadImage(queue, image, CL_TRUE, origin,
	    region, 0, 0, body, 0, NULL, NULL));
	demand_all("image", body, i + 1);
}

static void
buffer_once(cl_uint i)
{
	uint32_t seen = 0;
	cl_int code;
	cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL,
	    &code);

	check("buffer", code);
	check("write", clEnqueueWriteBuffer(queue, b, CL_TRUE, 8, sizeof(i),
	    &i, 0, NULL, NULL));
	check("read", clEnqueueReadBuffer(queue, b, CL_TRUE, 8, sizeof(seen),
	    &seen, 0, NULL, NULL));
	demand("buffer", seen, i);
	check("release", clReleaseMemObject(b));
}

static atomic_bool done;
static atomic_uint launched;

/* Idle now and then, so that both ways of reading have their turn. */
static void *
launch_on(void *arg)
{
	const size_t size = WORDS;
	cl_kernel *other = arg;

	while (!atomic_load(&done)) {
		check("launch", clEnqueueNDRangeKernel(queue, *other, 1, NULL,
		    &size, NULL, 0, NULL, NULL));
		check("finish", atomic_fetch_add(&launched, 1) % 3 == 0 ?
		    clFinish(queue) : clFlush(queue));
	}
	return NULL;
}

static void
wait_for_launch(void)
{
	unsigned before = atomic_load(&launched);

	while (atomic_load(&launched) == before)
		check("flush", clFlush(queue));
}

static void
threads(cl_uint n)
{
	const cl_uint one = 1;
	pthread_t thread;
	cl_uint i;

	check("argument", clSetKernelArg(kernel, 1, sizeof(one), &one));
	if (pthread_create(&thread, NULL, launch_on, &kernel) != 0)
		exit(1);
	for (i = 0; i < n; i++) {
		wait_for_launch();
		if (i % 4 == 3) {
			fill(i);
			check("write", clEnqueueWriteBuffer(queue, buffer,
			    CL_TRUE, 0, SIZE, body, 0, NULL, NULL));
		}
		check("read", clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0,
		    SIZE, body, 0, NULL, NULL));
		demand_all("read beside kernels", body, body[0]);
	}
	atomic_store(&done, true);
	pthread_join(thread, NULL);
}

static void
run(const char *way, cl_uint n)
{
	cl_uint i;

	if (strcmp(way, "threads") == 0) {
		threads(n);
		return;
	}
	for (i = 0; i < n; i++) {
		if (strcmp(way, "write") == 0)
			write_once(i);
		else if (strcmp(way, "read") == 0)
			read_back(7);
		else if (strcmp(way, "map") == 0)
			map_once(i);
		else if (strcmp(way, "behind") == 0) {
			add(1);
			read_back(7 + i + 1);
		} else if (strcmp(way, "later") == 0)
			later_once(i);
		else if (strcmp(way, "ahead") == 0)
			ahead_once(i);
		else if (strcmp(way, "image") == 0)
			image_once(i);
		else if (strcmp(way, "buffers") == 0)
			buffer_once(i);
		else
			exit(2);
	}
	if (strcmp(way, "ahead") == 0 && n > 0)
		read_back(100 * (n - 1) + 3);
	else if (strcmp(way, "write") == 0 && n > 0)
		read_back(n - 1);
}

int
main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	open_all();
	run(argv[1], (cl_uint)strtoul(argv[2], NULL, 10));
	check("finish", clFinish(queue));
	puts("right");
	return 0;
}
