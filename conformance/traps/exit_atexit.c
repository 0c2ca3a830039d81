/* SPDX-License-Identifier: ISC */
/*
 * Static objects of C++ programs release what they hold, and more, when main
 * has returned and the library's own handlers have run.
 */
#include <stdlib.h>

#include "conformance/traps/traps.h"

static cl_kernel kernel;
static cl_event event;
static cl_mem mem;

static void
release_all(void)
{
	int y[4] = { 0 };

	say("launch: %d", clReleaseEvent(add_launch(queue, kernel, mem, 1, 4,
	    0, NULL)));
	say("read: %d", clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(y),
	    y, 0, NULL, NULL));
	say("%d %d", y[0], y[3]);
	say("event: %d", clReleaseEvent(event));
	say("kernel: %d", clReleaseKernel(kernel));
	say("buffer: %d", clReleaseMemObject(mem));
	say("queue: %d", clReleaseCommandQueue(queue));
	say("context: %d", clReleaseContext(context));
}

static void
child(void)
{
	int x[4] = { 1, 2, 3, 4 };

	/* Before the library is there, so it runs after all of the library's. */
	if (atexit(release_all) != 0)
		die("no atexit");
	open_device();
	kernel = kernel_new(add_source, "add");
	mem = buffer_new(sizeof(x), x);
	event = add_launch(queue, kernel, mem, 10, 4, 0, NULL);
	exit(3);
}

void
exit_atexit(void)
{
	int pid;

	if ((pid = fork_now()) == 0)
		child();
	say_end("program", pid);
}
