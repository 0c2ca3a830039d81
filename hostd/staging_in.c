/* SPDX-License-Identifier: ISC */
/*
 * staging_in - bodies from the data lane.  The loop thread's.
 */
#include "hostd/staging_private.h"

#include <event2/event.h>
#include <string.h>

#include "hostd/dispatch.h"

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

/* All of a body is there, though perhaps not where it belongs. */
static void
landed(struct serve *s, struct staging *st)
{
	bool early = false;

	if (st->mem != NULL && st->data != st->place && st->data != NULL) {
		pthread_mutex_lock(&s->lock);
		early = !st->ready && !st->abandoned && !st->lost;
		st->whole = true;
		pthread_mutex_unlock(&s->lock);
		if (st->ready)
			memcpy(st->place, st->data, st->size);
	}
	if (early)
		return;
	if (st->resume)
		resume_creation(s, st);
	else
		staging_open_gate(s, st, CL_COMPLETE);
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

/*
 * Where is one to land that belongs in a buffer?  Its map is mostly complete
 * by now, or will be soon, unless a kernel runs before it.
 */
static enum vgpu_err
find_place(struct serve *s, struct staging *st, struct err_text *text)
{
	static const struct timeval grace = { .tv_usec = 1000 };
	struct transfers *t = s->transfers;
	bool wait = false, nowhere;

	pthread_mutex_lock(&s->lock);
	if (st->ready)
		st->data = st->place;
	else
		wait = st->held = !t->late && !st->abandoned && !st->lost;
	nowhere = st->abandoned || st->lost;
	pthread_mutex_unlock(&s->lock);
	if (wait) {
		t->paused = true;
		event_del(s->data_event);
		evtimer_add(t->grace, &grace);
		return VGPU_EAGAIN;
	}
	if (st->data == NULL && !nowhere && !staging_spill(s, st))
		return err_set(text, VGPU_ENOMEM, "no memory for a body");
	return VGPU_OK;
}

/* A piece that came whole with its message; absorbed ones go nowhere. */
static enum vgpu_err
take_coded(struct serve *s, struct staging *st, struct err_text *text)
{
	struct transfers *t = s->transfers;
	enum vgpu_err e = VGPU_OK;

	if (st->data != NULL && t->coded.kind == CODING_PATTERN)
		coding_fill(st->data + t->at, t->left, 0, t->coded.pattern);
	else if (st->data != NULL)
		e = coding_unpack(t->coding, st->data + t->at, t->left,
		    t->coded.packed, t->coded.packed_n, text);
	st->landed += t->left;
	t->left = 0;
	return e;
}

/* What follows its message. */
static enum vgpu_err
take_plain(struct serve *s, struct staging *st, struct err_text *text)
{
	struct transfers *t = s->transfers;
	enum vgpu_err e;
	size_t got;

	while (t->left > 0) {
		e = receive_some(s, st, &got, text);
		if (e != VGPU_OK)
			return e;
		t->at += got;
		t->left -= got;
		st->landed += got;
	}
	return VGPU_OK;
}

static enum vgpu_err
receive_rest(struct serve *s, struct err_text *text)
{
	struct transfers *t = s->transfers;
	struct staging *st = staging_find(s, t->current);
	enum vgpu_err e;

	if (st == NULL) {
		/* Its message is still on its way on the control lane. */
		t->paused = true;
		event_del(s->data_event);
		return VGPU_EAGAIN;
	}
	if (t->at > st->size || t->left > st->size - t->at)
		return err_set(text, VGPU_EPROTO,
		    "data outside of its transfer");
	if (st->whole)
		return err_set(text, VGPU_EPROTO,
		    "more data than its transfer has");
	if (st->mem != NULL && st->data == NULL &&
	    (e = find_place(s, st, text)) != VGPU_OK)
		return e;
	e = t->coded.kind == CODING_PLAIN ? take_plain(s, st, text) :
	    take_coded(s, st, text);
	if (e != VGPU_OK)
		return e;
	t->current = 0;
	t->late = false;
	if (st->size == SIZE_MAX)
		staging_send_credit(s, t->frame);
	if (st->landed >= st->size)
		landed(s, st);
	return VGPU_OK;
}

/* All three begin alike. */
union any_data {
	struct msg_data data;
	struct msg_data_pattern pattern;
	struct msg_data_packed packed;
};

static enum vgpu_err
receive_frame(struct serve *s, struct err_text *text)
{
	struct transfers *t = s->transfers;
	const struct message *desc;
	union any_data m;
	struct frame f;
	enum vgpu_err e;
	size_t max;

	if ((e = link_receive(s->data, &f, text)) != VGPU_OK)
		return e;
	desc = f.type == MSG_data ? &desc_data :
	    f.type == MSG_data_pattern ? &desc_data_pattern :
	    f.type == MSG_data_packed ? &desc_data_packed : NULL;
	if (desc == NULL)
		return err_set(text, VGPU_EPROTO,
		    "message %u is not for the data lane", f.type);
	e = codec_decode(f.body, f.len, desc->fields, desc->field_count, &m,
	    text);
	if (e != VGPU_OK)
		return e;
	max = f.type == MSG_data ? f.rest : CODING_MAX;
	if (m.data.size == 0 || m.data.size > max || m.data.transfer == 0)
		return err_set(text, VGPU_EPROTO, "data frame of wrong size");
	t->current = m.data.transfer;
	t->at = m.data.offset;
	t->left = t->frame = m.data.size;
	t->coded.kind = f.type == MSG_data ? CODING_PLAIN :
	    f.type == MSG_data_pattern ? CODING_PATTERN : CODING_PACKED;
	t->coded.pattern = m.pattern.pattern;
	if (f.type == MSG_data_packed) {
		t->coded.packed = m.packed.packed.p;
		t->coded.packed_n = m.packed.packed.n;
	}
	return VGPU_OK;
}

enum vgpu_err
staging_receive(struct serve *s, struct err_text *text)
{
	enum vgpu_err e = VGPU_OK;

	if (s->transfers->current == 0)
		e = receive_frame(s, text);
	return e == VGPU_OK ? receive_rest(s, text) : e;
}
