/* SPDX-License-Identifier: ISC */
/*
 * parent_balance - looks now and then whether devices are loaded too unevenly,
 * by what sessions' pages (usage.h) say, and has a context move.
 */
#include "hostd/parent_private.h"

#include <event2/event.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/log.h"
#include "hostd/child.h"
#include "hostd/usage.h"
#include "hostd/view.h"

#define STAYS_MS 300000	/* then who could not move may be able to */

/* The first device that is like it stands for its class. */
static unsigned
class_of(const struct pool *pool, unsigned i)
{
	unsigned k;

	for (k = 0; k < i; k++)
		if (view_same_class(&pool->devices[k], &pool->devices[i]))
			break;
	return k;
}

static void
describe(const struct parent *p, unsigned i, struct balance_device *out)
{
	const struct pool_device *d = &p->now->pool->devices[i];

	*out = (struct balance_device){ .device = d->index,
		.class = class_of(p->now->pool, i), .card = d->card,
		.working = ledger_working(p->ledger, d->index),
		.shut = ledger_is_drained(p->ledger, d->index) };
}

struct candidate {
	unsigned session;	/* 0: none */
	uint64_t ordered, bytes;
};

/* One that does not answer, or not the truth, holds up no other. */
static bool
is_better(const struct candidate *a, const struct candidate *b)
{
	if (b->session == 0 || a->ordered != b->ordered)
		return b->session == 0 || a->ordered < b->ordered;
	return a->bytes < b->bytes;
}

unsigned
parent_mover(const struct parent *p, unsigned device, int64_t now)
{
	struct candidate best = { 0, 0, 0 }, one;
	unsigned s = 0;

	while ((s = ledger_next(p->ledger, s)) != 0) {
		if (!ledger_works(p->ledger, s, device) ||
		    ledger_stays(p->ledger, s, device, now - STAYS_MS) != NULL)
			continue;
		one = (struct candidate){ s, ledger_ordered(p->ledger, s,
		    device), usage_memory(ledger_usage(p->ledger, s),
		    device) };
		if (is_better(&one, &best))
			best = one;
	}
	return best.session;
}

static void
move(struct parent *p, const struct balance_pair *pair)
{
	const struct channel_move order = { .from = pair->from,
		.to = pair->to, .why = MOVE_BALANCE, .most = 1 };
	const unsigned session = parent_mover(p, pair->from, clock_ms());
	struct child *c = session == 0 ? NULL :
	    warm_find(p->warm, session);

	if (c == NULL)
		return;
	log_debug("balance: a context of session %u is to move from device %u "
	    "to %u", session, pair->from, pair->to);
	ledger_order(p->ledger, session, pair->from);
	child_move(c, &order);
}

void
parent_on_balance(int fd, short what, void *arg)
{
	struct parent *p = arg;
	const unsigned n = p->now->pool->device_count;
	struct balance_device *d = calloc(n + 1, sizeof(*d));
	struct balance_pair pair;
	unsigned i;

	(void)fd;
	(void)what;
	parent_arm_balance(p);
	ledger_look(p->ledger, p->now->conf->rebalance);
	for (i = 0; d != NULL && i < n; i++)
		describe(p, i, &d[i]);
	if (d != NULL && balance_look(&p->balanced, d, n, &pair))
		move(p, &pair);
	free(d);
}

void
parent_arm_balance(struct parent *p)
{
	struct timeval t = { 0, 0 };

	evtimer_del(p->balance);
	if (p->now == NULL || p->now->conf->rebalance == 0)
		return;
	t.tv_sec = (time_t)p->now->conf->rebalance;
	event_add(p->balance, &t);
}
