/* SPDX-License-Identifier: ISC */
/*
 * Of commands that wait for each other, over two queues, none is seen to have
 * ended before those that it waited for.
 */
#include "conformance/traps/traps.h"

#define CHAIN 5

static int
try(cl_command_queue other)
{
	cl_event gate = gate_new(), e[CHAIN];
	int i, wrong = 0;

	for (i = 0; i < CHAIN; i++)
		must(clEnqueueMarkerWithWaitList(i % 2 ? other : queue, 1,
		    i == 0 ? &gate : &e[i - 1], &e[i]), "marker");
	must(clFlush(queue), "clFlush");
	must(clFlush(other), "clFlush");
	for (i = CHAIN; i-- > 0;)
		if (status_of(e[i]) <= CL_RUNNING)
			wrong++;
	gate_open(gate, CL_COMPLETE);
	if (poll_end(e[CHAIN - 1]) != CL_COMPLETE)
		wrong++;
	for (i = CHAIN; i-- > 0;) {
		if (status_of(e[i]) != CL_COMPLETE)
			wrong++;
		must(clReleaseEvent(e[i]), "clReleaseEvent");
	}
	must(clReleaseEvent(gate), "clReleaseEvent");
	return wrong;
}

void
status_order(void)
{
	cl_command_queue other;
	int i, wrong = 0;

	open_device();
	other = queue_new(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	for (i = 0; i < 100; i++)
		wrong += try(other);
	say("wrong: %d", wrong);
}
