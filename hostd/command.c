/* SPDX-License-Identifier: ISC */
#include "hostd/command.h"

#include <stdlib.h>
#include <string.h>

#include "hostd/bridge.h"
#include "hostd/cascade.h"
#include "hostd/coherence.h"
#include "hostd/completion.h"
#include "hostd/dispatch.h"
#include "hostd/exec_event.h"
#include "hostd/member.h"
#include "hostd/meter.h"
#include "hostd/replay.h"
#include "hostd/report.h"
#include "hostd/simulator.h"
#include "hostd/staging.h"
#include "hostd/twice.h"

/* ---- opening ----------------------------------------------------------- */

/* In the place of events of other members stand their bridges. */
static bool
bridge_wait_list(struct command *c, const struct span *list, cl_event *wait)
{
	cl_int code;
	uint64_t i;

	for (i = 0; i < list->n; i++) {
		wait[i] = bridge_event(c->serve, span_objects(list)[i],
		    c->member, &code);
		if (code != CL_SUCCESS)
			return false;
	}
	return true;
}

static bool
take_wait_list(struct command *c, const struct span *list)
{
	cl_event *wait = c->small;
	struct vevent *dep;
	uint64_t i;

	if (list->n > COMMAND_WAIT_MAX) {
		/* two more for gates */
		wait = c->large = malloc((list->n + 2) * sizeof(*wait));
		if (wait == NULL)
			return false;
	}
	c->wait_count = (cl_uint)list->n;
	c->wait = list->n > 0 ? wait : NULL;
	if (context_is_mixed(c->context))
		return bridge_wait_list(c, list, wait);
	for (i = 0; i < list->n; i++) {
		dep = span_objects(list)[i];
		wait[i] = native(dep, c->member);
		if (dep->unset)
			dep->awaited = true;
	}
	return true;
}

/* Is it of another vendor, whose failing the command's one does not know? */
static bool
is_foreign(const struct command *c, const struct vevent *dep)
{
	return dep->queue != NULL && dep->member != c->member;
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
		holds = cascade_holds(dep) || is_foreign(c, dep);
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

/*
 * The program waits for this one, so it is the first that can tell of a
 * command without event that could not be enqueued.
 */
static cl_int
failed_before(const struct call *call, struct vqueue *q)
{
	if (!(call->flags & FRAME_NOTIFY) || atomic_load(&q->failed) ==
	    CL_SUCCESS)
		return CL_SUCCESS;
	return atomic_exchange(&q->failed, CL_SUCCESS);
}

bool
command_open(struct command *c, struct serve *s, struct call *call,
    struct vqueue *q, const struct span *wait_list, const union ref *event)
{
	cl_int code;

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
	c->access = NULL;
	c->finish_serial = 0;
	c->then = NULL;
	if (call->replay != NULL) {
		replay_open(call->replay, c);
		return true;
	}
	if ((code = failed_before(call, q)) != CL_SUCCESS) {
		call_fail(s, call, code, "a command before it could not be"
		    " enqueued");
		return false;
	}
	code = CL_OUT_OF_HOST_MEMORY;
	if (q->in_order && call->finish_serial != 0) {
		c->finish_serial = call->finish_serial;
		c->event_ret = &c->event;
	}
	if (take_wait_list(c, wait_list) &&
	    make_event(c, wait_list, event->id))
		code = CL_SUCCESS;
	if (code == CL_SUCCESS && context_is_mixed(c->context))
		code = coherence_open(c, wait_list);
	if (code == CL_SUCCESS)
		return true;
	command_end(c);
	call_fail(s, call, code, NULL);
	return false;
}

void
command_wait(struct command *c, cl_event event)
{
	cl_event *wait = c->large != NULL ? c->large : c->small;

	wait[c->wait_count++] = event;
	c->wait = wait;
}

void
command_then(struct command *c,
    void (*then)(struct serve *, void *, cl_int), void *arg)
{
	c->then = then;
	c->then_arg = arg;
	c->event_ret = &c->event;
}

/* ---- closing ----------------------------------------------------------- */

/* What has to be done when the command is complete, if anything. */
static cl_int
set_completion(struct command *c, uint64_t launches)
{
	struct completion *done;

	if (c->staging == NULL && c->then == NULL && c->finish_serial == 0 &&
	    !(c->call->flags & FRAME_NOTIFY))
		return CL_SUCCESS;
	if ((done = completion_new(c->serve, c->event)) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	done->queue = object_ref(c->vqueue);
	done->launches = launches;
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
	uint64_t launches = 0;

	if (c->call->replay != NULL) {
		replay_close(c->call->replay, result);
		return;
	}
	if (c->access != NULL)
		result = coherence_close(c, result);
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
	if (c->event != NULL)
		launches = meter_mark(c->vqueue);
	if (c->vevent != NULL) {
		c->vevent->o.native[c->member] = c->event;
		c->vevent->mark = launches;
		report_add(s, c->vevent);
	}
	result = set_completion(c, launches);
	if (c->vevent == NULL && c->event != NULL)
		clReleaseEvent(c->event);
	command_end(c);
	if (result != CL_SUCCESS)
		serve_fail(s, VGPU_ENOMEM, "no callback for a command: error"
		    " %d", result);
}

/*
 * Where order is free a marker waits for all that was enqueued before: without
 * a wait list, and PoCL's with one, too.  And Intel's fails with a command
 * before it in its queue.  So something else is done instead.
 */
cl_int
command_enqueue_empty(struct vqueue *q, cl_uint n, const cl_event *wait,
    cl_event *event)
{
	void **idle = &q->context->idle[q->member];
	cl_mem list;
	cl_int code;

	if (q->in_order && q->mixed == NULL)
		return clEnqueueMarkerWithWaitList(native(q, q->member), n,
		    wait, event);
	if (*idle == NULL)
		*idle = clCreateBuffer(native(q->context, q->member), 0, 64,
		    NULL, &code);
	if ((list = *idle) == NULL)
		return CL_OUT_OF_RESOURCES;
	return clEnqueueMigrateMemObjects(native(q, q->member), 1, &list,
	    CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, n, wait, event);
}

cl_int
command_turn(struct vqueue *q, cl_uint n, const cl_event *wait,
    void (*then)(struct serve *, void *, cl_int), void *arg)
{
	cl_event turn;
	cl_int code = command_enqueue_empty(q, n, wait, &turn);

	if (code != CL_SUCCESS)
		return code;
	if (simulator_runs(q) && !simulator_add(q, turn, n, wait,
	    ORDER_FREE)) {
		clReleaseEvent(turn);
		return CL_OUT_OF_HOST_MEMORY;
	}
	return completion_watch(q->context->serve, turn, then, arg);
}

cl_int
command_flush(cl_command_queue queue)
{
	return TWICE(clFlush(queue));
}

cl_int
command_set_event(cl_event e, cl_int status)
{
	return TWICE(clSetUserEventStatus(e, status));
}

void
command_close_empty(struct command *c)
{
	command_close(c, command_enqueue_empty(c->vqueue, c->wait_count,
	    c->wait, c->event_ret));
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
