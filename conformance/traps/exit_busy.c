/* SPDX-License-Identifier: ISC */
/* The program ends while its commands run, nothing waited for or released. */
#include <stdlib.h>
#include <unistd.h>

#include "conformance/traps/traps.h"

#define SIZE ((size_t)8 << 20)

static void CL_CALLBACK
ignore(cl_event event, cl_int status, void *arg)
{
	(void)event;
	(void)status;
	(void)arg;
	usleep(10000);
}

static void
child(int how)
{
	char *x = get(SIZE);
	cl_event e;
	cl_mem m;
	int i;

	open_device();
	m = buffer_new(SIZE, NULL);
	for (i = 0; i < 20; i++) {
		must(clEnqueueWriteBuffer(queue, m, CL_FALSE, 0, SIZE, x, 0,
		    NULL, NULL), "clEnqueueWriteBuffer");
		must(clEnqueueReadBuffer(queue, m, CL_FALSE, 0, SIZE, x, 0,
		    NULL, &e), "clEnqueueReadBuffer");
		must(clSetEventCallback(e, CL_COMPLETE, ignore, NULL),
		    "clSetEventCallback");
	}
	must(clFlush(queue), "clFlush");
	if (how == 0)
		_exit(11);
	exit(12);
}

void
exit_busy(void)
{
	int how, pid;

	for (how = 0; how < 2; how++) {
		if ((pid = fork_now()) == 0)
			child(how);
		say_end(how == 0 ? "_exit" : "exit", pid);
	}
}
