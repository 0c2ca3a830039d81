/* SPDX-License-Identifier: ISC */
/*
 * threads - eight threads with a queue each, in order and out of order, that
 * create, write, copy, read and wait in every way at once, with bodies of 256
 * bytes to 1 MB, and a callback for each read.
 *
 * No kernels: PoCL 3.1 aborts now and then when several threads launch one,
 * natively too (pocl_release_dlhandle_cache).
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/regress/open.h"

#define THREADS 8
#define ROUNDS 60
#define UNIT 64		/* elements */

static cl_context context;
static cl_device_id device;
static atomic_int wrong, called;

/* The event's status is what the callback says. */
static void CL_CALLBACK
on_complete(cl_event event, cl_int status, void *arg)
{
	cl_int seen = CL_QUEUED;

	(void)arg;
	clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(seen),
	    &seen, NULL);
	if (status != CL_COMPLETE || seen != CL_COMPLETE)
		atomic_fetch_add(&wrong, 1);
	clReleaseEvent(event);
	atomic_fetch_add(&called, 1);
}

struct worker {
	pthread_t thread;
	int number;
	unsigned random;
	cl_command_queue queue;
};

/* The content comes with the buffer, or by a write, which *written tells. */
static cl_mem
make_buffer(const struct worker *w, int round, size_t n, int *x,
    cl_event *written)
{
	cl_int code;
	cl_mem mem;

	if (round % 2 != 0)
		mem = clCreateBuffer(context, CL_MEM_READ_WRITE |
		    CL_MEM_COPY_HOST_PTR, n * sizeof(*x), x, &code);
	else
		mem = clCreateBuffer(context, CL_MEM_READ_WRITE,
		    n * sizeof(*x), NULL, &code);
	check("buffer", code);
	if (round % 2 == 0)
		check("write", clEnqueueWriteBuffer(w->queue, mem, CL_FALSE, 0,
		    n * sizeof(*x), x, 0, NULL, written));
	return mem;
}

static void
wait_for(const struct worker *w, int round, cl_event read)
{
	if (round % 3 == 1)
		check("wait", clWaitForEvents(1, &read));
	else if (round % 3 == 2)
		check("finish", clFinish(w->queue));
}

static void
run_round(struct worker *w, int round, int *x, int *y, size_t n)
{
	cl_event written = NULL, copied, read;
	cl_mem mem = make_buffer(w, round, n, x, &written), copy;

	copy = open_buffer(context, n * sizeof(*x));
	check("copy", clEnqueueCopyBuffer(w->queue, mem, copy, 0, 0,
	    n * sizeof(*x), written != NULL, written != NULL ? &written : NULL,
	    &copied));
	check("read", clEnqueueReadBuffer(w->queue, copy, round % 3 == 0, 0,
	    n * sizeof(*y), y, 1, &copied, &read));
	wait_for(w, round, read);
	check("callback", clSetEventCallback(read, CL_COMPLETE, on_complete,
	    NULL));
	if (written != NULL)
		check("release", clReleaseEvent(written));
	check("release", clReleaseEvent(copied));
	check("release", clReleaseMemObject(mem));
	check("release", clReleaseMemObject(copy));
}

static void *
run_worker(void *arg)
{
	struct worker *w = arg;
	size_t n, i;
	int round, *x, *y;

	for (round = 0; round < ROUNDS; round++) {
		w->random = w->random * 1103515245u + 12345u;
		n = UNIT * (1 + (w->random >> 8) % 4000);
		x = malloc(n * sizeof(*x));
		y = malloc(n * sizeof(*y));
		if (x == NULL || y == NULL)
			exit(2);
		for (i = 0; i < n; i++)
			x[i] = (int)i * w->number + round;
		run_round(w, round, x, y, n);
		for (i = 0; i < n; i++)
			if (y[i] != x[i]) {
				atomic_fetch_add(&wrong, 1);
				break;
			}
		free(x);
		free(y);
	}
	return NULL;
}

static void
start_worker(struct worker *w, int number)
{
	w->number = number;
	w->random = (unsigned)number * 77 + 1;
	w->queue = open_queue(context, device, number % 2 != 0 ?
	    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE :
	    CL_QUEUE_PROFILING_ENABLE);
	if (pthread_create(&w->thread, NULL, run_worker, w) != 0)
		exit(2);
}

int
main(void)
{
	static struct worker worker[THREADS];
	int i;

	device = open_device();
	context = open_context(device);
	for (i = 0; i < THREADS; i++)
		start_worker(&worker[i], i);
	for (i = 0; i < THREADS; i++)
		pthread_join(worker[i].thread, NULL);
	/* Callbacks come from a thread of the library's. */
	for (i = 0; i < 10000 && called < THREADS * ROUNDS; i++)
		usleep(1000);
	printf("wrong %d, called %d\n", wrong, called);
	return 0;
}
