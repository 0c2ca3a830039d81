/* SPDX-License-Identifier: ISC */
/*
 * child - other processes of this program, which reach the same OpenCL: the
 * environment is this process's.
 *
 * A child plays one role (role.h), and says lines on its output; it is
 * told lines on its input.  What fails in a child fails here.
 */
#ifndef BENCH_CHILD_H
#define BENCH_CHILD_H

#include <stddef.h>
#include <sys/types.h>

struct child {
	pid_t pid;
	int to, from; /* -1 once closed */
};

/* Start one in that role; arg may be NULL. */
void child_start(struct child *, const char *role, const char *arg);

/* Wait for a line of it, without its end, and for the value in such a line. */
void child_line(const struct child *, char *line, size_t size);
double child_value(const struct child *);

/* Tell it a line. */
void child_tell(const struct child *, const char *line);

/* Close its input, wait for its end, fail unless it was a good one. */
void child_end(struct child *);

/* Run a command by sh(1) and wait for it; its status as of waitpid(2). */
int child_command(const char *command);

#endif
