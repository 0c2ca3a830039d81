/* SPDX-License-Identifier: ISC */
#include "hostd/staging.h"

#include <event2/event.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "hostd/dispatch.h"

#define CHUNK (4u << 20)	/* most bytes of a frame on the data lane */
#define ALIGNMENT 128		/* the largest OpenCL type */

struct transfers {
	TAILQ_HEAD(, staging) expected;
	/* The frame that is being received, the loop thread's. */
	uint64_t current;
	size_t at, left, frame;
	bool paused;		/* its staging is not known yet */
	/* The sender's queue. */
	TAILQ_HEAD(, staging) outbound;
	pthread_cond_t wake;
};

enum vgpu_err
staging_open(struct serve *s, struct err_text *text)
{
	struct transfers *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return err_set(text, VGPU_ENOMEM, "out of memory");
	TAILQ_INIT(&t->expected);
	TAILQ_INIT(&t->outbound);
	pthread_cond_init(&t->wake, NULL);
	s->transfers = t;
	return VGPU_OK;
}

/* ---- memory ------------------------------------------------------------ */

struct staging *
staging_new(struct serve *s, uint64_t transfer, size_t size, bool in)
{
	struct staging *st = calloc(1, sizeof(*st));

	if (st == NULL || posix_memalign((void **)&st->data, ALIGNMENT,
	    size > 0 ? size : 1) != 0) {
		free(st);
		return NULL;
	}
	st->transfer = transfer;
	st->size = size;
	st->in = in;
	pthread_mutex_lock(&s->lock);
	s->staging += size;
	pthread_mutex_unlock(&s->lock);
	return st;
}

struct staging *
staging_borrow(struct serve *s, uint64_t transfer, void *p, size_t size)
{
	struct staging *st = calloc(1, sizeof(*st));

	(void)s;
	if (st == NULL)
		return NULL;
	st->transfer = transfer;
	st->data = p;
	st->size = size;
	st->borrowed = true;
	return st;
}

/* True: st is still expected, and stays for the data lane to end. */
static bool
abandon(struct serve *s, struct staging *st)
{
	bool kept;

	pthread_mutex_lock(&s->lock);
	kept = st->listed;
	st->abandoned = true;
	pthread_mutex_unlock(&s->lock);
	return kept;
}

static void
send_credit(struct serve *s, size_t size)
{
	const struct msg_credit m = { .size = size };

	serve_send(s, &desc_credit, &m, false);
}

void
staging_free(struct serve *s, struct staging *st)
{
	if (st == NULL || abandon(s, st))
		return;
	if (st->credit)
		send_credit(s, st->size);
	if (st->shut)
		dispatch_count_shut(s, -1);
	if (st->gate != NULL)
		clReleaseEvent(st->gate);
	if (!st->borrowed) {
		free(st->data);
		pthread_mutex_lock(&s->lock);
		s->staging -= st->size;
		pthread_mutex_unlock(&s->lock);
	}
	free(st);
}

bool
staging_scarce(struct serve *s)
{
	bool scarce;

	pthread_mutex_lock(&s->lock);
	scarce = s->staging > SERVE_STAGING_MAX;
	pthread_mutex_unlock(&s->lock);
	return scarce;
}

/* ---- in ---------------------------------------------------------------- */

struct staging *
staging_find(struct serve *s, uint64_t transfer)
{
	struct staging *st;

	pthread_mutex_lock(&s->lock);
	TAILQ_FOREACH(st, &s->transfers->expected, entry)
		if (st->transfer == transfer)
			break;
	pthread_mutex_unlock(&s->lock);
	return st;
}

static void
receive_again(struct serve *s)
{
	if (s->transfers->paused && s->data_event != NULL) {
		s->transfers->paused = false;
		event_add(s->data_event, NULL);
		event_active(s->data_event, EV_READ, 0);
	}
}

void
staging_expect(struct serve *s, struct staging *st)
{
	pthread_mutex_lock(&s->lock);
	TAILQ_INSERT_TAIL(&s->transfers->expected, st, entry);
	st->listed = true;
	pthread_mutex_unlock(&s->lock);
	receive_again(s);
}

/* Its length is not known, so the entry stays: it costs little. */
void
staging_absorb(struct serve *s, uint64_t transfer)
{
	struct staging *st;

	if (staging_find(s, transfer) != NULL ||
	    (st = calloc(1, sizeof(*st))) == NULL)
		return;
	st->transfer = transfer;
	st->size = SIZE_MAX;
	st->in = true;
	st->abandoned = true;
	staging_expect(s, st);
}

void
staging_remove(struct serve *s, struct staging *st)
{
	pthread_mutex_lock(&s->lock);
	if (st->listed)
		TAILQ_REMOVE(&s->transfers->expected, st, entry);
	st->listed = false;
	pthread_mutex_unlock(&s->lock);
}

void
staging_pull(struct serve *s, const struct staging *st)
{
	const struct msg_pull m = { .transfer = st->transfer };

	serve_send(s, &desc_pull, &m, true);
}

/* The creation that waits for st finds it in the list. */
static void
resume_creation(struct serve *s, struct staging *st)
{
	dispatch_resume(s);
	staging_remove(s, st);
	staging_free(s, st);
	if (!dispatch_stalled(s))
		serve_receive_control(s);
}

/* Nothing more of it will arrive: let its command go, or free it. */
static void
open_gate(struct serve *s, struct staging *st, cl_int status)
{
	cl_event gate = NULL;
	bool shut = false;

	/* From here on the command may end and free st. */
	pthread_mutex_lock(&s->lock);
	if (st->listed)
		TAILQ_REMOVE(&s->transfers->expected, st, entry);
	st->listed = false;
	if (!st->abandoned && (gate = st->gate) != NULL) {
		clRetainEvent(gate);
		shut = st->shut;
		st->shut = false;
	}
	pthread_mutex_unlock(&s->lock);
	if (gate == NULL) {
		staging_free(s, st);
		return;
	}
	if (clSetUserEventStatus(gate, status) != CL_SUCCESS)
		serve_fail(s, VGPU_ECL, "a command can't be let go");
	if (shut)
		dispatch_count_shut(s, -1);
	clReleaseEvent(gate);
}

void
staging_give_up(struct serve *s, struct staging *st, cl_int status)
{
	open_gate(s, st, status);
}

/* All of a body is there. */
static void
landed(struct serve *s, struct staging *st)
{
	if (st->resume)
		resume_creation(s, st);
	else
		open_gate(s, st, CL_COMPLETE);
}

/* Take what there is of the frame; absorbed bodies have no memory. */
static enum vgpu_err
receive_some(struct serve *s, struct staging *st, size_t *got,
    struct err_text *text)
{
	static uint8_t nowhere[64 << 10];
	struct transfers *t = s->transfers;

	if (st->data != NULL)
		return link_receive_body(s->data, st->data + t->at, t->left,
		    got, text);
	return link_receive_body(s->data, nowhere, t->left < sizeof(nowhere) ?
	    t->left : sizeof(nowhere), got, text);
}

static enum vgpu_err
receive_rest(struct serve *s, struct err_text *text)
{
	struct transfers *t = s->transfers;
	struct staging *st = staging_find(s, t->current);
	enum vgpu_err e;
	size_t got;

	if (st == NULL) {
		/* Its message is still on its way on the control lane. */
		t->paused = true;
		event_del(s->data_event);
		return VGPU_EAGAIN;
	}
	if (t->at > st->size || t->left > st->size - t->at)
		return err_set(text, VGPU_EPROTO,
		    "data outside of its transfer");
	while (t->left > 0) {
		e = receive_some(s, st, &got, text);
		if (e != VGPU_OK)
			return e;
		t->at += got;
		t->left -= got;
		st->landed += got;
	}
	t->current = 0;
	if (st->data == NULL)
		send_credit(s, t->frame);
	if (st->landed >= st->size)
		landed(s, st);
	return VGPU_OK;
}

static enum vgpu_err
receive_frame(struct serve *s, struct err_text *text)
{
	struct transfers *t = s->transfers;
	struct msg_data m;
	struct frame f;
	enum vgpu_err e;

	if ((e = link_receive(s->data, &f, text)) != VGPU_OK)
		return e;
	if (f.type != MSG_data)
		return err_set(text, VGPU_EPROTO,
		    "message %u is not for the data lane", f.type);
	e = codec_decode(f.body, f.len, desc_data.fields,
	    desc_data.field_count, &m, text);
	if (e != VGPU_OK)
		return e;
	if (m.size == 0 || m.size > f.rest || m.transfer == 0)
		return err_set(text, VGPU_EPROTO, "data frame of wrong size");
	t->current = m.transfer;
	t->at = m.offset;
	t->left = t->frame = m.size;
	return VGPU_OK;
}

enum vgpu_err
staging_receive(struct serve *s, struct err_text *text)
{
	enum vgpu_err e;

	for (;;) {
		if (s->transfers->current == 0)
			e = receive_frame(s, text);
		else
			e = receive_rest(s, text);
		if (e != VGPU_OK)
			return e;
	}
}

/* ---- out --------------------------------------------------------------- */

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

void
staging_send(struct serve *s, struct staging *st)
{
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
