/* SPDX-License-Identifier: ISC */
/*
 * staging_out - bodies to the client: short ones on the control lane, in the
 * thread where their command ended, others by the sender thread.
 */
#include "hostd/staging_private.h"

#include "common/clock.h"

#define CHUNK (4u << 20)	/* most bytes of a frame on the data lane */

static void
send_on_data(struct serve *s, const struct staging *st)
{
	struct msg_data m = { .transfer = st->transfer };
	struct err_text text;

	for (; m.offset < st->size; m.offset += m.size) {
		m.size = st->size - m.offset;
		if (m.size > CHUNK)
			m.size = CHUNK;
		if (link_send_body(s->data, MSG_data, 0, 0, &m, sizeof(m),
		    st->data + m.offset, m.size, CLOCK_NEVER, &text) !=
		    VGPU_OK)
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
	struct buf *b = link_begin(s->control, MSG_data, 0, 0);

	codec_encode(b, desc_data.fields, desc_data.field_count, &m);
	buf_append(b, st->data, st->size);
	link_end(s->control);
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
