/* SPDX-License-Identifier: ISC */
/*
 * builder - the process that carries out one build order (build_order.h).
 *
 * It runs as sessions do, for a tenant, with the lowest priority, and is as
 * little trusted: it compiles what a client has sent.
 */
#ifndef VGPU_HOSTD_BUILDER_H
#define VGPU_HOSTD_BUILDER_H

#define BUILDER_ROLE "--builder"

/* Returns the exit status: 0 when the entry is kept. */
int builder_main(void);

#endif
