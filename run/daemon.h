/* SPDX-License-Identifier: ISC */
/*
 * daemon - the private vgpu-hostd of one run.
 */
#ifndef VGPU_RUN_DAEMON_H
#define VGPU_RUN_DAEMON_H

#include <stdbool.h>
#include <sys/types.h>

#include "common/err.h"
#include "run/folder.h"
#include "run/options.h"

struct daemon {
	pid_t pid;
	unsigned port;	/* of loopback, once it is ready; 0: the socket */
};

/*
 * Start it with the certificates of the folder.  It ends when this process
 * does, however that happens.  VGPU_ESYS.
 */
enum vgpu_err daemon_start(struct daemon *, const char *program,
    const struct folder *, const struct options *, struct err_text *);

/*
 * Wait until it serves; interrupted() is asked in between.
 * VGPU_ECONF: it ended instead; err has its last words.  VGPU_ETIME: it takes
 * too long.  VGPU_EAGAIN: interrupted.
 */
enum vgpu_err daemon_wait(struct daemon *, const struct folder *,
    bool (*interrupted)(void), struct err_text *);

/* End it, and wait for that. */
void daemon_stop(struct daemon *);

#endif
