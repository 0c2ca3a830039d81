/* SPDX-License-Identifier: ISC */
#include "hostd/command.h"

#include <stdlib.h>
#include <string.h>

#include "hostd/arena.h"
#include "hostd/cascade.h"
#include "hostd/completion.h"
#include "hostd/dispatch.h"
#include "hostd/exec_event.h"
#include "hostd/replay.h"
#include "hostd/report.h"
#include "hostd/staging.h"
#include "protocol/shared.h"

/* ---- opening ----------------------------------------------------------- */

static bool
take_wait_list(struct command *c, const struct span *list)
{
	cl_event *wait = c->small;
	uint64_t i;

	if (list->n > COMMAND_WAIT_MAX) {
		/* one more for a gate */
		wait = c->large = malloc((list->n + 1) * sizeof(*wait));
		if (wait == NULL)
			return false;
	}
	for (i = 0; i < list->n; i++)
		wait[i] = native(span_objects(list)[i], c->member);
	c->wait_count = (cl_uint)list->n;
	c->wait = list->n > 0 ? wait : NULL;
	return true;
}

/*
 * Does the client have to be told of dep before it sees the command's effect?
 * In one in-order queue the order tells that.
 */
static bool
is_cause(struct command *c, const struct vevent *dep)
{
	return dep->queue != NULL &&
	    (dep->queue != c->vqueue || !c->vqueue->in_order) &&
	    !report_is_told(c->serve, dep);
}

static bool
has_causes(struct command *c, const struct span *list)
{
	uint64_t i;

	for (i = 0; i < list->n; i++)
		if (is_cause(c, span_objects(list)[i]))
			return true;
	return false;
}

static bool
keep_causes(struct command *c, const struct span *list)
{
	struct vevent *e = c->vevent, *dep;
	bool held = false, holds;
	uint64_t i;

	if (list->n == 0)
		return true;
	if ((e->deps = calloc(list->n, sizeof(struct vevent *))) == NULL)
		return false;
	for (i = 0; i < list->n; i++) {
		dep = span_objects(list)[i];
		holds = cascade_holds(dep);
		held |= holds;
		if (holds || is_cause(c, dep))
			e->deps[e->dep_count++] = object_ref(dep);
	}
	if (held)
		cascade_enter(c->serve, e);
	return true;
}

/* Does a simulator's queue have to wait for the command? */
static bool
may_block(struct command *c, const struct span *list)
{
	uint64_t i;

	if (c->vqueue->device->pool->simulator)
		for (i = 0; i < list->n; i++)
			if (cascade_holds(span_objects(list)[i]))
				return true;
	return false;
}

/* A command without event has one, too, where it has causes to be told. */
static bool
make_event(struct command *c, const struct span *list, uint64_t id)
{
	if (id == 0 && !has_causes(c, list) && !may_block(c, list))
		return true;
	c->hidden = id == 0;
	c->vevent = c->hidden ? vevent_hidden(c->context, c->member) :
	    vevent_new(c->serve, c->call, id, c->context, c->member);
	if (c->vevent == NULL)
		return false;
	c->vevent->queue = object_ref(c->vqueue);
	c->event_ret = &c->event;
	return keep_causes(c, list);
}

/* Give back what only the command has. */
static void
command_end(struct command *c)
{
	free(c->large);
	c->large = NULL;
	if (c->hidden)
		object_unref(c->vevent);
	c->hidden = false;
}

bool
command_open(struct command *c, struct serve *s, struct call *call,
    struct vqueue *q, const struct span *wait_list, const union ref *event)
{
	c->serve = s;
	c->call = call;
	c->vqueue = q;
	c->context = q->context;
	c->member = q->member;
	c->queue = native(q, q->member);
	c->event_ret = NULL;
	c->vevent = NULL;
	c->hidden = false;
	c->event = NULL;
	c->large = NULL;
	c->staging = NULL;
	c->finish_serial = 0;
	c->then = NULL;
	if (call->replay != NULL) {
		replay_open(call->replay, c);
		return true;
	}
	if (q->in_order && call->finish_serial != 0) {
		c->finish_serial = call->finish_serial;
		c->event_ret = &c->event;
	}
	if (take_wait_list(c, wait_list) &&
	    make_event(c, wait_list, event->id))
		return true;
	command_end(c);
	call_fail(s, call, CL_OUT_OF_HOST_MEMORY, NULL);
	return false;
}

/* ---- bodies ------------------------------------------------------------ */

void
command_wait(struct command *c, cl_event event)
{
	cl_event *wait = c->large != NULL ? c->large : c->small;

	wait[c->wait_count++] = event;
	c->wait = wait;
}

/* Pull the body when the command could run. */
static void
pull_now(struct serve *s, void *arg, cl_int status)
{
	struct staging *st = arg;

	if (status == CL_COMPLETE)
		staging_pull(s, st);
	else
		staging_give_up(s, st, status);
}

static cl_int
pull_later(struct command *c, struct staging *st)
{
	cl_event ready;
	cl_int code = clEnqueueMarkerWithWaitList(c->queue, c->wait_count,
	    c->wait, &ready);

	if (code == CL_SUCCESS)
		code = completion_watch(c->serve, ready, pull_now, st);
	return code;
}

cl_int
command_gate(struct command *c, struct staging *st)
{
	cl_int code = CL_SUCCESS;

	st->gate = clCreateUserEvent(native(c->context, c->member), &code);
	if (code != CL_SUCCESS)
		return code;
	st->shut = true;
	dispatch_count_shut(c->serve, 1);
	staging_expect(c->serve, st);
	if (!(c->call->flags & FRAME_PULL))
		st->credit = true;
	else if (staging_scarce(c->serve))
		code = pull_later(c, st);
	else
		staging_pull(c->serve, st);
	if (code != CL_SUCCESS)
		staging_remove(c->serve, st);
	else
		command_wait(c, st->gate);
	return code;
}

void *
command_body_in(struct command *c, const struct span *data, uint64_t transfer,
    size_t size)
{
	struct staging *st = NULL;
	cl_int code = CL_OUT_OF_HOST_MEMORY;

	if (transfer == 0 && data->n != size) {
		code = CL_INVALID_VALUE;
	} else if (transfer_kind(transfer) != TRANSFER_LANES) {
		st = staging_place(c->serve, transfer, size, true);
		code = st != NULL ? CL_SUCCESS : CL_INVALID_VALUE;
	} else if ((st = staging_new(c->serve, transfer, size, true)) !=
	    NULL) {
		code = CL_SUCCESS;
		if (transfer == 0)
			memcpy(st->data, data->p, size);
		else
			code = command_gate(c, st);
	}
	c->staging = st;
	if (code != CL_SUCCESS) {
		command_close(c, code);
		return NULL;
	}
	c->event_ret = &c->event;
	return st->data;
}

void *
command_body_out(struct command *c, uint64_t transfer, size_t size)
{
	c->staging = transfer_kind(transfer) == TRANSFER_LANES ?
	    staging_new(c->serve, transfer, size, false) :
	    staging_place(c->serve, transfer, size, false);
	if (c->staging == NULL) {
		command_close(c, CL_OUT_OF_HOST_MEMORY);
		return NULL;
	}
	c->event_ret = &c->event;
	return c->staging->data;
}

bool
command_body_at(struct command *c, uint64_t transfer, void *p, size_t size)
{
	c->staging = staging_borrow(c->serve, transfer, p, size);
	if (c->staging == NULL) {
		command_close(c, CL_OUT_OF_HOST_MEMORY);
		return false;
	}
	c->event_ret = &c->event;
	return true;
}

void
command_then(struct command *c,
    void (*then)(struct serve *, void *, cl_int), void *arg)
{
	c->then = then;
	c->then_arg = arg;
	c->event_ret = &c->event;
}

enum vgpu_err
creation_body(struct serve *s, struct call *call, const struct span *data,
    uint64_t transfer, size_t size, const void **p)
{
	struct staging *st;

	*p = data->n > 0 ? data->p : NULL;
	if (transfer_kind(transfer) != TRANSFER_LANES) {
		*p = arena_at(transfer & TRANSFER_REST, size);
		call->place = transfer;
		if (*p != NULL)
			return VGPU_OK;
		serve_fail(s, VGPU_EPROTO, "%s: no such place",
		    call->message->name);
		return VGPU_EPROTO;
	}
	if (transfer == 0) {
		if (data->n == 0 || data->n == size)
			return VGPU_OK;
		call_fail(s, call, CL_INVALID_VALUE, "body of wrong size");
		return VGPU_ECL;
	}
	if ((st = staging_find(s, transfer)) != NULL) {
		if (!st->resume || st->size != size || st->landed < size) {
			serve_fail(s, VGPU_EPROTO, "%s: transfer %llu is in"
			    " use", call->message->name,
			    (unsigned long long)transfer);
			return VGPU_EPROTO;
		}
		*p = st->data;
		return VGPU_OK;
	}
	if ((st = staging_new(s, transfer, size, true)) == NULL) {
		call_fail(s, call, CL_OUT_OF_HOST_MEMORY, NULL);
		return VGPU_ENOMEM;
	}
	st->resume = true;
	dispatch_stall(s);
	staging_expect(s, st);
	return VGPU_EAGAIN;
}

/* ---- closing ----------------------------------------------------------- */

/* What has to be done when the command is complete, if anything. */
static cl_int
set_completion(struct command *c)
{
	struct completion *done;

	if (c->staging == NULL && c->then == NULL && c->finish_serial == 0 &&
	    !(c->call->flags & FRAME_NOTIFY))
		return CL_SUCCESS;
	if ((done = completion_new(c->serve, c->event)) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	done->queue = object_ref(c->vqueue);
	if (c->vevent != NULL)
		done->vevent = object_ref(c->vevent);
	done->tell = c->vevent != NULL && (c->call->flags & FRAME_NOTIFY);
	done->staging = c->staging;
	done->then = c->then;
	done->then_arg = c->then_arg;
	if ((done->finish_serial = c->finish_serial) != 0)
		done->mark = report_mark(c->serve);
	c->staging = NULL;
	return completion_start(done);
}

void
command_close(struct command *c, cl_int result)
{
	struct serve *s = c->serve;

	if (c->call->replay != NULL) {
		replay_close(c->call->replay, result);
		return;
	}
	if (result != CL_SUCCESS) {
		command_end(c);
		/* The failed call gives its place back. */
		if (c->staging != NULL)
			c->staging->in_arena = false;
		staging_free(s, c->staging);
		call_fail(s, c->call, result, NULL);
		return;
	}
	c->call->finishes = c->call->finish_serial != 0 &&
	    c->finish_serial == c->call->finish_serial;
	dispatch_note_queue(c->vqueue);
	if (c->vevent != NULL) {
		c->vevent->o.native[c->member] = c->event;
		report_add(s, c->vevent);
	}
	result = set_completion(c);
	if (c->vevent == NULL && c->event != NULL)
		clReleaseEvent(c->event);
	command_end(c);
	if (result != CL_SUCCESS)
		serve_fail(s, VGPU_ENOMEM, "no callback for a command: error"
		    " %d", result);
}

size_t
command_region(const struct span *region, size_t element)
{
	const uint64_t *r = region->p;
	size_t n = element;
	uint64_t i;

	for (i = 0; i < region->n; i++)
		if (__builtin_mul_overflow(n, r[i], &n))
			return SIZE_MAX;
	return n;
}
