/* SPDX-License-Identifier: ISC */
/*
 * A negative status reaches all that waits on it, in two queues, directly or
 * not, and each callback; what does not wait goes on.
 */
#include <stdatomic.h>

#include "conformance/traps/traps.h"

#define LINKS 4

static atomic_int called, negative;

static void CL_CALLBACK
count(cl_event event, cl_int status, void *arg)
{
	(void)event;
	(void)arg;
	if (status < 0)
		atomic_fetch_add(&negative, 1);
	atomic_fetch_add(&called, 1);
}

void
error_chain(void)
{
	cl_command_queue q[2];
	int x[4] = { 1, 2, 3, 4 }, y[4] = { 0 }, i;
	cl_event gate, e[LINKS], fine;
	cl_mem m;

	open_device();
	for (i = 0; i < 2; i++)
		q[i] = queue_new(0);
	m = buffer_new(sizeof(x), NULL);
	gate = gate_new();
	must(clEnqueueMarkerWithWaitList(q[0], 1, &gate, &e[0]), "marker");
	must(clEnqueueWriteBuffer(q[1], m, CL_FALSE, 0, sizeof(x), x, 1, &e[0],
	    &e[1]), "write");
	must(clEnqueueReadBuffer(q[0], m, CL_FALSE, 0, sizeof(y), y, 1, &e[1],
	    &e[2]), "read");
	must(clEnqueueMarkerWithWaitList(q[1], 1, &e[2], &e[3]), "marker");
	must(clEnqueueMarkerWithWaitList(queue, 0, NULL, &fine), "marker");
	for (i = 0; i < LINKS; i++)
		must(clSetEventCallback(e[i], CL_COMPLETE, count, NULL),
		    "clSetEventCallback");
	gate_open(gate, -5);
	say("blocking read: %d", clEnqueueReadBuffer(q[1], m, CL_TRUE, 0,
	    sizeof(y), y, 1, &e[3], NULL));
	for (i = LINKS; i-- > 0;)
		say("link %d: failed %d", i, poll_end(e[i]) < 0);
	say("called: %d", reaches(&called, LINKS));
	say("with an error: %d", atomic_load(&negative));
	say("waiting: %d", clWaitForEvents(LINKS, e));
	say("the other: %d", clWaitForEvents(1, &fine));
	say("its status: %d", status_of(fine));
	say("untouched: %d", y[0]);
	say("a late one: %d", clEnqueueReadBuffer(queue, m, CL_TRUE, 0,
	    sizeof(y), y, 1, &e[0], NULL));
}
