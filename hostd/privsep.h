/* SPDX-License-Identifier: ISC */
/*
 * privsep - what a process gives up before it meets anything hostile.
 */
#ifndef VGPU_HOSTD_PRIVSEP_H
#define VGPU_HOSTD_PRIVSEP_H

#include <stdbool.h>
#include <sys/types.h>

#include "common/err.h"

#define PRIVSEP_GROUPS_MAX 64
#define PRIVSEP_USER "vgpu"	/* where it exists, else: */
#define PRIVSEP_NOBODY "nobody"

/* A user to become.  change is false when the daemon isn't root. */
struct privsep_user {
	bool change;
	uid_t uid;
	gid_t gid;
	unsigned group_count;
	gid_t groups[PRIVSEP_GROUPS_MAX];
};

/*
 * Look up the user for sessions and probes (name NULL: the default), with its
 * groups and those that open the devices of GPUs (video, render).  Only where
 * this process is root, else nothing will change.
 * If that user is root, nothing changes either.  VGPU_ECONF: no such user.
 */
enum vgpu_err privsep_lookup(const char *name, struct privsep_user *,
    struct err_text *);

/*
 * For a process that was just exec'ed: signals as at the start of a program
 * but for SIGPIPE, which is ignored; every descriptor above keep closed; files
 * made are private.
 */
void privsep_fresh(int keep);

/*
 * Become that user for good; no new privileges, no core file; end with the
 * process that started this one.
 * VGPU_ESYS: something could not be given up; the caller must not go on.
 */
enum vgpu_err privsep_drop(const struct privsep_user *, struct err_text *);

/*
 * If that user could enter a folder: tried in a process that becomes the user.
 */
bool privsep_can_enter(const struct privsep_user *, const char *folder);

#endif
