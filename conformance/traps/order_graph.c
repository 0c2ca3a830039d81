/* SPDX-License-Identifier: ISC */
/*
 * Random graphs of commands in an out-of-order queue, ordered by wait lists
 * alone, must do what the same commands do one after the other.
 */
#include <stdlib.h>
#include <string.h>

#include "conformance/traps/traps.h"

#define BUFFERS 6
#define N 512
#define COMMANDS 120
#define SEEDS 4

struct buffer {
	cl_mem mem;
	int model[N];
	cl_event written;		/* by whom last; NULL: nobody */
	cl_event read[COMMANDS];	/* since then */
	cl_uint reads;
};

static struct buffer buffers[BUFFERS];
static cl_command_queue any;
static cl_kernel kernel;
static unsigned state;

static unsigned
pick(unsigned n)
{
	state = state * 1103515245u + 12345u;
	return (state >> 16) % n;
}

/* What a command has to wait for that reads from and writes to. */
static cl_uint
causes(const struct buffer *from, const struct buffer *to, cl_event *list)
{
	cl_uint n = 0, i;

	if (from != NULL && from->written != NULL)
		list[n++] = from->written;
	if (to != NULL && to != from && to->written != NULL)
		list[n++] = to->written;
	for (i = 0; to != NULL && i < to->reads; i++)
		list[n++] = to->read[i];
	return n;
}

static void
forget(struct buffer *b)
{
	cl_uint i;

	if (b->written != NULL)
		must(clReleaseEvent(b->written), "clReleaseEvent");
	for (i = 0; i < b->reads; i++)
		must(clReleaseEvent(b->read[i]), "clReleaseEvent");
	b->written = NULL;
	b->reads = 0;
}

static void
done(struct buffer *from, struct buffer *to, cl_event e)
{
	if (from != NULL && from != to) {
		must(clRetainEvent(e), "clRetainEvent");
		from->read[from->reads++] = e;
	}
	forget(to);
	to->written = e;
}

static void
copy(struct buffer *from, struct buffer *to, cl_uint n, const cl_event *list)
{
	cl_event e;

	must(clEnqueueCopyBuffer(any, from->mem, to->mem, 0, 0,
	    sizeof(to->model), n, n > 0 ? list : NULL, &e),
	    "clEnqueueCopyBuffer");
	memcpy(to->model, from->model, sizeof(to->model));
	done(from, to, e);
}

static void
step(int *values)
{
	struct buffer *to = &buffers[pick(BUFFERS)];
	struct buffer *from = &buffers[pick(BUFFERS)];
	cl_event list[COMMANDS * 2], e;
	unsigned what = pick(4);
	cl_uint n = causes(what == 0 ? from : NULL, to, list);
	int amount = (int)pick(1000), i;

	if (what == 0) {
		if (from != to)
			copy(from, to, n, list);
		return;
	}
	if (what == 1) {
		e = add_launch(any, kernel, to->mem, amount, N, n,
		    n > 0 ? list : NULL);
	} else if (what == 2) {
		must(clEnqueueFillBuffer(any, to->mem, &amount, sizeof(amount),
		    0, sizeof(to->model), n, n > 0 ? list : NULL, &e),
		    "clEnqueueFillBuffer");
	} else {
		for (i = 0; i < N; i++)
			values[i] = amount + i;
		must(clEnqueueWriteBuffer(any, to->mem, CL_FALSE, 0,
		    sizeof(to->model), values, n, n > 0 ? list : NULL, &e),
		    "clEnqueueWriteBuffer");
	}
	for (i = 0; i < N; i++)
		to->model[i] = what == 1 ? to->model[i] + amount :
		    what == 2 ? amount : values[i];
	done(NULL, to, e);
}

static int
compare(struct buffer *b)
{
	int y[N];
	cl_event list[COMMANDS * 2];
	cl_uint n = causes(b, NULL, list);

	must(clEnqueueReadBuffer(any, b->mem, CL_TRUE, 0, sizeof(y), y, n,
	    n > 0 ? list : NULL, NULL), "clEnqueueReadBuffer");
	forget(b);
	return memcmp(y, b->model, sizeof(y)) != 0;
}

void
order_graph(void)
{
	int *values = get(COMMANDS * N * sizeof(*values)), i, seed, wrong;

	open_device();
	any = queue_new(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	kernel = kernel_new(add_source, "add");
	for (i = 0; i < BUFFERS; i++)
		buffers[i].mem = buffer_new(sizeof(buffers[i].model),
		    buffers[i].model);
	for (seed = 1; seed <= SEEDS; seed++) {
		state = (unsigned)seed;
		for (i = 0; i < COMMANDS; i++)
			step(values + i * N);
		for (wrong = i = 0; i < BUFFERS; i++)
			wrong += compare(&buffers[i]);
		say("seed %d: %d wrong", seed, wrong);
	}
	must(clFinish(any), "clFinish");
}
