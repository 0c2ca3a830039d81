/* SPDX-License-Identifier: ISC */
/* The program ignores its children's ends, and broken pipes kill it. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "conformance/traps/traps.h"

void
children_ignored(void)
{
	int pid;

	signal(SIGCHLD, SIG_IGN);
	signal(SIGPIPE, SIG_DFL);
	say("before: %d", compute());
	if ((pid = fork_now()) == 0)
		_exit(5);
	say_end("child", pid);
	say("after: %d", compute());
	say("still ignored: %d", signal(SIGCHLD, SIG_DFL) == SIG_IGN);
}
