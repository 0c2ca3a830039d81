/* SPDX-License-Identifier: ISC */
#include "hostd/coherence.h"

#include <stdlib.h>

#include "hostd/access.h"
#include "hostd/command.h"
#include "hostd/completion.h"
#include "hostd/member.h"
#include "hostd/simulator.h"

cl_int
mixed_queue_open(struct vqueue *q)
{
	if ((q->mixed = calloc(1, sizeof(*q->mixed))) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	if (q->profiling)
		member_time(q->context, q->member);
	return CL_SUCCESS;
}

void
mixed_queue_close(struct vqueue *q)
{
	if (q->mixed != NULL && q->mixed->barrier != NULL)
		clReleaseEvent(q->mixed->barrier);
	free(q->mixed);
}

/* ---- opening ----------------------------------------------------------- */

static bool
is_late(const struct command *c, const struct span *wait_list)
{
	const struct vevent *dep;
	uint64_t i;

	if (c->vqueue->mixed->late > 0)
		return true;
	for (i = 0; i < wait_list->n; i++) {
		dep = span_objects(wait_list)[i];
		if (dep->unset || dep->late)
			return true;
	}
	return false;
}

/*
 * Learn when the command could run, by one that waits for the same.  Where
 * order is free and there is nothing to wait for, the last barrier counts, or
 * nothing.
 */
static cl_int
await_turn(struct command *c, struct access *a)
{
	cl_event barrier = c->vqueue->mixed->barrier;
	const cl_event *wait = c->wait;
	cl_uint n = c->wait_count;
	cl_int code;

	if (n == 0 && !c->vqueue->in_order) {
		if (barrier == NULL)
			return CL_SUCCESS;
		wait = &barrier;
		n = 1;
	}
	code = command_turn(c->vqueue, n, wait, access_on_ready, a);
	a->awaited = code == CL_SUCCESS;
	return code;
}

static cl_int
shut_gate(struct command *c, struct access *a)
{
	cl_int code = await_turn(c, a);

	if (code != CL_SUCCESS)
		return code;
	a->gate = clCreateUserEvent(native(c->context, c->member), &code);
	if (code == CL_SUCCESS)
		command_wait(c, a->gate);
	return code;
}

cl_int
coherence_open(struct command *c, const struct span *wait_list)
{
	struct access *a = calloc(1, sizeof(*a));
	cl_int code;

	if (a == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	a->serve = c->serve;
	a->queue = object_ref(c->vqueue);
	a->member = c->member;
	code = uses_find(&a->uses, c->call, c->member);
	if (code == CL_SUCCESS && !access_reserve(a))
		code = CL_OUT_OF_HOST_MEMORY;
	a->late = is_late(c, wait_list) || !access_all_valid(a);
	if (code == CL_SUCCESS && a->late && a->uses.count > 0)
		code = shut_gate(c, a);
	if (code != CL_SUCCESS) {
		access_drop(a);
		return code;
	}
	c->access = a;
	c->event_ret = &c->event;
	return CL_SUCCESS;
}

/* ---- closing ----------------------------------------------------------- */

static cl_int
keep_late(struct command *c, struct access *a)
{
	a->queue->mixed->late++;
	a->event = object_ref(c->vevent);
	a->command = c->event;
	clRetainEvent(c->event);
	if (a->event != NULL)
		a->event->late = true;
	if (a->awaited)
		return CL_SUCCESS;
	if (a->gate != NULL) {
		serve_defer(c->serve, access_admit, a);
		return CL_SUCCESS;
	}
	/* It uses nothing, but what comes behind it may. */
	clRetainEvent(c->event);
	return completion_watch(c->serve, c->event, access_on_ready, a);
}

static unsigned
order_of(const struct command *c)
{
	const unsigned all = c->wait_count == 0 ? ORDER_AFTER : ORDER_FREE;

	switch (c->call->message->number) {
	case MSG_clEnqueueBarrierWithWaitList:
		return all | ORDER_BEFORE;
	case MSG_clEnqueueMarkerWithWaitList:
	case MSG_clFinish:
		return all;
	default:
		return ORDER_FREE;
	}
}

static void
keep_barrier(struct command *c, struct mixed_queue *q)
{
	if (q->barrier != NULL)
		clReleaseEvent(q->barrier);
	q->barrier = c->event;
	clRetainEvent(c->event);
}

cl_int
coherence_close(struct command *c, cl_int result)
{
	struct access *a = c->access;
	unsigned order;

	if (result != CL_SUCCESS) {
		access_drop(a);
		return result;
	}
	order = order_of(c);
	if (simulator_runs(c->vqueue) && !simulator_add(c->vqueue, c->event,
	    c->wait_count, c->wait, order)) {
		serve_fail(c->serve, VGPU_ENOMEM, "out of memory");
		access_drop(a);
		return CL_OUT_OF_HOST_MEMORY;
	}
	if ((order & ORDER_BEFORE) && !c->vqueue->in_order)
		keep_barrier(c, c->vqueue->mixed);
	if (a->late)
		return keep_late(c, a);
	access_note_writes(a);
	access_free(a);
	return CL_SUCCESS;
}
