/* SPDX-License-Identifier: ISC */
/*
 * probe - the short-lived process that asks one vendor what devices it has, or
 * makes a context of each of several, to see whether they can be in one process.
 *
 * A vendor's library may crash, hang or have no device; all that ends here.
 * The answer is a pool of one vendor, written to the file at SPAWN_FD when all
 * is known: what a process left that died before is not a pool.
 */
#ifndef VGPU_HOSTD_PROBE_H
#define VGPU_HOSTD_PROBE_H

#define PROBE_ROLE "--probe"

/* The whole life of that process; returns its exit status. */
int probe_main(void);

#endif
