/* SPDX-License-Identifier: ISC */
/*
 * roster - the numbers by which devices are known as long as the daemon runs.
 *
 * Pools come and go with each survey, and in each a device may stand at another
 * place.  What names it stays: its vendor's file, and its bus address or UUID,
 * or where it has none, its place among those of its name.
 */
#ifndef VGPU_HOSTD_ROSTER_H
#define VGPU_HOSTD_ROSTER_H

#include "hostd/pool.h"

struct roster;

struct roster *roster_new(void);
void roster_free(struct roster *);

/*
 * Set the index of each device of a pool: one that was seen before has the same
 * again.  VGPU_EQUOTA: POOL_DEVICES_MAX different ones have been seen.
 * VGPU_ENOMEM.
 */
enum vgpu_err roster_number(struct roster *, struct pool *);

#endif
