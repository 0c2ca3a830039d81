/* SPDX-License-Identifier: ISC */
/* A thread with 64 KiB of stack calls everything but the compiler. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "conformance/traps/traps.h"

#define SIZE ((size_t)1 << 20)

static cl_mem mem;

static void *
work(void *arg)
{
	char *x = get(SIZE), *y = get(SIZE);
	cl_event gate = gate_new(), e;
	cl_int code;
	void *p;

	memset(x, 7, SIZE);
	must(clEnqueueWriteBuffer(queue, mem, CL_FALSE, 0, SIZE, x, 1, &gate,
	    &e), "clEnqueueWriteBuffer");
	gate_open(gate, CL_COMPLETE);
	must(clWaitForEvents(1, &e), "clWaitForEvents");
	must(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, SIZE, y, 0, NULL,
	    NULL), "clEnqueueReadBuffer");
	say("read: %d", memcmp(x, y, SIZE));
	p = clEnqueueMapBuffer(queue, mem, CL_TRUE, CL_MAP_READ, 0, SIZE, 0,
	    NULL, NULL, &code);
	must(code, "clEnqueueMapBuffer");
	say("mapped: %d", memcmp(x, p, SIZE));
	must(clEnqueueUnmapMemObject(queue, mem, p, 0, NULL, NULL), "unmap");
	say("finish: %d", clFinish(queue));
	must(clReleaseEvent(e), "clReleaseEvent");
	return arg;
}

void
small_stack(void)
{
	pthread_attr_t attr;
	pthread_t thread;

	open_device();
	mem = buffer_new(SIZE, NULL);
	pthread_attr_init(&attr);
	if (pthread_attr_setstacksize(&attr, 65536) != 0 ||
	    pthread_create(&thread, &attr, work, NULL) != 0)
		die("no thread");
	pthread_join(thread, NULL);
	say("joined");
}
