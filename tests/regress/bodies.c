/* SPDX-License-Identifier: ISC */
/*
 * bodies - writes, reads, maps, rectangles, fills, copies and kernels of
 * random places and sizes of a few buffers, up to megabytes, in a random mix
 * that waits and does not wait, compared with the same done in plain memory.
 *
 *	bodies SEED STEPS [out-of-order]
 *
 * Contents are random, text, a repeated pattern or nothing but zeros, so that
 * each of the ways in which a body may travel has its turn.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUFFERS 3
#define SIZE ((size_t)3 << 20)
#define PITCH ((size_t)4096)
#define SUB_ORIGIN ((size_t)1 << 20)
#define KEPT_MAX 64

/* Memory that a command uses until the next finish. */
struct kept {
	uint8_t *p, *expected;	/* expected: of a read, else NULL */
	size_t size;
};

static cl_context context;
static cl_command_queue queue;
static cl_kernel kernel;
static cl_mem buffer[BUFFERS], part[BUFFERS];
static uint8_t *model[BUFFERS];
static struct kept kept[KEPT_MAX];
static unsigned kept_count, step;
static uint64_t state;
static bool chained;
static cl_event last, gate;

static void
check(const char *what, cl_int code)
{
	if (code == CL_SUCCESS)
		return;
	printf("step %u: %s: %d\n", step, what, code);
	exit(1);
}

static uint64_t
any(uint64_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % n;
}

/* Many are long, some are short; a multiple of 4. */
static size_t
any_size(size_t max)
{
	size_t n = any(4) == 0 ? 4 + any(4096) : 4 + any(max - 4);

	return (n < max ? n : max) & ~(size_t)3;
}

static void
make_content(uint8_t *p, size_t n)
{
	unsigned kind = (unsigned)any(4);
	uint64_t word = any(1u << 30) * any(1u << 30);
	size_t i;

	for (i = 0; i < n; i++)
		p[i] = kind == 0 ? 0 : kind == 1 ? (uint8_t)any(256) :
		    kind == 2 ? (uint8_t)(word >> i % 8 * 8) :
		    (uint8_t)"a text of which there is a lot "[i % 31 ^
		    (i / 4096 & 1)];
	if (kind == 0 && any(2) == 0)
		p[any(n)] = 1;
}

static uint8_t *
keep(size_t n, const uint8_t *expected)
{
	struct kept *k = &kept[kept_count++];

	k->p = malloc(n);
	k->size = n;
	k->expected = NULL;
	if (expected != NULL) {
		k->expected = malloc(n);
		memcpy(k->expected, expected, n);
		memset(k->p, 0xa5, n);
	}
	return k->p;
}

static void
compare(const uint8_t *got, const uint8_t *expected, size_t n)
{
	size_t i;

	if (memcmp(got, expected, n) == 0)
		return;
	for (i = 0; got[i] == expected[i]; i++)
		;
	printf("step %u: byte %zu of %zu is %u, expected %u\n", step, i, n,
	    got[i], expected[i]);
	exit(1);
}

static void
finish(void)
{
	struct kept *k;

	if (gate != NULL) {
		check("set gate", clSetUserEventStatus(gate, CL_COMPLETE));
		check("release gate", clReleaseEvent(gate));
		gate = NULL;
	}
	check("finish", clFinish(queue));
	for (k = kept; k < kept + kept_count; k++) {
		if (k->expected != NULL)
			compare(k->p, k->expected, k->size);
		free(k->p);
		free(k->expected);
	}
	kept_count = 0;
}

/* What a command waits for: the one before it, where order does not do. */
static cl_uint
waits(const cl_event **list)
{
	*list = chained && last != NULL ? &last : NULL;
	return *list != NULL ? 1 : 0;
}

static void
took_place(cl_event e)
{
	if (last != NULL)
		check("release", clReleaseEvent(last));
	last = e;
}

/* ---- steps --------------------------------------------------------------- */

static void
do_write(unsigned b)
{
	size_t n = any_size(SIZE), at = any(SIZE - n + 1) & ~(size_t)3;
	cl_bool blocking = any(2) == 0 && gate == NULL;
	bool in_part = any(4) == 0 && at >= SUB_ORIGIN;
	uint8_t *p = keep(n, NULL);
	const cl_event *list;
	cl_uint count = waits(&list);
	cl_event e;

	make_content(p, n);
	memcpy(model[b] + at, p, n);
	check("write", clEnqueueWriteBuffer(queue, in_part ? part[b] :
	    buffer[b], blocking, in_part ? at - SUB_ORIGIN : at, n, p, count,
	    list, &e));
	took_place(e);
}

static void
do_read(unsigned b)
{
	size_t n = any_size(SIZE), at = any(SIZE - n + 1) & ~(size_t)3;
	cl_bool blocking = any(2) == 0 && gate == NULL;
	bool in_part = any(4) == 0 && at >= SUB_ORIGIN;
	uint8_t *p = keep(n, model[b] + at);
	const cl_event *list;
	cl_uint count = waits(&list);
	cl_event e;

	check("read", clEnqueueReadBuffer(queue, in_part ? part[b] :
	    buffer[b], blocking, in_part ? at - SUB_ORIGIN : at, n, p, count,
	    list, &e));
	if (blocking)
		compare(p, model[b] + at, n);
	took_place(e);
}

static void
do_map(unsigned b)
{
	static const cl_map_flags flags[] = { CL_MAP_READ,
		CL_MAP_READ | CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION };
	size_t n = any_size(SIZE), at = any(SIZE - n + 1) & ~(size_t)3;
	cl_map_flags how = flags[any(3)];
	bool blocking = any(2) == 0 && gate == NULL;
	const cl_event *list;
	cl_uint count = waits(&list);
	cl_event e;
	cl_int code;
	uint8_t *p = clEnqueueMapBuffer(queue, buffer[b], blocking, how, at, n,
	    count, list, &e, &code);

	check("map", code);
	took_place(e);
	if (!blocking)
		finish();
	if (!(how & CL_MAP_WRITE_INVALIDATE_REGION))
		compare(p, model[b] + at, n);
	if (how != CL_MAP_READ) {
		make_content(p, n);
		memcpy(model[b] + at, p, n);
	}
	count = waits(&list);
	check("unmap", clEnqueueUnmapMemObject(queue, buffer[b], p, count,
	    list, &e));
	took_place(e);
}

static void
do_rectangle(unsigned b)
{
	const size_t region[3] = { 4 + any(PITCH - 4), 1 + any(SIZE / PITCH),
		1 }, zero[3] = { 0, 0, 0 };
	const size_t origin[3] = { any(PITCH - region[0] + 1),
		any(SIZE / PITCH - region[1] + 1), 0 };
	size_t n = region[0] * region[1], row;
	bool reads = any(2) == 0;
	uint8_t *packed = malloc(n), *p;
	uint8_t *of = model[b] + origin[1] * PITCH + origin[0];
	cl_bool blocking = any(2) == 0 && gate == NULL;
	const cl_event *list;
	cl_uint count = waits(&list);
	cl_event e;

	for (row = 0; row < region[1]; row++)
		memcpy(packed + row * region[0], of + row * PITCH, region[0]);
	p = keep(n, reads ? packed : NULL);
	free(packed);
	if (reads) {
		check("read rectangle", clEnqueueReadBufferRect(queue,
		    buffer[b], blocking, origin, zero, region, PITCH, 0,
		    region[0], 0, p, count, list, &e));
	} else {
		make_content(p, n);
		for (row = 0; row < region[1]; row++)
			memcpy(of + row * PITCH, p + row * region[0],
			    region[0]);
		check("write rectangle", clEnqueueWriteBufferRect(queue,
		    buffer[b], blocking, origin, zero, region, PITCH, 0,
		    region[0], 0, p, count, list, &e));
	}
	took_place(e);
}

static void
do_device(unsigned b)
{
	unsigned other = (b + 1) % BUFFERS;
	size_t n = any_size(SIZE), at = any(SIZE - n + 1) & ~(size_t)3, i;
	size_t global = n / 4, offset = at / 4;
	const uint32_t value = (uint32_t)any(1u << 30);
	const cl_event *list;
	cl_uint count = waits(&list);
	cl_event e;
	uint32_t word;

	switch (any(3)) {
	case 0:
		for (i = at; i < at + n; i += 4)
			memcpy(model[b] + i, &value, 4);
		check("fill", clEnqueueFillBuffer(queue, buffer[b], &value, 4,
		    at, n, count, list, &e));
		break;
	case 1:
		memcpy(model[other] + at, model[b] + at, n);
		check("copy", clEnqueueCopyBuffer(queue, buffer[b],
		    buffer[other], at, at, n, count, list, &e));
		break;
	default:
		for (i = at; i < at + n; i += 4) {
			memcpy(&word, model[b] + i, 4);
			word = word * 3 + 1;
			memcpy(model[b] + i, &word, 4);
		}
		check("set argument", clSetKernelArg(kernel, 0,
		    sizeof(cl_mem), &buffer[b]));
		check("launch", clEnqueueNDRangeKernel(queue, kernel, 1,
		    &offset, &global, NULL, count, list, &e));
	}
	took_place(e);
}

/* What follows waits for a user event, until somebody finishes. */
static void
do_gate(void)
{
	cl_event list[2];
	cl_uint count = 0;
	cl_event e;
	cl_int code;

	if (gate != NULL)
		return;
	gate = clCreateUserEvent(context, &code);
	check("user event", code);
	list[count++] = gate;
	if (last != NULL)
		list[count++] = last;
	check("marker", clEnqueueMarkerWithWaitList(queue, count, list, &e));
	took_place(e);
}

static void
do_step(void)
{
	unsigned b = (unsigned)any(BUFFERS);

	switch (any(10)) {
	case 0: case 1: do_write(b); break;
	case 2: case 3: do_read(b); break;
	case 4: case 5: do_map(b); break;
	case 6: do_rectangle(b); break;
	case 7: case 8: do_device(b); break;
	default: if (any(3) == 0) do_gate(); else finish();
	}
	if (kept_count == KEPT_MAX)
		finish();
}

/* ---- start --------------------------------------------------------------- */

static void
make_buffers(void)
{
	const cl_buffer_region region = { SUB_ORIGIN, SIZE - SUB_ORIGIN };
	cl_int code;
	unsigned b;

	for (b = 0; b < BUFFERS; b++) {
		model[b] = malloc(SIZE);
		make_content(model[b], SIZE);
		buffer[b] = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR,
		    SIZE, model[b], &code);
		check("buffer", code);
		part[b] = clCreateSubBuffer(buffer[b], CL_MEM_READ_WRITE,
		    CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
		check("part", code);
	}
}

static void
make_kernel(cl_device_id device)
{
	const char *source = "kernel void advance(global uint *p)"
	    "{ p[get_global_id(0)] = p[get_global_id(0)] * 3 + 1; }";
	cl_program program;
	cl_int code;

	program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
	check("program", code);
	check("build", clBuildProgram(program, 1, &device, "", NULL, NULL));
	kernel = clCreateKernel(program, "advance", &code);
	check("kernel", code);
}

int
main(int argc, char **argv)
{
	cl_command_queue_properties properties;
	cl_platform_id platform;
	cl_device_id device;
	cl_int code;
	unsigned steps;

	if (argc < 3)
		return 2;
	state = strtoul(argv[1], NULL, 10);
	steps = (unsigned)strtoul(argv[2], NULL, 10);
	chained = argc > 3;
	check("platform", clGetPlatformIDs(1, &platform, NULL));
	check("device", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1,
	    &device, NULL));
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
	check("context", code);
	properties = chained ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
	if (any(2) == 0)
		properties |= CL_QUEUE_PROFILING_ENABLE;
	queue = clCreateCommandQueue(context, device, properties, &code);
	check("queue", code);
	make_kernel(device);
	make_buffers();
	for (step = 0; step < steps; step++)
		do_step();
	finish();
	printf("%u steps\n", steps);
	return 0;
}
