/* SPDX-License-Identifier: ISC */
/* Children that do nothing with OpenCL, and end in every way. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "conformance/traps/traps.h"

static void
end_child(int way)
{
	if (way == 0)
		_exit(0);
	if (way == 1)
		exit(0);
	raise(SIGKILL);
}

void
fork_parent(void)
{
	static const char *const name[] = { "_exit", "exit", "killed" };
	int x[4] = { 1, 2, 3, 4 }, way, pid;
	cl_kernel k;
	cl_event gate, e;
	cl_mem m;

	open_device();
	k = kernel_new(add_source, "add");
	m = buffer_new(sizeof(x), x);
	for (way = 0; way < 3; way++) {
		gate = gate_new();
		e = add_launch(queue, k, m, 10, 4, 1, &gate);
		if ((pid = fork_now()) == 0)
			end_child(way);
		say_end(name[way], pid);
		gate_open(gate, CL_COMPLETE);
		must(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof(x), x, 1,
		    &e, NULL), "clEnqueueReadBuffer");
		say("parent: %d %d", x[0], x[3]);
	}
	say("again: %d", compute());
}
