/* SPDX-License-Identifier: ISC */
/*
 * Another thread ends the program while the first waits for what never comes,
 * and while callbacks and commands are under way.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "conformance/traps/traps.h"

static void *
end_program(void *arg)
{
	usleep(100000);
	if (arg != NULL)
		exit(7);
	quick_exit(8);
}

static void
child(int how)
{
	static int x[100000];
	pthread_t thread;
	cl_event gate;
	cl_mem m;

	open_device();
	gate = gate_new();
	m = buffer_new(sizeof(x), NULL);
	must(clEnqueueWriteBuffer(queue, m, CL_FALSE, 0, sizeof(x), x, 1,
	    &gate, NULL), "clEnqueueWriteBuffer");
	if (pthread_create(&thread, NULL, end_program, how == 0 ? x : NULL) !=
	    0)
		die("no thread");
	clFinish(queue);
	say("never");
}

void
exit_thread(void)
{
	int how, pid;

	for (how = 0; how < 2; how++) {
		if ((pid = fork_now()) == 0)
			child(how);
		say_end(how == 0 ? "exit" : "quick_exit", pid);
	}
}
