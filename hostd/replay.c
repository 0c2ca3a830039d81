/* SPDX-License-Identifier: ISC */
#include "hostd/replay.h"

#include <stdlib.h>
#include <string.h>

#include "hostd/command.h"
#include "hostd/completion.h"

struct replay {
	struct command *command;	/* of which this is a part */
	const struct vcommands *commands;
	cl_event *events;	/* of commands so far */
	cl_event *wait;		/* room for a wait list */
	unsigned last_barrier;	/* from 1; 0: none */
	/* The command at hand. */
	cl_uint wait_count;
	const cl_event *wait_list;
	cl_event *event_ret;
	cl_int code;
};

void
replay_open(struct replay *r, struct command *c)
{
	c->wait_count = r->wait_count;
	c->wait = r->wait_list;
	c->event_ret = r->event_ret;
}

void
replay_close(struct replay *r, cl_int result)
{
	r->code = result;
}

static bool
is_barrier(const struct recorded *one)
{
	return one->message->number == MSG_clEnqueueBarrierWithWaitList;
}

/* ---- one command ------------------------------------------------------- */

static cl_int
play_marker(struct replay *r)
{
	return clEnqueueMarkerWithWaitList(r->command->queue, r->wait_count,
	    r->wait_list, r->event_ret);
}

/* The first field of each recorded message is its queue. */
static cl_int
play(struct replay *r, const struct recorded *one)
{
	union ref *queue = (union ref *)one->msg;
	struct call call = { .message = one->message, .msg = one->msg,
		.replay = r };

	queue->obj = r->command->vqueue;
	r->code = CL_OUT_OF_RESOURCES;
	exec_find(one->message->number)(r->command->serve, &call, one->msg);
	queue->obj = NULL;
	return r->code;
}

/* ---- in order ---------------------------------------------------------- */

static void
wait_for_command(struct replay *r)
{
	r->wait_count = r->command->wait_count;
	r->wait_list = r->command->wait;
}

static cl_int
run_in_order(struct replay *r)
{
	const struct vcommands *v = r->commands;
	cl_int code = CL_SUCCESS;
	unsigned i;

	wait_for_command(r);
	for (i = 0; code == CL_SUCCESS && i < v->count; i++) {
		r->event_ret = i == v->count - 1 ? r->command->event_ret :
		    i == 0 && r->events != NULL ? &r->events[0] : NULL;
		code = is_barrier(v->list[i]) ? play_marker(r) :
		    play(r, v->list[i]);
		r->wait_count = 0;
		r->wait_list = NULL;
	}
	return code;
}

/* ---- out of order ------------------------------------------------------ */

/* A barrier without sync-points waits for all before it. */
static cl_uint
wait_for_all(struct replay *r, unsigned upto)
{
	memcpy(r->wait, r->events, upto * sizeof(*r->wait));
	return upto;
}

static cl_uint
wait_for_some(struct replay *r, const struct recorded *one, unsigned i)
{
	cl_uint n = 0;
	unsigned k;

	for (k = 0; k < one->wait_count; k++)
		r->wait[n++] = r->events[one->wait[k] - 1];
	if (i > 0 && r->commands->queue->in_order)
		r->wait[n++] = r->events[i - 1];
	if (r->last_barrier > 0)
		r->wait[n++] = r->events[r->last_barrier - 1];
	return n;
}

static cl_int
run_one(struct replay *r, unsigned i)
{
	const struct recorded *one = r->commands->list[i];
	bool barrier = is_barrier(one);

	r->wait_list = r->wait;
	r->wait_count = barrier && one->wait_count == 0 ?
	    wait_for_all(r, i) : wait_for_some(r, one, i);
	if (r->wait_count == 0)
		wait_for_command(r);
	r->event_ret = &r->events[i];
	if (!barrier)
		return play(r, one);
	r->last_barrier = i + 1;
	return play_marker(r);
}

static cl_int
run_out_of_order(struct replay *r)
{
	cl_int code = CL_SUCCESS;
	unsigned i;

	for (i = 0; code == CL_SUCCESS && i < r->commands->count; i++)
		code = run_one(r, i);
	return code;
}

/* ---- events of parts --------------------------------------------------- */

/*
 * Vendors may forget what waits for an event when the last reference to it
 * goes, so the events are kept until the replay has ended.
 */
struct kept {
	struct vevent *of;	/* has them, to show when the replay began */
	cl_event *events;	/* or they are here */
	unsigned count;
};

static void
drop_events(cl_event *events, unsigned n)
{
	unsigned i;

	for (i = 0; i < n; i++)
		clReleaseEvent(events[i]);
	free(events);
}

static void
kept_free(struct serve *s, void *arg, cl_int status)
{
	struct kept *k = arg;

	(void)s;
	(void)status;
	object_unref(k->of);
	drop_events(k->events, k->count);
	free(k);
}

static struct kept *
keep(struct replay *r, unsigned n)
{
	struct vevent *e = r->command->vevent;
	struct kept *k = calloc(1, sizeof(*k));

	if (k == NULL)
		return NULL;
	if (e != NULL && r->command->vqueue->profiling) {
		e->parts = r->events;
		e->part_count = n;
		k->of = object_ref(e);
	} else {
		k->events = r->events;
		k->count = n;
	}
	return k;
}

/* A marker behind what was enqueued, which may be less than all. */
static cl_int
end_out_of_order(struct replay *r, cl_int code)
{
	struct serve *s = r->command->serve;
	struct kept *k;
	cl_event end;
	unsigned n = 0;

	while (n < r->commands->count && r->events[n] != NULL)
		n++;
	if (n == 0 || (k = keep(r, n)) == NULL) {
		drop_events(r->events, n);
		return code != CL_SUCCESS ? code : CL_OUT_OF_HOST_MEMORY;
	}
	r->wait_list = r->wait;
	r->wait_count = wait_for_all(r, n);
	r->event_ret = &end;
	if ((r->code = play_marker(r)) == CL_SUCCESS) {
		if (code == CL_SUCCESS && r->command->event_ret != NULL) {
			*r->command->event_ret = end;
			clRetainEvent(end);
		}
		r->code = completion_watch(s, end, kept_free, k);
	}
	return code != CL_SUCCESS ? code : r->code;
}

/* The first command's event is kept where it is to be shown. */
static void
end_in_order(struct replay *r)
{
	if (r->events == NULL)
		return;
	if (r->events[0] == NULL) {
		free(r->events);
		return;
	}
	r->command->vevent->parts = r->events;
	r->command->vevent->part_count = 1;
}

/* ---- all --------------------------------------------------------------- */

/* Room for events and wait lists, which may name an event several times. */
static bool
make_room(struct replay *r)
{
	size_t n = r->commands->count;

	r->events = calloc(n, sizeof(*r->events));
	r->wait = calloc(2 * n + 2, sizeof(*r->wait));
	if (r->events != NULL && r->wait != NULL)
		return true;
	free(r->events);
	free(r->wait);
	return false;
}

cl_int
replay_run(struct command *c, const struct vcommands *v)
{
	struct replay r = { .command = c, .commands = v };
	bool in_order = c->vqueue->in_order;
	cl_int code;

	if (v->count == 0) {
		wait_for_command(&r);
		r.event_ret = c->event_ret;
		return play_marker(&r);
	}
	if ((!in_order || (c->vevent != NULL && c->vqueue->profiling)) &&
	    !make_room(&r))
		return CL_OUT_OF_HOST_MEMORY;
	if (in_order) {
		code = run_in_order(&r);
		end_in_order(&r);
	} else {
		code = end_out_of_order(&r, run_out_of_order(&r));
	}
	free(r.wait);
	return code;
}
