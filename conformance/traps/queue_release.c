/* SPDX-License-Identifier: ISC */
/*
 * Releasing a queue flushes it; its commands end without another call, and
 * their events outlive it.
 */
#include "conformance/traps/traps.h"

void
queue_release(void)
{
	int x[4] = { 1, 2, 3, 4 }, y[4] = { 0 }, i;
	cl_command_queue q;
	cl_event e, gate;
	cl_kernel k;
	cl_mem m;

	open_device();
	k = kernel_new(add_source, "add");
	m = buffer_new(sizeof(x), x);
	for (i = 0; i < 20; i++) {
		q = queue_new(0);
		gate = i % 2 != 0 ? gate_new() : NULL;
		e = add_launch(q, k, m, 1, 4, gate != NULL,
		    gate != NULL ? &gate : NULL);
		must(clReleaseEvent(e), "clReleaseEvent");
		must(clEnqueueReadBuffer(q, m, CL_FALSE, 0, sizeof(y), y, 0,
		    NULL, &e), "clEnqueueReadBuffer");
		must(clReleaseCommandQueue(q), "clReleaseCommandQueue");
		if (gate != NULL)
			gate_open(gate, CL_COMPLETE);
		say("status %d", poll_end(e));
		say("read %d %d", y[0], y[3]);
		must(clReleaseEvent(e), "clReleaseEvent");
	}
}
