/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/incoming.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "icd-vgpu/arena.h"
#include "icd-vgpu/client.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/event.h"
#include "icd-vgpu/incoming_body.h"
#include "icd-vgpu/pending.h"
#include "icd-vgpu/trace.h"
#include "icd-vgpu/transfer.h"

/* May a failed write succeed if it is tried again? */
static bool
may_write(void)
{
	struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };

	if (errno == EAGAIN)
		poll(&p, 1, -1);
	return errno == EAGAIN || errno == EINTR;
}

/* Kernels' printf belongs on the program's standard output, at once. */
static void
print_output(const struct msg_output *m)
{
	const char *p = m->text.p;
	size_t n = m->text.n;
	ssize_t w;

	while (n > 0) {
		w = write(STDOUT_FILENO, p, n);
		if (w < 0 && !may_write())
			return;
		if (w > 0) {
			p += w;
			n -= (size_t)w;
		}
	}
}

static void
object_error(const struct msg_object_error *m)
{
	struct object *o = object_find(m->object, OBJ_NONE);

	if (o == NULL)
		return;
	atomic_store(&o->error, (int)m->code);
	context_note_error(o, m->reason.p);
	object_unuse(o);
}

static void
take_credit(struct client *c, uint64_t size)
{
	pthread_mutex_lock(&c->lock);
	c->eager_used -= size < c->eager_used ? size : c->eager_used;
	pthread_mutex_unlock(&c->lock);
}

/* A message's struct, in a buffer that fits each one the host sends. */
union any_message {
	struct msg_event_status event_status;
	struct msg_object_error object_error;
	struct msg_data data;
	struct msg_data_pattern data_pattern;
	struct msg_data_packed data_packed;
	struct msg_pull pull;
	struct msg_credit credit;
	struct msg_output output;
	struct msg_notify notify;
	struct msg_goodbye goodbye;
	struct msg_place_free place_free;
	struct msg_shared_ready shared_ready;
};

static enum vgpu_err
act_on_message(struct client *c, struct incoming_body *body, unsigned type,
    const union any_message *m, struct err_text *text)
{
	switch (type) {
	case MSG_event_status:
		event_take_status(&m->event_status);
		return VGPU_OK;
	case MSG_object_error:
		object_error(&m->object_error);
		return VGPU_OK;
	case MSG_data:
		body->transfer = m->data.transfer;
		body->at = m->data.offset;
		body->left = m->data.size;
		return VGPU_OK;
	case MSG_data_pattern:
		return incoming_pattern(&m->data_pattern, text);
	case MSG_data_packed:
		return incoming_packed(c->coding, &m->data_packed, text);
	case MSG_pull:
		transfer_pulled(m->pull.transfer);
		return VGPU_OK;
	case MSG_credit:
		take_credit(c, m->credit.size);
		return VGPU_OK;
	case MSG_output:
		print_output(&m->output);
		return VGPU_OK;
	case MSG_notify:
		context_notify(m->notify.context, m->notify.text.p);
		return VGPU_OK;
	case MSG_place_free:
		if (arena_returned(m->place_free.place))
			return VGPU_OK;
		return err_set(text, VGPU_EPROTO, "no place at %llu",
		    (unsigned long long)m->place_free.place);
	case MSG_shared_ready:
		transfer_ready(m->shared_ready.transfer);
		return VGPU_OK;
	case MSG_goodbye:
		return err_set(text, VGPU_ECLOSED, "the host ended the session:"
		    " %.*s", (int)m->goodbye.reason.n,
		    (const char *)m->goodbye.reason.p);
	default:
		return err_set(text, VGPU_EPROTO,
		    "message %u is not for clients", type);
	}
}

static enum vgpu_err
handle_frame(struct client *c, struct incoming_body *body,
    const struct frame *f, struct err_text *text)
{
	const struct message *m;
	union any_message msg;
	enum vgpu_err e;

	trace_frame(f->type, f->flags, f->serial, f->len);
	if (f->flags & FRAME_REPLY)
		return pending_reply(c, f, text);
	m = message_find(f->type);
	if (m == NULL || m->size > sizeof(msg))
		return err_set(text, VGPU_EPROTO, "unknown message %u",
		    f->type);
	e = codec_decode(f->body, f->len, m->fields, m->field_count, &msg,
	    text);
	return e != VGPU_OK ? e : act_on_message(c, body, f->type, &msg, text);
}

/* Take all frames of one lane.  True: there was at least one. */
static bool
receive_lane(struct client *c, struct link *l, struct incoming_body *body)
{
	struct err_text text;
	struct frame f;
	enum vgpu_err e = VGPU_OK;
	bool any = false;

	for (;;) {
		if (body->transfer != 0) {
			e = incoming_body(l, body, &text);
			if (e != VGPU_OK)
				break;
			any = true;
		}
		if ((e = link_receive(l, &f, &text)) != VGPU_OK)
			break;
		any = true;
		if ((e = handle_frame(c, body, &f, &text)) != VGPU_OK)
			break;
	}
	if (e == VGPU_EAGAIN)
		return any;
	client_die(c, text.s);
	return true;
}

bool
incoming_receive(struct client *c)
{
	struct link *data = atomic_load(&c->data);
	bool any;

	if (!atomic_load(&c->alive))
		return true;
	any = receive_lane(c, c->control, &c->body[0]);
	if (data != NULL && atomic_load(&c->alive))
		any |= receive_lane(c, data, &c->body[1]);
	return any;
}
