/* SPDX-License-Identifier: ISC */
#include "hostd/dispatch.h"

#include <event2/event.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/log.h"
#include "hostd/arena.h"
#include "hostd/context_notify.h"
#include "hostd/exec_mem.h"
#include "hostd/idtab.h"
#include "hostd/lost.h"
#include "hostd/replay.h"
#include "hostd/report.h"
#include "hostd/serve.h"
#include "hostd/staging.h"
#include "protocol/shared.h"

/* Objects that one message's arrays may name in all. */
#define REFS_MAX 65536
#define MESSAGE_MAX 512		/* bytes of the largest message struct */

static void *refs[REFS_MAX];
static unsigned refs_used;
static struct frame stalled_frame;
static bool stalled;
static bool held;		/* nothing is carried out for the time being */
static int64_t stalled_at;	/* 0: nothing is late that comes now */

/* ---- resolving ids ----------------------------------------------------- */

static void
note_poison(struct call *call, const struct vobj *o)
{
	if (o->error == CL_SUCCESS || call->poison != CL_SUCCESS)
		return;
	call->poison = o->kind == OBJ_EVENT ?
	    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : o->error;
}

static struct vobj *
resolve(struct serve *s, struct call *call, const struct field *f, uint64_t id)
{
	struct vobj *o = idtab_get(s->objects, id, f->object);

	if (o == NULL)
		serve_fail(s, VGPU_EPROTO, "%s: %s names no such object",
		    call->message->name, f->name);
	else
		note_poison(call, o);
	return o;
}

static bool
resolve_array(struct serve *s, struct call *call, const struct field *f,
    struct span *span)
{
	const uint64_t *id = span->p;
	void **first = refs + refs_used;
	uint64_t i;

	if (span->n > REFS_MAX - refs_used) {
		serve_fail(s, VGPU_EPROTO, "%s: too many objects in %s",
		    call->message->name, f->name);
		return false;
	}
	for (i = 0; i < span->n; i++)
		if ((first[i] = resolve(s, call, f, id[i])) == NULL)
			return false;
	refs_used += (unsigned)span->n;
	span->p = first;
	return true;
}

static bool
resolve_all(struct serve *s, struct call *call)
{
	const struct message *m = call->message;
	const struct field *f;
	union ref *ref;
	unsigned i;

	refs_used = 0;
	for (i = 0; i < m->field_count; i++) {
		f = &m->fields[i];
		ref = (void *)((uint8_t *)call->msg + f->offset);
		if (f->flags & FIELD_NEW)
			continue;
		if (f->kind == FIELD_IDS &&
		    !resolve_array(s, call, f, (struct span *)(void *)ref))
			return false;
		if (f->kind != FIELD_ID)
			continue;
		if (ref->id == 0)
			ref->obj = NULL;
		else if ((ref->obj = resolve(s, call, f, ref->id)) == NULL)
			return false;
	}
	return true;
}

/* ---- failing ----------------------------------------------------------- */

/* Of what is used by some although it could not be made, all is there. */
static size_t
poisoned_size(enum obj_kind kind)
{
	switch (kind) {
	case OBJ_EVENT:
		return sizeof(struct vevent);
	case OBJ_MEM:
		return sizeof(struct vmem);
	default:
		return sizeof(struct vobj);
	}
}

static void
poison(struct serve *s, struct call *call, const struct field *f, uint64_t id,
    cl_int code, const char *reason)
{
	struct msg_object_error m = { .object = id, .code = code };
	struct vobj *o = idtab_get(s->objects, id, f->object);

	if (o == NULL)
		o = object_new(s, call, f->object, id, poisoned_size(f->object),
		    NULL);
	if (o == NULL)
		return;
	o->error = code;
	if (f->object == OBJ_EVENT) {
		report_failure(s, id, code);
		return;
	}
	m.reason = span_text(reason);
	serve_send(s, &desc_object_error, &m, false);
}

/*
 * A command that nobody can ask about: its queue remembers.  A poisoned queue
 * may be no more than its head, and fails clFinish anyway.
 */
static void
note_failed_queue(struct call *call, cl_int code)
{
	const struct message *m = call->message;
	const union ref *ref = call->msg;
	int none = CL_SUCCESS;

	if (m->field_count > 0 && m->fields[0].object == OBJ_QUEUE &&
	    m->fields[0].kind == FIELD_ID &&
	    ((const struct vobj *)ref->obj)->error == CL_SUCCESS)
		atomic_compare_exchange_strong(
		    &((struct vqueue *)ref->obj)->failed, &none, code);
}

/* What was made from a body in the arena has its own copy. */
static void
give_place_back(struct serve *s, struct call *call)
{
	if (call->place != 0)
		arena_give_back(s, call->place & TRANSFER_REST, false);
	call->place = 0;
}

/*
 * The body of a failed call may be on its way already, or lie where the client
 * does not use it before it is told.
 */
static void
absorb_body(struct serve *s, struct call *call)
{
	const struct message *m = call->message;
	const uint64_t *transfer = NULL;
	bool in = false;
	unsigned i;

	for (i = 0; i < m->field_count; i++) {
		if (strcmp(m->fields[i].name, "data") == 0)
			in = true;
		else if (strcmp(m->fields[i].name, "transfer") == 0)
			transfer = (const void *)((uint8_t *)call->msg +
			    m->fields[i].offset);
	}
	if (!in || transfer == NULL || *transfer == 0)
		return;
	if (transfer_kind(*transfer) == TRANSFER_PLACE) {
		call->place = *transfer;
		give_place_back(s, call);
	} else if (transfer_kind(*transfer) == TRANSFER_LANES &&
	    !(call->flags & FRAME_PULL))
		staging_absorb(s, *transfer);
}

void
call_fail(struct serve *s, struct call *call, cl_int code, const char *reason)
{
	const struct message *m = call->message;
	char text[256];
	unsigned i;
	bool told = false;
	const union ref *ref;
	/* Any reply begins with its status; the rest of it is empty. */
	uint64_t reply[MESSAGE_MAX / 8] = { 0 };

	lost_note_call(s, call, code);
	if (call->replay != NULL) {
		replay_close(call->replay, code);
		return;
	}
	snprintf(text, sizeof(text), "vgpu: %s failed with error %d%s%s",
	    m->name, code, reason != NULL ? ": " : "",
	    reason != NULL ? reason : "");
	log_debug("%s", text);
	absorb_body(s, call);
	for (i = 0; i < m->field_count; i++) {
		ref = (const void *)((uint8_t *)call->msg +
		    m->fields[i].offset);
		if (!(m->fields[i].flags & FIELD_NEW) || ref->id == 0)
			continue;
		poison(s, call, &m->fields[i], ref->id, code, text);
		told = true;
	}
	if (!told && m->call_class == CALL_ASYNC) {
		note_failed_queue(call, code);
		context_notify_call(s, call, text);
	}
	reply[0] = (uint64_t)(int64_t)code;
	call_reply(s, call, reply);
}

void
call_reply(struct serve *s, const struct call *call, const void *reply)
{
	if (call->message->call_class == CALL_SYNC ||
	    call->message->reply_count > 0 || (call->flags & FRAME_CONFIRM))
		serve_reply(s, call->message, call->serial, reply);
}

/* ---- carrying out ------------------------------------------------------ */

/* Before hello is done nothing else may come, and afterwards no second one. */
static bool
in_order(struct serve *s, const struct message *m)
{
	const bool first = m->number == MSG_hello || m->number == MSG_narrow;

	if (first != s->ready)
		return true;
	if (m->number == MSG_hello)
		serve_fail(s, VGPU_EPROTO, "a second hello");
	else
		serve_fail(s, VGPU_EPROTO, "%s %s hello", m->name,
		    s->ready ? "after" : "before");
	return false;
}

/* Calls that make sense with a poisoned object; a launch has arguments. */
static bool
accepts_poison(const struct message *m)
{
	return m->number == MSG_watch || m->number == MSG_release ||
	    m->number == MSG_clEnqueueNDRangeKernel;
}

/*
 * The serial of next if it is a clFinish for the queue that f may be a command
 * for: the first field of all of them is the queue.
 */
static uint64_t
following_finish(const struct frame *f, const struct frame *next)
{
	if (next == NULL || next->type != MSG_clFinish ||
	    f->type == MSG_clFinish || next->flags != 0 ||
	    next->len != sizeof(uint64_t) || f->len < next->len ||
	    memcmp(f->body, next->body, next->len) != 0)
		return 0;
	return next->serial;
}

bool
dispatch_frame(struct serve *s, const struct frame *f,
    const struct frame *next)
{
	uint64_t msg[MESSAGE_MAX / 8];
	const struct message *m = message_find(f->type);
	exec_function *exec = exec_find(f->type);
	struct call call = { .message = m, .flags = f->flags,
		.serial = f->serial, .body = f->body, .len = f->len,
		.msg = msg, .finish_serial = following_finish(f, next) };
	struct err_text text;

	stalled_frame = *f;
	if (m == NULL || exec == NULL || m->size > sizeof(msg)) {
		serve_fail(s, VGPU_EPROTO, "message %u is not for hosts",
		    f->type);
		return false;
	}
	if (codec_decode(f->body, f->len, m->fields, m->field_count, msg,
	    &text) != VGPU_OK) {
		serve_fail(s, VGPU_EPROTO, "%s: %s", m->name, text.s);
		return false;
	}
	if (!in_order(s, m) || !resolve_all(s, &call))
		return false;
	if (call.poison != CL_SUCCESS && !accepts_poison(m))
		call_fail(s, &call, call.poison, "it uses an object that"
		    " could not be made, or an event that failed");
	else
		exec(s, &call, msg);
	/* What comes behind an answer may have been sent because of it. */
	if (m->reply_count > 0)
		dispatch_caught_up(s);
	give_place_back(s, &call);
	return call.finishes;
}

/* ---- standing still ---------------------------------------------------- */

void
dispatch_stall(struct serve *s)
{
	stalled = true;
	if (stalled_at == 0)
		stalled_at = clock_ns();
	serve_stand(s);
}

void
dispatch_caught_up(struct serve *s)
{
	(void)s;
	if (!stalled)
		stalled_at = 0;
}

uint64_t
dispatch_lag(const struct serve *s)
{
	(void)s;
	return stalled_at != 0 ? (uint64_t)(clock_ns() - stalled_at) : 0;
}

bool
dispatch_stalled(const struct serve *s)
{
	(void)s;
	return stalled || held;
}

void
dispatch_hold(struct serve *s)
{
	held = true;
	if (stalled_at == 0)
		stalled_at = clock_ns();
	serve_stand(s);
}

void
dispatch_let_go(struct serve *s)
{
	held = false;
	serve_go_on(s);
	event_active(s->control_event, EV_READ, 0);
}

void
dispatch_resume(struct serve *s)
{
	stalled = false;
	serve_go_on(s);
	dispatch_frame(s, &(struct frame){ stalled_frame.type,
	    stalled_frame.flags, stalled_frame.serial, stalled_frame.body,
	    stalled_frame.len, stalled_frame.rest }, NULL);
}
