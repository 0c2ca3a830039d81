/* SPDX-License-Identifier: ISC */
/*
 * object - calls on objects: short-lived buffers, and what a client can answer
 * without its host.
 */
#include "bench/bench.h"
#include "bench/reply.h"
#include "bench/sample.h"
#include "bench/world.h"

#define BUFFER_SIZE 4096

/* As programs use temporary buffers: each in one kernel, no wait for any. */
void
object_buffer(const struct world *w, const struct bench *b)
{
	const cl_int one = 1;
	double began;
	unsigned i;
	cl_mem mem;

	world_warm(w, 20);
	CK(clSetKernelArg(w->add, 1, sizeof(one), &one));
	began = now_us();
	for (i = 0; i < b->count; i++) {
		mem = world_buffer(w, BUFFER_SIZE);
		CK(clSetKernelArg(w->add, 0, sizeof(mem), &mem));
		world_launch(w->queue, w->add, 0, NULL, NULL);
		CK(clReleaseMemObject(mem));
	}
	CK(clFinish(w->queue));
	reply_value(b->name, NULL, b->count / (now_us() - began) * 1e6, "/s");
}

/* The same, and each waits for a write of four bytes. */
void
object_buffer_write(const struct world *w, const struct bench *b)
{
	const cl_int one = 1;
	double began;
	unsigned i;
	cl_mem mem;

	world_warm(w, 20);
	began = now_us();
	for (i = 0; i < b->count; i++) {
		mem = world_buffer(w, BUFFER_SIZE);
		CK(clEnqueueWriteBuffer(w->queue, mem, CL_TRUE, 0, sizeof(one),
		    &one, 0, NULL, NULL));
		CK(clReleaseMemObject(mem));
	}
	reply_value(b->name, NULL, b->count / (now_us() - began) * 1e6, "/s");
}

/* The mean of each call, in nanoseconds. */
static void
result(const struct bench *b, double began)
{
	reply_value(b->name, NULL, (now_us() - began) / b->count * 1e3, "ns");
}

void
object_query(const struct world *w, const struct bench *b)
{
	cl_uint units = 0;
	double began;
	unsigned i;

	began = now_us();
	for (i = 0; i < b->count; i++)
		CK(clGetDeviceInfo(w->device, CL_DEVICE_MAX_COMPUTE_UNITS,
		    sizeof(units), &units, NULL));
	result(b, began);
	if (units == 0)
		reply_fail("%s: no compute units", b->name);
}

void
object_set_arg(const struct world *w, const struct bench *b)
{
	double began;
	cl_uint i;

	began = now_us();
	for (i = 0; i < b->count; i++)
		CK(clSetKernelArg(w->spin, 1, sizeof(i), &i));
	result(b, began);
}

void
object_retain(const struct world *w, const struct bench *b)
{
	cl_mem mem = world_buffer(w, BUFFER_SIZE);
	double began;
	unsigned i;

	began = now_us();
	for (i = 0; i < b->count; i++) {
		CK(clRetainMemObject(mem));
		CK(clReleaseMemObject(mem));
	}
	result(b, began);
	CK(clReleaseMemObject(mem));
}
