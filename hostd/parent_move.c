/* SPDX-License-Identifier: ISC */
/*
 * parent_move - what sessions are told of devices that are not to be used, and
 * what they say of contexts that leave them.
 */
#include "hostd/parent_private.h"

#include <stdio.h>

#include "common/clock.h"
#include "common/log.h"
#include "hostd/child.h"

static bool
is_shut(const struct parent *p, unsigned device)
{
	return ledger_is_drained(p->ledger, device) ||
	    pool_find(p->now->pool, device) == NULL;
}

static void
tell_shut(void *bits, struct child *c)
{
	child_shut(c, bits);
}

void
parent_tell_shut(struct parent *p, struct child *c)
{
	uint8_t bits[POOL_DEVICES_MAX / 8] = { 0 };
	unsigned i;

	for (i = 0; i < POOL_DEVICES_MAX; i++)
		if (is_shut(p, i))
			bits[i / 8] |= (uint8_t)(1u << i % 8);
	if (c != NULL)
		child_shut(c, bits);
	else
		warm_each(p->warm, tell_shut, bits);
}

void
parent_clear_shut(struct parent *p, struct child *c, unsigned device)
{
	const struct channel_move order = { .from = device,
		.to = MOVE_ANYWHERE, .why = ledger_is_drained(p->ledger,
		device) ? MOVE_DRAIN : MOVE_LOST };

	if (is_shut(p, device))
		child_move(c, &order);
}

struct clearing {
	const struct parent *parent;
	struct channel_move order;
};

static void
tell_move(void *arg, struct child *c)
{
	const struct clearing *w = arg;

	if (ledger_mine(w->parent->ledger, child_session(c), w->order.from) >
	    0)
		child_move(c, &w->order);
}

void
parent_clear(struct parent *p, unsigned device, enum move_why why)
{
	struct clearing w = { p, { .from = device, .to = MOVE_ANYWHERE,
		.why = why } };

	warm_each(p->warm, tell_move, &w);
}

void
parent_clear_departed(struct parent *p, const struct pool *before)
{
	unsigned i, device;

	for (i = 0; i < before->device_count; i++) {
		device = before->devices[i].index;
		if (pool_find(p->now->pool, device) == NULL)
			parent_clear(p, device, MOVE_LOST);
	}
}

static const char *
why_text(uint32_t why)
{
	static const char *const texts[MOVE_WHYS] = {
		[MOVE_DRAIN] = "the device is drained",
		[MOVE_LOST] = "the device has left",
		[MOVE_BALANCE] = "others have less to do",
	};

	return why < MOVE_WHYS ? texts[why] : "nobody knows";
}

void
parent_moved(void *parent, struct child *c, const struct channel_moved *m)
{
	struct parent *p = parent;
	const bool stays = m->to == MOVE_ANYWHERE;
	char reason[PLACE_REASON_MAX];

	snprintf(reason, sizeof(reason), "%s: %s", why_text(m->why), m->text);
	ledger_note(p->ledger, child_session(c), m->from, stays ?
	    NOTE_STAYS : NOTE_MOVED, clock_ms(), reason);
}
