/* SPDX-License-Identifier: ISC */
/* A callback forks; its thread is all that the child has. */
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "conformance/traps/traps.h"

static atomic_int called, ended;
static int pid;

static void CL_CALLBACK
on_complete(cl_event event, cl_int status, void *arg)
{
	(void)event;
	(void)arg;
	pid = fork_now();
	if (pid == 0) {
		say("in the child: %d, status %d", compute(), status);
		_exit(0);
	}
	atomic_fetch_add(&called, 1);
}

/* A callback of the child's own, while the one that forked is not over. */
static void CL_CALLBACK
count(cl_event event, cl_int status, void *arg)
{
	(void)event;
	(void)status;
	(void)arg;
	atomic_fetch_add(&ended, 1);
}

void
fork_callback(void)
{
	cl_event e;

	open_device();
	must(clEnqueueMarkerWithWaitList(queue, 0, NULL, &e),
	    "clEnqueueMarkerWithWaitList");
	must(clSetEventCallback(e, CL_COMPLETE, on_complete, NULL),
	    "clSetEventCallback");
	must(clFinish(queue), "clFinish");
	say("called: %d", reaches(&called, 1));
	say_end("child", pid);
	must(clSetEventCallback(e, CL_COMPLETE, count, NULL),
	    "clSetEventCallback");
	say("called again: %d", reaches(&ended, 1));
	say("parent: %d", compute());
}
