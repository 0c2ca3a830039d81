/* SPDX-License-Identifier: ISC */
#include "hostd/loop.h"

#include <event2/event.h>

#include "hostd/defer.h"
#include "hostd/serve.h"

void
loop_note_batch(struct serve *s)
{
	struct loop *l = &s->loop;

	polling_stop(&l->polling, true);
	if (polling_pays(&l->polling))
		polling_start(&l->polling);
}

void
loop_owe(struct serve *s)
{
	atomic_fetch_add(&s->loop.owed, 1);
}

void
loop_paid(struct serve *s)
{
	struct loop *l = &s->loop;

	if (atomic_fetch_sub(&l->owed, 1) == 1 &&
	    atomic_exchange(&l->drowsy, false))
		defer_wake();
}

/* Sleep until something happens. */
static void
sleep_turn(struct serve *s)
{
	struct loop *l = &s->loop;
	bool polls = l->polling.until != 0;

	/* What it would do now it does when nothing is owed any more. */
	atomic_store(&l->drowsy, polls);
	if (polls && atomic_load(&l->owed) == 0) {
		atomic_store(&l->drowsy, false);
		return;
	}
	event_base_loop(s->base, EVLOOP_ONCE);
	if (polls && !atomic_exchange(&l->drowsy, false))
		polling_start(&l->polling);
}

void
loop_run(struct serve *s)
{
	struct loop *l = &s->loop;

	do {
		if (atomic_load(&l->owed) == 0 && polling_more(&l->polling))
			event_base_loop(s->base, EVLOOP_NONBLOCK);
		else
			sleep_turn(s);
	} while (!event_base_got_break(s->base));
}
