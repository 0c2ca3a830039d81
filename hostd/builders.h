/* SPDX-License-Identifier: ISC */
/*
 * builders - the parent's part in build orders: one builder at a time.
 *
 * Orders of sessions are not looked into.  They wait in a short queue; one more
 * than there is room for is dropped, as it is ordered again by whoever builds
 * the same.
 */
#ifndef VGPU_HOSTD_BUILDERS_H
#define VGPU_HOSTD_BUILDERS_H

#include <stdint.h>

#include "common/log.h"
#include "hostd/privsep.h"

struct builders;
struct event_base;

/* For whom an order is; copied. */
struct builders_order {
	const struct privsep_user *user;
	enum log_level log_level;
	uint64_t build_cache;	/* bytes */
	const char *state_dir;	/* the tenant's */
};

/* NULL: no memory. */
struct builders *builders_new(struct event_base *);

/* An order came; takes fd. */
void builders_add(struct builders *, const struct builders_order *, int fd);

/* Forget all orders, and end the builder. */
void builders_free(struct builders *);

#endif
