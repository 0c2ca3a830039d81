/* SPDX-License-Identifier: ISC */
/*
 * offer - which devices a session is offered, in which order, and why.
 *
 * Puts together what the configuration allows a tenant, what the pool has and
 * what the ledger counts, and lets the policy of place.h decide.
 */
#ifndef VGPU_HOSTD_OFFER_H
#define VGPU_HOSTD_OFFER_H

#include "hostd/conf.h"
#include "hostd/ledger.h"
#include "hostd/place.h"
#include "hostd/pool.h"

struct history;

struct offer {
	const struct pool *pool;	/* the one that the session knows */
	const struct ledger *ledger;
	const struct conf *conf;
	const struct conf_tenant *tenant;	/* not for offer_place */
	unsigned session;
	const struct history *history;	/* NULL: nothing was learned */
};

/*
 * The devices that the session may use, but for drained ones, in the order to
 * show them: places in the pool to out (room for all of it), how many is
 * returned.  reason says why the first one is first.
 */
unsigned offer_order(const struct offer *, unsigned *out,
    char reason[PLACE_REASON_MAX]);

/*
 * The vendors whose devices the session may use, but is not offered, since their
 * libraries can't be in one process with those of others that come first: of
 * each the index of its first such device, and the reason.  How many.
 */
struct offer_left {
	unsigned device;
	char reason[PLACE_REASON_MAX];
};
unsigned offer_left_out(const struct offer *,
    struct offer_left out[POOL_VENDORS_MAX]);

/*
 * Which of n devices, by their indexes, is to run a context; its index goes to
 * *chosen.  A drained one is, only if all are.  VGPU_EPROTO: one of them is not
 * in the pool.
 */
enum vgpu_err offer_place(const struct offer *, const unsigned *indexes,
    unsigned n, unsigned *chosen, char reason[PLACE_REASON_MAX]);

/* Whether patterns of device or vendor names (none: all) match a device. */
bool offer_matches(const struct conf_texts *, const struct pool *,
    const struct pool_device *);

#endif
