/* SPDX-License-Identifier: ISC */
/*
 * spawn - starts a process of another kind from this very program.
 *
 * Children are exec'ed, so nothing of the parent's memory, such as the private
 * key, is in them.  Each gets two descriptors at fixed places, leads a process
 * group of its own, and is killed by the kernel when the parent dies.
 */
#ifndef VGPU_HOSTD_SPAWN_H
#define VGPU_HOSTD_SPAWN_H

#include <sys/types.h>

#include "common/err.h"

#define SPAWN_FD 3		/* the child's end of what it speaks through */
#define SPAWN_FD_SETUP 4	/* what it is told, see setup.h */
#define SPAWN_FD_HOME 5		/* where its vendors keep files, see home.h */

/*
 * Run "vgpu-hostd ROLE" (such as "--session") and return its process id, -1 on
 * failure.  fd and setup become SPAWN_FD and SPAWN_FD_SETUP there and stay
 * the caller's here; standard input and output are /dev/null; what it writes
 * to standard error can be read from *log.
 */
pid_t spawn(const char *role, int fd, int setup, int *log,
    struct err_text *);

/* Signal a child and all that it started itself, if any of it is left. */
void spawn_kill(pid_t, int signal);

#endif
