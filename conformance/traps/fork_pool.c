/* SPDX-License-Identifier: ISC */
/*
 * A pool of worker processes, all made after the parent used the device, that
 * work at the same time as it does; one of them makes a process of its own.
 */
#include <stdlib.h>
#include <unistd.h>

#include "conformance/traps/traps.h"

#define WORKERS 4

static int
work(int number)
{
	int wrong = compute() + compute(), pid;

	if (number == 0) {
		if ((pid = fork_now()) == 0)
			exit(compute());
		say_end("grandchild", pid);
	}
	return wrong + compute();
}

void
fork_pool(void)
{
	int pid[WORKERS], i;

	say("before: %d", compute());
	for (i = 0; i < WORKERS; i++)
		if ((pid[i] = fork_now()) == 0)
			exit(work(i));
	/* Its lines go between ours in any order otherwise. */
	say_end("worker", pid[0]);
	say("meanwhile: %d", compute());
	for (i = 1; i < WORKERS; i++)
		say_end("worker", pid[i]);
	say("after: %d", compute());
}
