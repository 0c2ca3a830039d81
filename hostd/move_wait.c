/* SPDX-License-Identifier: ISC */
/*
 * move_wait - contexts for which it is no time to move, each by itself, so that
 * none waits for another.
 */
#include "hostd/move_private.h"

#include "common/clock.h"

#define HOLD_MS 1000		/* for the queues to become empty, at first */
#define HOLD_DOUBLINGS 5
#define DELAY_MS 20		/* after a first try that the client held up */
#define TELL_MS 1000		/* until one that has to wait is told of */
#define LOOK_MS 10		/* until the next look, when it is no time */

static struct move_wait *
wait_for(struct vcontext *c, const struct order *o)
{
	if (c->wait.order != o->number)
		c->wait = (struct move_wait){ .order = o->number };
	return &c->wait;
}

bool
move_may_try(const struct vcontext *c, const struct order *o, int64_t *next)
{
	if (c->wait.order != o->number || clock_ms() >= c->wait.until)
		return true;
	if (c->wait.until < *next)
		*next = c->wait.until;
	return false;
}

int64_t
move_hold_ms(const struct vcontext *c, const struct order *o)
{
	return (int64_t)HOLD_MS << (o != NULL && c->wait.order == o->number ?
	    c->wait.tries : 0);
}

void
move_come_back(struct serve *s, struct order *o, const char *why)
{
	const bool again = o->move.why != MOVE_BALANCE;

	if (clock_ms() - o->given >= TELL_MS) {
		o->given = INT64_MAX / 2;
		move_tell(s, &o->move, MOVE_ANYWHERE, again, "%s", why);
		if (!again)
			move_forget(o);
	}
	move_set_timer(s, LOOK_MS);
}

void
move_delayed(struct serve *s, struct vcontext *c, struct order *o,
    const char *why)
{
	struct move_wait *w = wait_for(c, o);

	w->delay = w->delay == 0 ? DELAY_MS : w->delay < HOLD_MS ?
	    2 * w->delay : w->delay;
	w->until = clock_ms() + w->delay;
	move_come_back(s, o, why);
}

void
move_too_long(struct serve *s, struct vcontext *c, struct order *o)
{
	struct move_wait *w;

	if (o != NULL && o->move.why == MOVE_BALANCE) {
		move_tell(s, &o->move, MOVE_ANYWHERE, false, "its commands"
		    " take long");
		move_forget(o);
	} else if (o != NULL) {
		w = wait_for(c, o);
		if (w->tries < HOLD_DOUBLINGS)
			w->tries++;
		w->until = clock_ms() + ((int64_t)HOLD_MS << w->tries);
		move_tell(s, &o->move, MOVE_ANYWHERE, true, "its commands take"
		    " long; tried again soon");
	}
	move_set_timer(s, LOOK_MS);
}
