/* SPDX-License-Identifier: ISC */
/*
 * between - a buffer's way from one vendor's device to another's in one
 * context, and back.
 *
 * A kernel writes all of it on one device; what counts is a kernel of one
 * work-item that uses it on the other.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/reply.h"
#include "bench/sample.h"
#include "bench/world.h"

#define DEVICES_MAX 64

static void
vendor_of(cl_device_id device, char name[256])
{
	CK(clGetDeviceInfo(device, CL_DEVICE_VENDOR, 256, name, NULL));
}

/* The first device of the platform that another vendor made. */
static cl_device_id
other_vendors(const struct world *w)
{
	cl_device_id all[DEVICES_MAX];
	char first[256], name[256];
	cl_uint i, n;

	CK(clGetDeviceIDs(w->platform, CL_DEVICE_TYPE_ALL, DEVICES_MAX, all,
	    &n));
	vendor_of(w->device, first);
	for (i = 0; i < n && i < DEVICES_MAX; i++) {
		vendor_of(all[i], name);
		if (strcmp(name, first) != 0)
			return all[i];
	}
	reply_fail("no device of another vendor than \"%s\"", first);
}

/* Let it be written on that side, then used on the other: how long, in us. */
static double
cross(const struct world *from, const struct world *to, cl_mem mem,
    size_t size, cl_uint v)
{
	const size_t n = size / sizeof(v);
	const cl_int one = 1;
	double began;

	CK(clSetKernelArg(from->stir, 0, sizeof(mem), &mem));
	CK(clSetKernelArg(from->stir, 1, sizeof(v), &v));
	CK(clEnqueueNDRangeKernel(from->queue, from->stir, 1, NULL, &n, NULL, 0,
	    NULL, NULL));
	CK(clFinish(from->queue));
	CK(clSetKernelArg(to->add, 0, sizeof(mem), &mem));
	CK(clSetKernelArg(to->add, 1, sizeof(one), &one));
	began = now_us();
	world_launch(to->queue, to->add, 0, NULL, NULL);
	CK(clFinish(to->queue));
	return now_us() - began;
}

/* As stir and add have left it. */
static void
check(const struct world *w, const struct bench *b, cl_mem mem, cl_uint v)
{
	cl_uint *got = malloc(b->size), i;

	if (got == NULL)
		reply_fail("no memory for %zu bytes", b->size);
	CK(clEnqueueReadBuffer(w->queue, mem, CL_TRUE, 0, b->size, got, 0,
	    NULL, NULL));
	for (i = 0; i < b->size / sizeof(v); i++)
		if (got[i] != (i + v) * 2654435761U + (i == 0))
			reply_fail("%s: wrong contents", b->name);
	free(got);
}

static void
result(const struct bench *b, const char *part, struct samples *s)
{
	reply_value(b->name, part, (double)b->size / samples_at(s, 0.5),
	    "MB/s");
	samples_fini(s);
}

/* The first device of the platform and that of another vendor. */
static void
open_pair(const struct world *w, struct world side[2])
{
	const cl_device_id devices[2] = { w->device, other_vendors(w) };
	cl_context context;
	cl_int code;

	context = clCreateContext(NULL, 2, devices, NULL, NULL, &code);
	world_check(code, "clCreateContext");
	world_init_in(&side[0], w->platform, devices[0], context);
	world_init_in(&side[1], w->platform, devices[1], context);
	CK(clReleaseContext(context));
}

void
between(const struct world *w, const struct bench *b)
{
	struct samples there, back;
	struct world side[2];
	double t, u;
	cl_mem mem;
	cl_uint i;

	open_pair(w, side);
	mem = world_buffer(&side[0], b->size);
	samples_init(&there, b->count);
	samples_init(&back, b->count);
	/* once before it counts, so that all pages are there */
	for (i = 0; i <= b->count; i++) {
		t = cross(&side[0], &side[1], mem, b->size, i);
		u = cross(&side[1], &side[0], mem, b->size, i + 7);
		if (i > 0) {
			samples_add(&there, t);
			samples_add(&back, u);
		}
	}
	check(&side[0], b, mem, b->count + 7);
	result(b, "there", &there);
	result(b, "back", &back);
	CK(clReleaseMemObject(mem));
	world_fini(&side[0]);
	world_fini(&side[1]);
}
