/* SPDX-License-Identifier: ISC */
/*
 * setup - what the parent tells a process that it has just started.
 *
 * An infoset in a sealed file in memory, at SPAWN_FD_SETUP.  It is trusted: it
 * is read before anything hostile is.  Nothing in it is secret.
 */
#ifndef VGPU_HOSTD_SETUP_H
#define VGPU_HOSTD_SETUP_H

#include "common/err.h"
#include "common/infoset.h"
#include "hostd/privsep.h"

enum setup_param {
	/* for all */
	SETUP_USER = 1,		/* struct privsep_user */
	SETUP_LOG_LEVEL,	/* u32 */
	SETUP_STATE_DIR,	/* text; a probe's own, a builder's tenant's */

	/* for sessions */
	SETUP_CA,		/* PEM; absent where nothing is for TLS */
	SETUP_CERTIFICATE,	/* PEM; likewise */
	SETUP_HANDSHAKE_MS,	/* u32 */
	SETUP_POOL,		/* pool_encode */
	SETUP_BUILD_CACHE,	/* u64 bytes; also for builders */

	/* for probes */
	SETUP_ICD,		/* text; one, or with contexts several */
	SETUP_CONTEXTS,		/* u32; not 0: make a context of each */
};

/* Make the file; -1 on failure. */
int setup_write(const struct infoset *, struct err_text *);

/*
 * In the child: read SPAWN_FD_SETUP and close it; begin to log; and what
 * privsep_fresh does.
 */
enum vgpu_err setup_read(struct infoset *, struct privsep_user *,
    struct err_text *);

#endif
