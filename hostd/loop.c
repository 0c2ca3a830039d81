/* SPDX-License-Identifier: ISC */
#include "hostd/loop.h"

#include <event2/event.h>

#include "hostd/defer.h"
#include "hostd/serve.h"

void
loop_note_batch(struct serve *s)
{
	polling_news(&s->loop.polling);
	polling_start(&s->loop.polling);
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

/* Sleep until something happens; then, or when nothing is owed, look. */
static void
sleep_turn(struct serve *s)
{
	struct loop *l = &s->loop;
	const bool wants = atomic_load(&l->owed) > 0 &&
	    polling_pays(&l->polling);

	atomic_store(&l->drowsy, wants);
	/* The last one may have been paid before it could see that. */
	if (!wants || atomic_load(&l->owed) > 0)
		event_base_loop(s->base, EVLOOP_ONCE);
	else
		atomic_store(&l->drowsy, false);
	if (wants && !atomic_exchange(&l->drowsy, false))
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
