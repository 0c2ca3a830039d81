/* SPDX-License-Identifier: ISC */
/* Callbacks that are registered when the command is long over. */
#include <stdatomic.h>

#include "conformance/traps/traps.h"

static atomic_int called[3], status[3];

static void CL_CALLBACK
count(cl_event event, cl_int s, void *arg)
{
	int i = (int)(size_t)arg;

	(void)event;
	atomic_store(&status[i], s);
	atomic_fetch_add(&called[i], 1);
}

static void
try(const char *name, cl_event e)
{
	int i;

	for (i = 0; i < 3; i++) {
		atomic_store(&called[i], 0);
		must(clSetEventCallback(e, i, count, (void *)(size_t)i),
		    "clSetEventCallback");
	}
	say("%s: all called %d", name, reaches(&called[0], 1) &&
	    reaches(&called[1], 1) && reaches(&called[2], 1));
	for (i = 0; i < 3; i++)
		say("%s: %d called %d, status %d", name, i,
		    atomic_load(&called[i]), atomic_load(&status[i]));
}

void
callback_finished(void)
{
	int x[1000] = { 0 };
	cl_event e, user;
	cl_mem m;

	open_device();
	m = buffer_new(sizeof(x), x);
	must(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof(x), x, 0, NULL,
	    &e), "clEnqueueReadBuffer");
	try("read", e);
	must(clEnqueueMarkerWithWaitList(queue, 0, NULL, &e), "marker");
	must(clFinish(queue), "clFinish");
	try("marker", e);
	user = gate_new();
	gate_open(user, CL_COMPLETE);
	try("user event", user);
	must(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	try("after its queue", e);
}
