/* SPDX-License-Identifier: ISC */
#include "hostd/serve.h"

#include <event2/event.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log.h"
#include "hostd/bind.h"
#include "hostd/defer.h"
#include "hostd/dispatch.h"
#include "hostd/idtab.h"
#include "hostd/joining.h"
#include "hostd/move.h"
#include "hostd/output.h"
#include "hostd/reuse.h"
#include "hostd/staging.h"
#include "hostd/watchdog.h"

/* How long the last words to a client may take. */
#define GOODBYE_MS 200

/* How long what is kept of a build may take when its client is gone. */
#define KEEP_MS 500

static struct serve *the_serve;	/* one in a process */

/* ---- sending ----------------------------------------------------------- */

static void
send_frame(struct link *l, unsigned type, unsigned flags, uint64_t serial,
    const struct field *f, unsigned count, const void *msg)
{
	struct buf *b = link_begin(l, (uint16_t)type, (uint16_t)flags, serial);

	codec_encode(b, f, count, msg);
	link_end(l);
}

void
serve_send(struct serve *s, const struct message *m, const void *msg,
    bool flush)
{
	send_frame(s->control, m->number, 0, 0, m->fields, m->field_count,
	    msg);
	if (flush)
		serve_flush(s);
}

void
serve_reply(struct serve *s, const struct message *m, uint64_t serial,
    const void *reply)
{
	static const struct field status_only = { .name = "status",
		.kind = FIELD_I32, .length_field = -1 };

	/* An async call that asked for confirmation has just a status. */
	if (m->reply_count > 0)
		send_frame(s->control, m->number, FRAME_REPLY, serial,
		    m->reply, m->reply_count, reply);
	else
		send_frame(s->control, m->number, FRAME_REPLY, serial,
		    &status_only, 1, reply);
	serve_flush(s);
}

/* What the socket does not take now, the loop sends when it does. */
void
serve_flush(struct serve *s)
{
	if (link_flush(s->control, NULL) == VGPU_EAGAIN)
		defer_write(s);
}

void
serve_fail(struct serve *s, enum vgpu_err e, const char *format, ...)
{
	struct msg_goodbye m = { .error = e };
	struct err_text text;
	char escaped[ERR_TEXT_MAX];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text.s, sizeof(text.s), format, ap);
	va_end(ap);
	if (atomic_exchange(&s->ended, true))
		return;
	log_warn("ended: %s: %s", err_name(e),
	    log_escape(escaped, sizeof(escaped), text.s, strlen(text.s)));
	m.reason = span_text(text.s);
	serve_send(s, &desc_goodbye, &m, false);
	link_flush_wait(s->control, clock_after_ms(GOODBYE_MS), NULL);
	link_fail(s->control, e, text.s);
	event_base_loopbreak(s->base);
}

/* ---- receiving --------------------------------------------------------- */

static void
lost(struct serve *s, enum vgpu_err e, const struct err_text *text)
{
	if (e == VGPU_ECLOSED)
		log_debug("client left");
	else
		serve_fail(s, e, "%s", text->s);
	event_base_loopbreak(s->base);
}

/*
 * Frames taken in one turn before other events get theirs: joins, signals,
 * the data lane.
 */
#define TURN_FRAMES 4096

/* One message, or two where the second one is part of the first. */
static enum vgpu_err
receive_message(struct serve *s, struct err_text *text)
{
	struct frame f, next;
	enum vgpu_err e;

	if ((e = link_receive(s->control, &f, text)) != VGPU_OK)
		return e;
	if (dispatch_frame(s, &f, link_peek(s->control, &next) ? &next : NULL))
		e = link_receive(s->control, &next, text);
	return e;
}

void
serve_receive_control(struct serve *s)
{
	struct err_text text;
	enum vgpu_err e = VGPU_OK;
	unsigned n;

	for (n = 0; n < TURN_FRAMES && !dispatch_stalled(s); n++) {
		if ((e = receive_message(s, &text)) != VGPU_OK)
			break;
		if (link_error(s->control, NULL) != VGPU_OK)
			return;
	}
	dispatch_end_batch(s);
	if (n > 0)
		loop_note_batch(s);
	if (e == VGPU_EAGAIN)
		dispatch_caught_up(s);
	if (e != VGPU_OK && e != VGPU_EAGAIN)
		lost(s, e, &text);
	else if (e == VGPU_OK && !dispatch_stalled(s))
		event_active(s->control_event, EV_READ, 0);
	if (move_is_ordered())
		move_look(s);
}

static void
on_control(int fd, short what, void *arg)
{
	struct serve *s = arg;

	(void)fd;
	if (what & EV_WRITE)
		link_flush(s->control, NULL);
	if (what & EV_READ)
		serve_receive_control(s);
}

static void
on_data(int fd, short what, void *arg)
{
	struct serve *s = arg;
	struct err_text text;
	enum vgpu_err e;

	(void)fd;
	(void)what;
	e = staging_receive(s, &text);
	if (e == VGPU_OK)
		event_active(s->data_event, EV_READ, 0);
	else if (e != VGPU_EAGAIN)
		lost(s, e, &text);
	serve_flush(s);	/* credit, where no command's end takes it along */
}

/* ---- standing ---------------------------------------------------------- */

#define STAND_MS 100

static void
on_stand(int fd, short what, void *arg)
{
	struct serve *s = arg;
	struct pollfd p = { link_fd(s->control), POLLRDHUP, 0 };

	(void)fd;
	(void)what;
	if (poll(&p, 1, 0) > 0)
		lost(s, VGPU_ECLOSED, NULL);
}

void
serve_stand(struct serve *s)
{
	static const struct timeval interval = { 0, STAND_MS * 1000 };

	event_del(s->control_event);
	event_add(s->stand_event, &interval);
}

void
serve_go_on(struct serve *s)
{
	event_del(s->stand_event);
	event_add(s->control_event, NULL);
}

/* ---- lanes ------------------------------------------------------------- */

static void
on_joined(struct serve *s, struct link *l)
{
	static const struct msg_joined nothing;

	s->data = l;
	link_set_frame_max(s->data, FRAME_MAX);
	link_set_streamed(s->data, MSG_data, sizeof(struct msg_data));
	link_set_exact(s->data);
	send_frame(s->data, MSG_joined, 0, 0, NULL, 0, &nothing);
	link_flush_wait(s->data, clock_after_ms(GOODBYE_MS), NULL);
	s->data_event = event_new(s->base, link_fd(s->data),
	    EV_READ | EV_PERSIST, on_data, s);
	if (s->data_event == NULL || event_add(s->data_event, NULL) != 0) {
		serve_fail(s, VGPU_ENOMEM, "out of memory");
		return;
	}
	staging_start_sender(s);
	event_active(s->data_event, EV_READ, 0);
}

void
serve_add_lane(struct transport *t)
{
	joining_start(the_serve, t, on_joined);
}

void
serve_shut(const uint8_t *bits)
{
	bind_shut(bits);
	move_shut_changed();
}

void
serve_move(const struct channel_move *m)
{
	if (the_serve != NULL)
		move_order(the_serve, m);
}

void
serve_refuse(struct transport *t, enum vgpu_err e, const char *reason)
{
	const struct msg_refuse m = {
		.error = e,
		.reason = { reason, strlen(reason) },
		.software = { PACKAGE_VERSION, sizeof(PACKAGE_VERSION) - 1 },
	};
	struct link *l = link_new(t, FRAME_MAX_HELLO);

	if (l == NULL) {
		t->ops->close(t, false);
		return;
	}
	send_frame(l, MSG_refuse, 0, 0, desc_refuse.fields,
	    desc_refuse.field_count, &m);
	link_flush_wait(l, clock_after_ms(GOODBYE_MS), NULL);
	link_free(l, true);
}

/* ---- life -------------------------------------------------------------- */

static enum vgpu_err
serve_open(struct serve *s, const struct serve_start *start,
    struct err_text *text)
{
	enum vgpu_err e;

	s->start = *start;
	s->base = start->base;
	s->present_as = start->present_as;
	s->kind = start->view;
	pthread_mutex_init(&s->lock, NULL);
	pthread_mutex_init(&s->report_lock, NULL);
	e = start->control->ops->token(start->control, s->token, text);
	if (e != VGPU_OK)
		return e;
	if ((s->control = link_new(start->control, FRAME_MAX_HELLO)) == NULL ||
	    (s->objects = idtab_new(SERVE_OBJECTS_MAX)) == NULL)
		return err_set(text, VGPU_ENOMEM, "out of memory");
	if ((e = staging_open(s, text)) != VGPU_OK ||
	    (e = output_open(s, text)) != VGPU_OK ||
	    (e = defer_open(s, text)) != VGPU_OK)
		return e;
	s->control_event = event_new(s->base, link_fd(s->control),
	    EV_READ | EV_PERSIST, on_control, s);
	s->stand_event = event_new(s->base, -1, EV_PERSIST, on_stand, s);
	if (s->control_event == NULL || s->stand_event == NULL ||
	    event_add(s->control_event, NULL) != 0)
		return err_set(text, VGPU_ENOMEM, "out of memory");
	watchdog_start(link_fd(s->control));
	return VGPU_OK;
}

int
serve_run(struct serve_start *start)
{
	static struct serve serve;
	struct err_text text;

	the_serve = &serve;
	if (serve_open(&serve, start, &text) != VGPU_OK) {
		log_error("%s", text.s);
		return 1;
	}
	/* What came with the handshake's last record is in TLS already. */
	event_active(serve.control_event, EV_READ, 0);
	loop_run(&serve);
	output_drain(&serve);
	reuse_wait(KEEP_MS);
	link_flush_wait(serve.control, clock_after_ms(GOODBYE_MS), NULL);
	/*
	 * No cleaning up: kernels may be running, and the end of the process
	 * returns all there is, whatever state the vendor is in.
	 */
	_exit(0);
}
