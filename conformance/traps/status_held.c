/* SPDX-License-Identifier: ISC */
/*
 * Commands behind an unset user event are accepted and seen to wait, on every
 * queue, and nothing of theirs happens.
 */
#include "conformance/traps/traps.h"

void
status_held(void)
{
	int x[4] = { 1, 2, 3, 4 }, y[4] = { 0 };
	cl_event gate, e[3];
	cl_kernel k;
	cl_mem m;
	int i;

	open_device();
	k = kernel_new(add_source, "add");
	m = buffer_new(sizeof(x), x);
	gate = gate_new();
	say("user event: %d", status_of(gate));
	e[0] = add_launch(queue, k, m, 5, 4, 1, &gate);
	must(clEnqueueReadBuffer(queue, m, CL_FALSE, 0, sizeof(y), y, 0, NULL,
	    &e[1]), "clEnqueueReadBuffer");
	must(clEnqueueMarkerWithWaitList(queue, 0, NULL, &e[2]), "marker");
	must(clFlush(queue), "clFlush");
	for (i = 0; i < 3; i++)
		say("waits: %d", status_of(e[i]) > CL_RUNNING);
	say("untouched: %d", y[0]);
	gate_open(gate, CL_COMPLETE);
	say("set twice: %d", clSetUserEventStatus(gate, CL_COMPLETE));
	for (i = 3; i-- > 0;)
		say("ended: %d", poll_end(e[i]));
	say("read: %d %d", y[0], y[3]);
}
