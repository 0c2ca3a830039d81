/* SPDX-License-Identifier: ISC */
#include "hostd/offer.h"

#include <CL/cl.h>

#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostd/estimate.h"

#define PATTERN_MAX 256

/* The first pattern that matches; n: none does. */
static unsigned
first_match(const struct conf_texts *t, const struct pool *p,
    const struct pool_device *d)
{
	unsigned i;

	for (i = 0; i < t->n; i++)
		if (pool_matches(p, d, t->v[i]))
			break;
	return i;
}

bool
offer_matches(const struct conf_texts *t, const struct pool *p,
    const struct pool_device *d)
{
	return t->n == 0 || first_match(t, p, d) < t->n;
}

/* ---- numbers --------------------------------------------------------------- */

/* Of the first "PATTERN=NUMBER" that matches; else 1. */
static unsigned
weight(const struct offer *o, const struct pool_device *d)
{
	const struct conf_texts *t = &o->conf->weights;
	char pattern[PATTERN_MAX];
	const char *equals;
	unsigned i;

	for (i = 0; i < t->n; i++) {
		equals = strrchr(t->v[i], '=');
		if (equals == NULL)
			continue;
		snprintf(pattern, sizeof(pattern), "%.*s",
		    (int)(equals - t->v[i]), t->v[i]);
		if (pool_matches(o->pool, d, pattern))
			return (unsigned)strtoul(equals + 1, NULL, 10);
	}
	return 1;
}

/* Those of all devices on its card. */
static void
count(const struct offer *o, const struct pool_device *d,
    struct place_device *out)
{
	const struct pool_device *other;
	unsigned i;

	for (i = 0; i < o->pool->device_count; i++) {
		other = &o->pool->devices[i];
		if (other->card != d->card)
			continue;
		out->users += ledger_users(o->ledger, other->index,
		    o->session);
		out->mine += ledger_mine(o->ledger, o->session, other->index);
	}
}

/* All that counts; where another order is told, nothing but that. */
static void
describe(const struct offer *o, unsigned place, enum conf_order order,
    struct place_device *out)
{
	const struct pool_device *d = &o->pool->devices[place];

	memset(out, 0, sizeof(*out));
	out->number = d->index;
	out->built = true;
	if (order == ORDER_FIXED) {
		out->rank = first_match(&o->tenant->devices, o->pool, d);
		return;
	}
	out->rank = pool_rank(d);
	out->speed = pool_speed(d);
	if (order == ORDER_SPEED)
		return;
	out->turn = ledger_turn(o->ledger, d->index);
	out->weight = weight(o, d);
	count(o, d, out);
	out->here = ledger_users(o->ledger, d->index, o->session);
	estimate_device(o, d, out);
}

/* ---- vendors that can't share a process -------------------------------------- */

/* Lower: preferred. */
static unsigned
preference(const struct offer *o, unsigned vendor)
{
	const struct conf_texts *t = &o->conf->prefer_vendors;
	unsigned i;

	for (i = 0; i < t->n; i++)
		if (fnmatch(t->v[i], o->pool->vendors[vendor].name,
		    FNM_CASEFOLD) == 0)
			return i;
	return t->n + vendor;
}

/* The most preferred one that is wanted, and not decided on yet. */
static unsigned
next_vendor(const struct offer *o, const bool *wanted, const bool *decided)
{
	unsigned v, best = UINT_MAX;

	for (v = 0; v < o->pool->vendor_count; v++)
		if (wanted[v] && !decided[v] && (best == UINT_MAX ||
		    preference(o, v) < preference(o, best)))
			best = v;
	return best;
}

/*
 * Of those wanted keep what can be in one process; preferred ones first.  For
 * whose sake another one is left out goes to sake (may be NULL).
 */
static void
keep_together(const struct offer *o, bool *wanted, unsigned *sake)
{
	bool decided[POOL_VENDORS_MAX] = { false };
	unsigned v, other;

	while ((v = next_vendor(o, wanted, decided)) != UINT_MAX) {
		decided[v] = true;
		for (other = 0; other < o->pool->vendor_count; other++)
			if (wanted[other] && !decided[other] &&
			    pool_apart(o->pool, v, other) != NULL) {
				wanted[other] = false;
				if (sake != NULL)
					sake[other] = v;
			}
	}
}

/* ---- orders ------------------------------------------------------------------ */

static bool
may_use(const struct offer *o, const struct pool_device *d)
{
	return !ledger_is_drained(o->ledger, d->index) &&
	    offer_matches(&o->tenant->devices, o->pool, d);
}

/* The vendors of all that the tenant may use. */
static void
want(const struct offer *o, bool wanted[POOL_VENDORS_MAX])
{
	const struct pool_device *d;
	unsigned i;

	for (i = 0; i < o->pool->device_count; i++) {
		d = &o->pool->devices[i];
		wanted[d->vendor] |= may_use(o, d);
	}
}

unsigned
offer_left_out(const struct offer *o, struct offer_left out[POOL_VENDORS_MAX])
{
	bool wanted[POOL_VENDORS_MAX] = { false };
	unsigned sake[POOL_VENDORS_MAX], i, v, n = 0;
	const struct pool_device *d;

	for (v = 0; v < POOL_VENDORS_MAX; v++)
		sake[v] = UINT_MAX;
	want(o, wanted);
	keep_together(o, wanted, sake);
	for (i = 0; i < o->pool->device_count; i++) {
		d = &o->pool->devices[i];
		if ((v = sake[d->vendor]) == UINT_MAX || !may_use(o, d))
			continue;
		sake[d->vendor] = UINT_MAX;
		out[n].device = d->index;
		snprintf(out[n++].reason, PLACE_REASON_MAX, "no device of %s "
		    "is, as %s %s, and can't share a process with it: %s",
		    o->pool->vendors[d->vendor].name, o->pool->vendors[v].name,
		    preference(o, v) < o->conf->prefer_vendors.n ?
		    "is one of prefer-vendors" : "was found first",
		    pool_apart(o->pool, v, d->vendor));
	}
	return n;
}

/* The places of all that the tenant may use. */
static unsigned
allowed(const struct offer *o, unsigned *out)
{
	bool wanted[POOL_VENDORS_MAX] = { false };
	const struct pool_device *d;
	unsigned i, n = 0;

	want(o, wanted);
	keep_together(o, wanted, NULL);
	for (i = 0; i < o->pool->device_count; i++) {
		d = &o->pool->devices[i];
		if (wanted[d->vendor] && may_use(o, d))
			out[n++] = i;
	}
	return n;
}

static const struct place_policy *
policy(const struct offer *o, enum conf_order how)
{
	if (how == ORDER_SPEED)
		return &place_by_speed;
	return how == ORDER_FIXED ? &place_by_pattern : o->conf->placement;
}

static void
sort(const struct offer *o, enum conf_order how, unsigned *places, unsigned n,
    char reason[PLACE_REASON_MAX])
{
	struct place_device *all = calloc(n + 1, sizeof(*all));
	unsigned *order = calloc(n + 1, sizeof(*order)), i;
	struct place_job job = { 0 };

	if (all == NULL || order == NULL)
		abort(); /* some kilobytes, in the parent */
	for (i = 0; i < n; i++)
		describe(o, places[i], how, &all[i]);
	if (how == ORDER_LOAD)
		estimate_job(o, &job);
	place_order(policy(o, how), all, n, &job, order, reason);
	for (i = 0; i < n; i++)
		order[i] = places[order[i]];
	memcpy(places, order, n * sizeof(*places));
	free(all);
	free(order);
}

unsigned
offer_order(const struct offer *o, unsigned *out, char reason[PLACE_REASON_MAX])
{
	unsigned n = allowed(o, out);

	snprintf(reason, PLACE_REASON_MAX, "there is none");
	if (n > 0)
		sort(o, o->tenant->order, out, n, reason);
	return n;
}

/* Leave out drained devices, unless all are; how many are left. */
static unsigned
leave_out_drained(const struct offer *o, unsigned *places, unsigned n)
{
	unsigned i, kept = 0;

	for (i = 0; i < n; i++)
		if (!ledger_is_drained(o->ledger,
		    o->pool->devices[places[i]].index))
			places[kept++] = places[i];
	return kept > 0 ? kept : n;
}

enum vgpu_err
offer_place(const struct offer *o, const unsigned *indexes, unsigned n,
    unsigned *chosen, char reason[PLACE_REASON_MAX])
{
	unsigned places[POOL_DEVICES_MAX], i;
	const struct pool_device *d;

	if (n == 0 || n > POOL_DEVICES_MAX)
		return VGPU_EPROTO;
	for (i = 0; i < n; i++) {
		if ((d = pool_find(o->pool, indexes[i])) == NULL)
			return VGPU_EPROTO;
		places[i] = (unsigned)(d - o->pool->devices);
	}
	n = leave_out_drained(o, places, n);
	sort(o, ORDER_LOAD, places, n, reason);
	*chosen = o->pool->devices[places[0]].index;
	return VGPU_OK;
}
