/* SPDX-License-Identifier: ISC */
/*
 * home - where vendors' libraries keep files: a folder of the tenant's.
 *
 * Libraries read HOME and their like once, and a session's are loaded before
 * its tenant is known.  So the home has a name that stays, a descriptor's in
 * /proc, and what it leads to is exchanged: the folder of probes, where the
 * same libraries were loaded before, and then the tenant's.
 *
 * What PoCL leaves there each time that it is loaded the next one removes.
 *
 * Where processes keep the daemon's user, the environment stays as it is.
 */
#ifndef VGPU_HOSTD_HOME_H
#define VGPU_HOSTD_HOME_H

#include "common/err.h"
#include "hostd/privsep.h"

/* Before there are threads: set the environment; this folder is the home. */
enum vgpu_err home_open(const struct privsep_user *, const char *folder,
    struct err_text *);

/* From now on it is this one.  Makes what libraries expect in it. */
enum vgpu_err home_change(const struct privsep_user *, const char *folder,
    struct err_text *);

#endif
