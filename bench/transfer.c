/* SPDX-License-Identifier: ISC */
/*
 * transfer - blocking reads and writes, and maps.
 *
 * Contents are such that nothing can be left out or compressed, and change
 * from one transfer to the next; they are compared outside of the time.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/reply.h"
#include "bench/sample.h"
#include "bench/world.h"

#define RATES_FROM (1024 * 1024) /* bytes; shorter ones are given in us */

static uint64_t state = 88172645463325252;

/* Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (14), 2003 */
static void
fill(unsigned char *p, size_t size)
{
	size_t done;

	for (done = 0; done < size; done += sizeof(state)) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		memcpy(p + done, &state, size - done < sizeof(state) ?
		    size - done : sizeof(state));
	}
}

/* Changes each page of it, at little cost. */
static void
change(unsigned char *p, size_t size, unsigned seed)
{
	size_t at;

	for (at = 0; at < size; at += 4096)
		p[at] = (unsigned char)(p[at] + seed + 1);
}

static unsigned char *
memory(size_t size)
{
	unsigned char *p = malloc(size);

	if (p == NULL)
		reply_fail("no memory for %zu bytes", size);
	memset(p, 1, size);
	return p;
}

static void
compare(const struct bench *b, const void *got, const void *expected)
{
	if (memcmp(got, expected, b->size) != 0)
		reply_fail("%s: wrong contents", b->name);
}

static void
result(const struct bench *b, struct samples *s)
{
	double t = samples_at(s, 0.5);

	if (b->size >= RATES_FROM)
		reply_value(b->name, NULL, (double)b->size / t, "MB/s");
	else
		reply_value(b->name, NULL, t, "us");
	samples_fini(s);
}

void
transfer_write(const struct world *w, const struct bench *b)
{
	unsigned char *sent = memory(b->size), *got = memory(b->size);
	cl_mem mem = world_buffer(w, b->size);
	struct samples s;
	double began;
	unsigned i;

	fill(sent, b->size);
	samples_init(&s, b->count);
	/* once before it counts, so that all pages are there */
	for (i = 0; i <= b->count; i++) {
		change(sent, b->size, i);
		began = now_us();
		CK(clEnqueueWriteBuffer(w->queue, mem, CL_TRUE, 0, b->size,
		    sent, 0, NULL, NULL));
		if (i > 0)
			samples_add(&s, now_us() - began);
	}
	CK(clEnqueueReadBuffer(w->queue, mem, CL_TRUE, 0, b->size, got, 0,
	    NULL, NULL));
	compare(b, got, sent);
	result(b, &s);
	CK(clReleaseMemObject(mem));
	free(sent);
	free(got);
}

/* stir's contents for a value, in this process. */
static void
stirred(unsigned char *p, size_t size, cl_uint v)
{
	cl_uint i, x;

	for (i = 0; i < size / sizeof(x); i++) {
		x = (i + v) * 2654435761U;
		memcpy(p + i * sizeof(x), &x, sizeof(x));
	}
}

/* Let the device change all of a buffer, so that nobody has a copy of it. */
static void
stir(const struct world *w, cl_mem mem, size_t size, cl_uint v)
{
	const size_t n = size / sizeof(v);

	CK(clSetKernelArg(w->stir, 0, sizeof(mem), &mem));
	CK(clSetKernelArg(w->stir, 1, sizeof(v), &v));
	CK(clEnqueueNDRangeKernel(w->queue, w->stir, 1, NULL, &n, NULL, 0, NULL,
	    NULL));
	CK(clFinish(w->queue));
}

void
transfer_read(const struct world *w, const struct bench *b)
{
	unsigned char *got = memory(b->size), *expected = memory(b->size);
	cl_mem mem = world_buffer(w, b->size);
	struct samples s;
	double began;
	unsigned i;

	samples_init(&s, b->count);
	for (i = 0; i <= b->count; i++) {
		stir(w, mem, b->size, i);
		began = now_us();
		CK(clEnqueueReadBuffer(w->queue, mem, CL_TRUE, 0, b->size, got,
		    0, NULL, NULL));
		if (i > 0)
			samples_add(&s, now_us() - began);
	}
	stirred(expected, b->size, b->count);
	compare(b, got, expected);
	result(b, &s);
	CK(clReleaseMemObject(mem));
	free(got);
	free(expected);
}

static unsigned char *
map(const struct world *w, cl_mem mem, size_t size, cl_map_flags flags)
{
	unsigned char *p;
	cl_int code;

	p = clEnqueueMapBuffer(w->queue, mem, CL_TRUE, flags, 0, size, 0, NULL,
	    NULL, &code);
	world_check(code, "clEnqueueMapBuffer");
	return p;
}

static void
unmap(const struct world *w, cl_mem mem, void *p)
{
	CK(clEnqueueUnmapMemObject(w->queue, mem, p, 0, NULL, NULL));
	CK(clFinish(w->queue));
}

/* Map and unmap; what the program does in between does not count. */
void
transfer_map_read(const struct world *w, const struct bench *b)
{
	unsigned char *expected = memory(b->size), *p;
	cl_mem mem = world_buffer(w, b->size);
	double began, mapped;
	struct samples s;
	unsigned i;

	samples_init(&s, b->count);
	for (i = 0; i <= b->count; i++) {
		stir(w, mem, b->size, i);
		began = now_us();
		p = map(w, mem, b->size, CL_MAP_READ);
		mapped = now_us() - began;
		if (i == b->count) {
			stirred(expected, b->size, i);
			compare(b, p, expected);
		}
		began = now_us();
		unmap(w, mem, p);
		if (i > 0)
			samples_add(&s, mapped + now_us() - began);
	}
	reply_value(b->name, NULL, samples_at(&s, 0.5), "us");
	samples_fini(&s);
	CK(clReleaseMemObject(mem));
	free(expected);
}

void
transfer_map_invalidate(const struct world *w, const struct bench *b)
{
	unsigned char *sent = memory(b->size), *got = memory(b->size), *p;
	cl_mem mem = world_buffer(w, b->size);
	double began, mapped;
	struct samples s;
	unsigned i;

	fill(sent, b->size);
	samples_init(&s, b->count);
	for (i = 0; i <= b->count; i++) {
		change(sent, b->size, i);
		began = now_us();
		p = map(w, mem, b->size, CL_MAP_WRITE_INVALIDATE_REGION);
		mapped = now_us() - began;
		memcpy(p, sent, b->size);
		began = now_us();
		unmap(w, mem, p);
		if (i > 0)
			samples_add(&s, mapped + now_us() - began);
	}
	CK(clEnqueueReadBuffer(w->queue, mem, CL_TRUE, 0, b->size, got, 0,
	    NULL, NULL));
	compare(b, got, sent);
	reply_value(b->name, NULL, samples_at(&s, 0.5), "us");
	samples_fini(&s);
	CK(clReleaseMemObject(mem));
	free(sent);
	free(got);
}
