/* SPDX-License-Identifier: ISC */
#include "hostd/window.h"

#include <stdlib.h>

#include "hostd/calls.h"
#include "hostd/command.h"
#include "hostd/completion.h"
#include "hostd/dispatch.h"
#include "hostd/exec_mem.h"
#include "protocol/shared.h"

struct window {
	LIST_ENTRY(window) entry;
	uint64_t id;
	cl_event shut;		/* a user event, a reference */
};

/* Under the serve's lock, as commands fail in the vendor's threads. */
static LIST_HEAD(, window) windows = LIST_HEAD_INITIALIZER(windows);

static struct window *
window_new(struct serve *s, cl_context context, uint64_t id, cl_int *code)
{
	struct window *w = calloc(1, sizeof(*w));

	*code = CL_OUT_OF_HOST_MEMORY;
	if (w == NULL)
		return NULL;
	w->id = id;
	w->shut = clCreateUserEvent(context, code);
	if (*code != CL_SUCCESS) {
		free(w);
		return NULL;
	}
	pthread_mutex_lock(&s->lock);
	LIST_INSERT_HEAD(&windows, w, entry);
	pthread_mutex_unlock(&s->lock);
	return w;
}

bool
window_is_any(struct serve *s)
{
	bool any;

	pthread_mutex_lock(&s->lock);
	any = !LIST_EMPTY(&windows);
	pthread_mutex_unlock(&s->lock);
	return any;
}

/* What is behind it may go on, or fails with it.  Any thread. */
static void
window_end(struct serve *s, uint64_t id, cl_int status)
{
	struct window *w;

	pthread_mutex_lock(&s->lock);
	LIST_FOREACH(w, &windows, entry)
		if (w->id == id)
			break;
	if (w != NULL)
		LIST_REMOVE(w, entry);
	pthread_mutex_unlock(&s->lock);
	if (w == NULL)
		return;
	if (command_set_event(w->shut, status) != CL_SUCCESS)
		serve_fail(s, VGPU_ECL, "a command can't be let go");
	clReleaseEvent(w->shut);
	free(w);
}

void
exec_window_close(struct serve *s, struct call *call,
    struct msg_window_close *m)
{
	(void)call;
	/* One that is not there has failed before it opened. */
	window_end(s, m->id, CL_COMPLETE);
}

/* Behind shut in an in-order queue is everything that follows. */
static cl_int
hold_back(struct vqueue *q, cl_event shut, cl_event *event)
{
	cl_command_queue queue = native(q, q->member);

	return q->in_order ?
	    clEnqueueBarrierWithWaitList(queue, 1, &shut, event) :
	    clEnqueueMarkerWithWaitList(queue, 1, &shut, event);
}

void
exec_gate(struct serve *s, struct call *call, struct msg_gate *m)
{
	struct vqueue *q = m->command_queue.obj;
	struct window *w;
	cl_int code;

	w = window_new(s, native(q->context, q->member), m->id, &code);
	if (w != NULL)
		code = clEnqueueBarrierWithWaitList(native(q, q->member), 1,
		    &w->shut, NULL);
	if (code == CL_SUCCESS) {
		dispatch_note_queue(q);
		return;
	}
	if (w != NULL)
		window_end(s, m->id, code);
	call_fail(s, call, code, "what comes behind can't be held back");
}

/* ---- windows ----------------------------------------------------------- */

/* By its number: a hostile client closes it without being told. */
static void
opened(struct serve *s, void *arg, cl_int status)
{
	uint64_t *id = arg;
	const struct msg_shared_ready m = {
		.transfer = transfer_make(TRANSFER_WINDOW, *id) };

	if (status == CL_COMPLETE)
		serve_send(s, &desc_shared_ready, &m, false);
	else
		window_end(s, *id, status);
	free(id);
}

static cl_int
watch_opening(struct serve *s, cl_event opening, uint64_t id)
{
	uint64_t *copy = malloc(sizeof(*copy));
	cl_int code;

	if (copy == NULL) {
		clReleaseEvent(opening);
		return CL_OUT_OF_HOST_MEMORY;
	}
	*copy = id;
	code = completion_watch(s, opening, opened, copy);
	if (code != CL_SUCCESS)
		free(copy);
	return code;
}

/*
 * An event for the time at which the command could run.  A marker without wait
 * list waits for all that comes before, which a command of a queue without
 * order does not; so a byte is read there.
 */
static cl_int
enqueue_opening(struct command *c, const struct vmem *b, cl_event *event)
{
	static uint8_t byte;

	if (c->vqueue->in_order || c->wait_count > 0)
		return clEnqueueMarkerWithWaitList(c->queue, c->wait_count,
		    c->wait, event);
	return clEnqueueReadBuffer(c->queue, native(b, c->member), CL_FALSE, 0,
	    1, &byte, 0, NULL, event);
}

static void
open_window(struct command *c, const struct vmem *b, uint64_t id)
{
	struct serve *s = c->serve;
	cl_event opening, shut;
	struct window *w;
	cl_int code;

	w = window_new(s, native(c->context, c->member), id, &code);
	if (w == NULL) {
		command_close(c, code);
		return;
	}
	/* The window may end before this is over. */
	shut = w->shut;
	clRetainEvent(shut);
	if ((code = enqueue_opening(c, b, &opening)) == CL_SUCCESS)
		code = watch_opening(s, opening, id);
	if (code == CL_SUCCESS)
		code = hold_back(c->vqueue, shut, c->event_ret);
	if (code != CL_SUCCESS)
		window_end(s, id, code);
	clReleaseEvent(shut);
	command_close(c, code);
}

bool
window_command(struct command *c, const struct vmem *b, uint64_t transfer)
{
	enum transfer_kind kind = transfer_kind(transfer);

	if (kind != TRANSFER_WINDOW && kind != TRANSFER_OWN)
		return false;
	if (!vmem_is_placed(b))
		command_close(c, CL_INVALID_OPERATION);
	else if (kind == TRANSFER_OWN)
		command_close(c, clEnqueueMarkerWithWaitList(c->queue,
		    c->wait_count, c->wait, c->event_ret));
	else
		open_window(c, b, transfer & TRANSFER_REST);
	return true;
}
