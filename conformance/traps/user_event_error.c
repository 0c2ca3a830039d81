/* SPDX-License-Identifier: ISC */
/* The same waits end, and with an error, when the user event ends in one. */
#include "conformance/traps/traps.h"

#define FAILURE (-4711)

static void
wait_in(const char *way, int how)
{
	cl_command_queue q = queue_new(0);
	cl_event gate = gate_new(), e;
	int x[4] = { 0 };
	cl_mem m = buffer_new(sizeof(x), x);
	cl_int code;

	must(clEnqueueMarkerWithWaitList(q, 1, &gate, &e), "marker");
	gate_open_later(gate, FAILURE);
	if (how == 0)
		code = clWaitForEvents(1, &e);
	else if (how == 1)
		code = clWaitForEvents(1, &gate);
	else
		code = clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof(x), x, 1,
		    &e, NULL);
	say("%s: %d", way, code);
	say("%s: failed %d", way, poll_end(e) < 0);
	say("%s: gate %d", way, status_of(gate));
	say("%s: again %d", way, clWaitForEvents(1, &e));
	must(clReleaseMemObject(m), "clReleaseMemObject");
	must(clReleaseEvent(e), "clReleaseEvent");
	must(clReleaseEvent(gate), "clReleaseEvent");
	must(clReleaseCommandQueue(q), "clReleaseCommandQueue");
}

void
user_event_error(void)
{
	static const char *const way[] = { "clWaitForEvents",
		"the user event itself", "blocking read" };
	int i;

	open_device();
	for (i = 0; i < 3; i++)
		wait_in(way[i], i);
	/* A queue of its own has no part in it. */
	say("the others: %d", compute());
}
