/* SPDX-License-Identifier: ISC */
/*
 * dirs - the folders below state-dir.
 *
 *	state-dir/probe		what vendors' libraries leave when probed
 *	state-dir/tenants/NAME	what belongs to one tenant
 *
 * The parent makes them; they belong to the user of the sessions.
 */
#ifndef VGPU_HOSTD_DIRS_H
#define VGPU_HOSTD_DIRS_H

#include <stddef.h>

#include "common/err.h"
#include "hostd/privsep.h"

/* Make state-dir and the two folders in it.  VGPU_ESYS. */
enum vgpu_err dirs_make(const char *state_dir, const struct privsep_user *,
    struct err_text *);

/*
 * See whether that user can enter state-dir and what is above it, as far as it
 * is there.  VGPU_ECONF: no; the text says what to do.
 */
enum vgpu_err dirs_check(const char *state_dir, const struct privsep_user *,
    struct err_text *);

/* The folder of probes; its path to out. */
void dirs_probe(const char *state_dir, char *out, size_t size);

/*
 * Make the folder of a tenant, unless it is there, and put its path in out.
 * Whatever the name, the folder is one right below state-dir/tenants.
 * VGPU_ESYS.
 */
enum vgpu_err dirs_tenant(const char *state_dir, const char *tenant,
    const struct privsep_user *, char *out, size_t size, struct err_text *);

/*
 * Make the folder that a socket is to be in, open to all users whatever the
 * umask, if it is not there: those in /run are gone with each start of the
 * machine.  Where it can't be made, making the socket will say why.
 */
void dirs_of_socket(const char *path);

#endif
