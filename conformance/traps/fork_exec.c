/* SPDX-License-Identifier: ISC */
/* fork and exec, as shells and build systems do, and what system(3) does. */
#include <stdlib.h>
#include <unistd.h>

#include "conformance/traps/traps.h"

void
fork_exec(void)
{
	int pid;

	say("before: %d", compute());
	if ((pid = fork_now()) == 0) {
		execl("/proc/self/exe", "traps", "fork_parent", (char *)NULL);
		_exit(127);
	}
	say_end("program", pid);
	say("system: %d", system("exit 3") / 256);
	say("after: %d", compute());
}
