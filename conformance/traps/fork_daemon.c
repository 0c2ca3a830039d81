/* SPDX-License-Identifier: ISC */
/* A daemon leaves its parent behind, after both have used the device. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/traps/traps.h"

static void
become_daemon(int out)
{
	int pid, wrong;
	const char *line;

	if ((pid = fork_now()) != 0)
		_exit(pid < 0);
	if (setsid() < 0 || chdir("/") < 0)
		_exit(1);
	wrong = compute();
	line = wrong == 0 ? "daemon: 0" : "daemon: wrong";
	if (write(out, line, strlen(line)) < 0)
		_exit(1);
	exit(0);
}

void
fork_daemon(void)
{
	char line[64] = "";
	int end[2], pid;
	ssize_t n, at = 0;

	say("before: %d", compute());
	if (pipe(end) != 0)
		die("no pipe");
	if ((pid = fork_now()) == 0) {
		close(end[0]);
		become_daemon(end[1]);
	}
	close(end[1]);
	say_end("starter", pid);
	say("meanwhile: %d", compute());
	while ((n = read(end[0], line + at, sizeof(line) - 1 -
	    (size_t)at)) > 0)
		at += n;
	say("%s", line);
	say("after: %d", compute());
}
