/* SPDX-License-Identifier: ISC */
/*
 * staging_out - bodies to the client: short ones on the control lane, in the
 * thread where their command ended, others by the sender thread.
 */
#include "hostd/staging_private.h"

#include "common/clock.h"
#include "transport/link_data.h"

/* NULL: the client knows no spellings. */
static struct coding *
coding(const struct serve *s)
{
	return s->features & FEATURE_CODED ? s->transfers->coding : NULL;
}

static void
send_on_data(struct serve *s, const struct staging *st)
{
	struct msg_data m = { .transfer = st->transfer };
	struct err_text text;

	for (; m.offset < st->size; m.offset += m.size) {
		m.size = st->size - m.offset;
		if (m.size > CODING_MAX)
			m.size = CODING_MAX;
		if (link_send_data(s->data, coding(s), &m,
		    st->data + m.offset, CLOCK_NEVER, &text) != VGPU_OK)
			return;	/* the loop notices the same error */
	}
	/* What the transport still holds nobody else would flush. */
	link_flush_wait(s->data, CLOCK_NEVER, NULL);
}

static void *
sender_thread(void *arg)
{
	struct serve *s = arg;
	struct transfers *t = s->transfers;
	struct staging *st;

	for (;;) {
		pthread_mutex_lock(&s->lock);
		while ((st = TAILQ_FIRST(&t->outbound)) == NULL)
			pthread_cond_wait(&t->wake, &s->lock);
		TAILQ_REMOVE(&t->outbound, st, entry);
		pthread_mutex_unlock(&s->lock);
		send_on_data(s, st);
		staging_free(s, st);
	}
	return NULL;
}

void
staging_start_sender(struct serve *s)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, sender_thread, s) != 0)
		serve_fail(s, VGPU_ESYS, "no thread for the data lane");
	else
		pthread_detach(thread);
}

static void
send_on_control(struct serve *s, const struct staging *st)
{
	const struct msg_data m = { st->transfer, 0, st->size };

	link_queue_data(s->control, coding(s), &m, st->data);
}

/* It is where the client looks for it. */
static void
send_word(struct serve *s, struct staging *st)
{
	const struct msg_shared_ready m = { .transfer = st->transfer };

	serve_send(s, &desc_shared_ready, &m, false);
	staging_free(s, st);
}

void
staging_send(struct serve *s, struct staging *st)
{
	if (st->in_arena) {
		send_word(s, st);
		return;
	}
	if (st->size <= SERVE_INLINE_MAX || s->data == NULL) {
		send_on_control(s, st);
		staging_free(s, st);
		return;
	}
	pthread_mutex_lock(&s->lock);
	TAILQ_INSERT_TAIL(&s->transfers->outbound, st, entry);
	pthread_cond_signal(&s->transfers->wake);
	pthread_mutex_unlock(&s->lock);
}
