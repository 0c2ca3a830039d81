/* SPDX-License-Identifier: ISC */
/*
 * Each kind of command tells each of its states once, whatever it was
 * registered for.
 */
#include <stdatomic.h>

#include "conformance/traps/traps.h"

#define SIZE 4096
#define COMMANDS 9

static atomic_int called[COMMANDS][3], total, wrong;

static void CL_CALLBACK
count(cl_event event, cl_int status, void *arg)
{
	int i = (int)(size_t)arg;

	(void)event;
	/* What it is called with is at least what was asked for. */
	if (status > i % 3 || status < 0)
		atomic_fetch_add(&wrong, 1);
	atomic_fetch_add(&called[i / 3][i % 3], 1);
	atomic_fetch_add(&total, 1);
}

static void
watch(int command, cl_event e)
{
	int i;

	for (i = 0; i < 3; i++)
		must(clSetEventCallback(e, i, count,
		    (void *)(size_t)(command * 3 + i)), "clSetEventCallback");
	must(clReleaseEvent(e), "clReleaseEvent");
}

static void
enqueue_all(const cl_event *gate, char *x, char *y)
{
	cl_kernel k = kernel_new(add_source, "add");
	cl_mem a = buffer_new(SIZE, NULL), b = buffer_new(SIZE, NULL);
	cl_event e[COMMANDS];
	cl_int code, zero = 0;
	void *p;
	int i;

	must(clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, SIZE, x, 1, gate,
	    &e[0]), "write");
	must(clEnqueueCopyBuffer(queue, a, b, 0, 0, SIZE, 0, NULL, &e[1]),
	    "copy");
	must(clEnqueueFillBuffer(queue, a, &zero, sizeof(zero), 0, SIZE, 0,
	    NULL, &e[2]), "fill");
	e[3] = add_launch(queue, k, b, 1, SIZE / 4, 0, NULL);
	must(clEnqueueReadBuffer(queue, b, CL_FALSE, 0, SIZE, y, 0, NULL,
	    &e[4]), "read");
	p = clEnqueueMapBuffer(queue, b, CL_FALSE, CL_MAP_WRITE, 0, SIZE, 0,
	    NULL, &e[5], &code);
	must(code, "map");
	must(clEnqueueUnmapMemObject(queue, b, p, 0, NULL, &e[6]), "unmap");
	must(clEnqueueMarkerWithWaitList(queue, 0, NULL, &e[7]), "marker");
	must(clEnqueueBarrierWithWaitList(queue, 0, NULL, &e[8]), "barrier");
	for (i = 0; i < COMMANDS; i++)
		watch(i, e[i]);
}

void
callback_once(void)
{
	char *x = get(SIZE), *y = get(SIZE);
	cl_event gate;
	int i;

	open_device();
	gate = gate_new();
	enqueue_all(&gate, x, y);
	must(clFlush(queue), "clFlush");
	gate_open(gate, CL_COMPLETE);
	must(clFinish(queue), "clFinish");
	say("all: %d", reaches(&total, COMMANDS * 3));
	for (i = 0; i < COMMANDS; i++)
		say("command %d: %d %d %d", i, atomic_load(&called[i][0]),
		    atomic_load(&called[i][1]), atomic_load(&called[i][2]));
	say("wrong: %d", atomic_load(&wrong));
}
