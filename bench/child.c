/* SPDX-License-Identifier: ISC */
#include "bench/child.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/reply.h"

extern char **environ;

static void
spawn(struct child *c, char **argv, int in, int out)
{
	posix_spawn_file_actions_t actions;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	error = posix_spawn(&c->pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error != 0)
		reply_fail("cannot start %s: %s", argv[0], strerror(error));
}

void
child_start(struct child *c, const char *role, const char *arg)
{
	char self[] = "/proc/self/exe", as[] = "role", *argv[5] = { self, as };
	int in[2], out[2];

	if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
		reply_fail("pipe: %s", strerror(errno));
	if ((argv[2] = strdup(role)) == NULL ||
	    (arg != NULL && (argv[3] = strdup(arg)) == NULL))
		reply_fail("no memory");
	spawn(c, argv, in[0], out[1]);
	free(argv[2]);
	free(argv[3]);
	close(in[0]);
	close(out[1]);
	c->to = in[1];
	c->from = out[0];
}

/* A line without its end; false when there is none any more. */
static bool
next_line(const struct child *c, char *line, size_t size)
{
	size_t n = 0;

	while (n < size - 1) {
		if (read(c->from, line + n, 1) != 1)
			return false;
		if (line[n] == '\n')
			break;
		n++;
	}
	line[n] = '\0';
	if (strncmp(line, "error: ", 7) == 0)
		reply_fail("another process: %s", line + 7);
	return true;
}

void
child_line(const struct child *c, char *line, size_t size)
{
	if (!next_line(c, line, size))
		reply_fail("process %d ended early", (int)c->pid);
}

double
child_value(const struct child *c)
{
	char line[256], *end;
	double v;

	child_line(c, line, sizeof(line));
	v = strtod(line, &end);
	if (end == line || *end != '\0')
		reply_fail("process %d said \"%s\", expected a number",
		    (int)c->pid, line);
	return v;
}

void
child_tell(const struct child *c, const char *line)
{
	size_t n = strlen(line);

	if (write(c->to, line, n) != (ssize_t)n || write(c->to, "\n", 1) != 1)
		reply_fail("process %d does not listen", (int)c->pid);
}

static int
wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) != pid)
		if (errno != EINTR)
			reply_fail("waitpid: %s", strerror(errno));
	return status;
}

void
child_end(struct child *c)
{
	char line[256];
	int status;

	close(c->to);
	while (next_line(c, line, sizeof(line)))
		;
	status = wait_for(c->pid);
	close(c->from);
	c->to = c->from = -1;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
		reply_fail("process %d: %s %d", (int)c->pid,
		    WIFEXITED(status) ? "exit status" : "signal",
		    WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

int
child_command(const char *command)
{
	char sh[] = "/bin/sh", option[] = "-c", *argv[4] = { sh, option };
	struct child c;
	int null;

	if ((null = open("/dev/null", O_RDWR | O_CLOEXEC)) < 0 ||
	    (argv[2] = strdup(command)) == NULL)
		reply_fail("no memory");
	spawn(&c, argv, null, null);
	free(argv[2]);
	close(null);
	return wait_for(c.pid);
}
