/* SPDX-License-Identifier: ISC */
#include "hostd/report.h"

#include <stdlib.h>
#include <string.h>

#include "hostd/account.h"
#include "hostd/dispatch.h"
#include "hostd/lost.h"
#include "hostd/member.h"

#define STAMPS 5

/* Take e off its queue's list, lock held; true: the list's reference is ours. */
static bool
unlist(struct vevent *e)
{
	if (!e->listed)
		return false;
	TAILQ_REMOVE(&e->queue->unreported, e, entry);
	e->listed = false;
	return true;
}

static cl_int
native_status(const struct vevent *e)
{
	cl_int status = CL_COMPLETE;

	if (native(e, e->member) == NULL || e->o.error != CL_SUCCESS)
		return e->o.error;
	clGetEventInfo(native(e, e->member), CL_EVENT_COMMAND_EXECUTION_STATUS,
	    sizeof(status), &status, NULL);
	return status;
}

static bool
has_ended(struct vevent *e)
{
	e->status = native_status(e);
	return e->status <= CL_COMPLETE;
}

/* Is nothing left to be told of an event that others waited for? */
static bool
is_settled(struct vevent *e)
{
	const struct vevent *first;

	if (e->reported || e->queue == NULL)
		return e->reported || !e->unset;
	if (!e->released || e->dep_count > 0 || !has_ended(e))
		return false;
	/* The client forgot it; but it stands for those before it. */
	first = TAILQ_FIRST(&e->queue->unreported);
	return !e->queue->in_order || first == NULL ||
	    first->serial > e->serial;
}

static bool
causes_are_told(const struct vevent *e)
{
	unsigned i;

	for (i = 0; i < e->dep_count; i++)
		if (!is_settled(e->deps[i]))
			return false;
	return true;
}

/*
 * Before the event is let go, so that a chain of them does not end one inside
 * the other.
 */
static void
drop_causes(struct serve *s, struct vevent *e)
{
	struct vevent **deps;
	unsigned n, i;

	pthread_mutex_lock(&s->lock);
	deps = e->deps;
	n = e->dep_count;
	e->deps = NULL;
	e->dep_count = 0;
	pthread_mutex_unlock(&s->lock);
	for (i = 0; i < n; i++)
		object_unref(deps[i]);
	free(deps);
}

static void
let_end(struct serve *s, struct vevent *e)
{
	if (e == NULL)
		return;
	drop_causes(s, e);
	object_unref(e);
}

/*
 * The oldest event of a queue, off its list, if it is there for nothing any
 * more; lock held.  NULL: there is none such.
 */
static struct vevent *
prune(struct vqueue *q)
{
	struct vevent *e = TAILQ_FIRST(&q->unreported);

	if (e == NULL || !e->released || !causes_are_told(e) || !has_ended(e))
		return NULL;
	unlist(e);
	/* Nobody is left to be told. */
	e->reported = true;
	return e;
}

void
report_add(struct serve *s, struct vevent *e)
{
	struct vevent *old[2];

	if (e->queue == NULL)
		return;
	e->lag = dispatch_lag(s);
	pthread_mutex_lock(&s->lock);
	/* Two for each new one, so that they never become many. */
	old[0] = prune(e->queue);
	old[1] = prune(e->queue);
	e->serial = ++s->events_added;
	TAILQ_INSERT_TAIL(&e->queue->unreported, e, entry);
	e->listed = true;
	object_ref(e);
	pthread_mutex_unlock(&s->lock);
	let_end(s, old[0]);
	let_end(s, old[1]);
}

TAILQ_HEAD(vevents, vevent);

/*
 * The client has released a queue: when it has forgotten all events there, too,
 * nobody is left to be told of them, and they hold the queue no more.  Lock
 * held; they go to list, each with the reference that the queue's list had.
 */
static void
let_go(struct vqueue *q, struct vevents *list)
{
	struct vevent *e;

	TAILQ_INIT(list);
	if (!q->closed)
		return;
	TAILQ_FOREACH(e, &q->unreported, entry)
		if (!e->released)
			return;
	while ((e = TAILQ_FIRST(&q->unreported)) != NULL) {
		unlist(e);
		TAILQ_INSERT_TAIL(list, e, entry);
	}
}

static void
end_all(struct serve *s, struct vevents *list)
{
	struct vevent *e;

	while ((e = TAILQ_FIRST(list)) != NULL) {
		TAILQ_REMOVE(list, e, entry);
		let_end(s, e);
	}
}

void
report_close(struct serve *s, struct vqueue *q)
{
	struct vevents list;

	pthread_mutex_lock(&s->lock);
	q->closed = true;
	let_go(q, &list);
	pthread_mutex_unlock(&s->lock);
	end_all(s, &list);
}

/* What it waited for has to be told before what comes after it. */
void
report_forget(struct serve *s, struct vevent *e)
{
	struct vevents list = TAILQ_HEAD_INITIALIZER(list);
	bool ours = false;

	pthread_mutex_lock(&s->lock);
	e->released = true;
	if (e->listed && e->dep_count == 0)
		ours = unlist(e);
	if (e->queue != NULL)
		let_go(e->queue, &list);
	pthread_mutex_unlock(&s->lock);
	if (ours)
		object_unref(e);
	end_all(s, &list);
}

cl_int
report_outcome(struct serve *s, const struct vevent *e, cl_int status)
{
	pthread_mutex_lock(&s->lock);
	if (e->o.error != CL_SUCCESS)
		status = e->o.error;
	pthread_mutex_unlock(&s->lock);
	return status;
}

uint64_t
report_mark(struct serve *s)
{
	uint64_t mark;

	pthread_mutex_lock(&s->lock);
	mark = s->events_added;
	pthread_mutex_unlock(&s->lock);
	return mark;
}

bool
report_is_told(struct serve *s, const struct vevent *e)
{
	bool told;

	pthread_mutex_lock(&s->lock);
	told = e->reported;
	pthread_mutex_unlock(&s->lock);
	return told;
}

/* ---- messages ---------------------------------------------------------- */

/* Many commands begin with the first of them. */
static void
read_beginnings(const struct vevent *e, cl_ulong stamp[STAMPS])
{
	cl_ulong t;
	unsigned i, k;

	for (k = 0; k < e->part_count; k++)
		for (i = 0; i < 3; i++)
			if (clGetEventProfilingInfo(e->parts[k],
			    CL_PROFILING_COMMAND_QUEUED + i, sizeof(t), &t,
			    NULL) == CL_SUCCESS && t < stamp[i])
				stamp[i] = t;
}

static bool
read_stamps(const struct vevent *e, cl_ulong stamp[STAMPS])
{
	unsigned i;

	for (i = 0; i < STAMPS - 1; i++)
		if (clGetEventProfilingInfo(native(e, e->member),
		    CL_PROFILING_COMMAND_QUEUED + i, sizeof(*stamp), &stamp[i],
		    NULL) != CL_SUCCESS)
			return false;
	/* CL_PROFILING_COMMAND_COMPLETE is of OpenCL 2.0. */
	if (clGetEventProfilingInfo(native(e, e->member),
	    CL_PROFILING_COMMAND_COMPLETE, sizeof(*stamp), &stamp[i], NULL) !=
	    CL_SUCCESS)
		stamp[i] = stamp[i - 1];
	read_beginnings(e, stamp);
	stamp[0] -= e->lag < stamp[0] ? e->lag : 0;
	if (context_is_mixed(e->context))
		for (i = 0; i < STAMPS; i++)
			stamp[i] += (cl_ulong)
			    e->context->members[e->member].clock;
	return true;
}

static void
send_status(struct serve *s, const struct vevent *e, cl_int status)
{
	cl_ulong stamp[STAMPS];
	struct msg_event_status m = { .event = e->o.id,
		.execution_status = status };

	if (e->queue != NULL)
		lost_note(s, e->queue->device, status);
	if (status == CL_COMPLETE && e->queue != NULL && e->queue->profiling &&
	    read_stamps(e, stamp))
		m.stamps = (struct span){ stamp, STAMPS };
	serve_send(s, &desc_event_status, &m, false);
}

void
report_failure(struct serve *s, uint64_t id, cl_int code)
{
	const struct msg_event_status m = { .event = id,
		.execution_status = code };

	serve_send(s, &desc_event_status, &m, false);
}

/* ---- what comes before ------------------------------------------------- */

/* It has ended and goes on the account; lock held. */
static void
take(struct account *a, struct vevent *e, bool tell)
{
	if (!unlist(e))
		object_ref(e);
	e->reported = true;
	e->tell = !e->released && (tell || e->status < 0 ||
	    e->queue->profiling);
	account_add(a, e);
}

/*
 * Take what has ended in a queue, up to a serial.  Completion alone needs no
 * telling where a watermark tells; where none does, it is left.
 */
static void
take_queue(struct account *a, struct vqueue *q, uint64_t upto, bool watermark)
{
	struct vevent *e, *next;

	for (e = TAILQ_FIRST(&q->unreported); e != NULL && e->serial <= upto;
	    e = next) {
		next = TAILQ_NEXT(e, entry);
		if (has_ended(e) && (watermark || e->status < 0 ||
		    q->profiling))
			take(a, e, false);
	}
}

/*
 * Take an event, if it has ended, with what is before it in its queue: the
 * client learns from an in-order queue's complete event that those before are.
 * One of a failed command's causes may still run; it is told in its time.
 */
static void
take_event(struct account *a, struct vevent *e)
{
	if (e->reported || !has_ended(e))
		return;
	if (e->queue->in_order)
		take_queue(a, e->queue, e->serial - 1,
		    e->status == CL_COMPLETE);
	take(a, e, true);
}

/* The list grows while it is walked. */
static void
take_causes(struct account *a)
{
	struct vevent *e;
	unsigned i;

	for (e = a->first; e != NULL; e = e->next)
		for (i = 0; i < e->dep_count; i++)
			take_event(a, e->deps[i]);
}

static void
send_account(struct serve *s, struct account *a)
{
	struct vevent *e, *list = account_sorted(a);

	while ((e = list) != NULL) {
		list = e->next;
		if (e->tell)
			send_status(s, e, e->status);
		let_end(s, e);
	}
}

void
report_queue(struct serve *s, struct vqueue *q, uint64_t mark)
{
	struct account a;

	account_init(&a);
	pthread_mutex_lock(&s->report_lock);
	pthread_mutex_lock(&s->lock);
	take_queue(&a, q, mark, true);
	take_causes(&a);
	pthread_mutex_unlock(&s->lock);
	send_account(s, &a);
	pthread_mutex_unlock(&s->report_lock);
}

bool
report_all(struct serve *s, struct vqueue *q)
{
	struct account a;
	struct vevent *e, *next;
	bool all;

	account_init(&a);
	pthread_mutex_lock(&s->report_lock);
	pthread_mutex_lock(&s->lock);
	for (e = TAILQ_FIRST(&q->unreported); e != NULL; e = next) {
		next = TAILQ_NEXT(e, entry);
		if (has_ended(e))
			take(&a, e, true);
	}
	take_causes(&a);
	all = TAILQ_EMPTY(&q->unreported);
	pthread_mutex_unlock(&s->lock);
	send_account(s, &a);
	pthread_mutex_unlock(&s->report_lock);
	return all;
}

void
report_end(struct serve *s, struct vevent *e)
{
	struct account a;

	account_init(&a);
	pthread_mutex_lock(&s->report_lock);
	pthread_mutex_lock(&s->lock);
	take_event(&a, e);
	take_causes(&a);
	pthread_mutex_unlock(&s->lock);
	send_account(s, &a);
	pthread_mutex_unlock(&s->report_lock);
}

void
report_status(struct serve *s, struct vevent *e, cl_int status)
{
	bool wanted;

	pthread_mutex_lock(&s->report_lock);
	pthread_mutex_lock(&s->lock);
	wanted = !e->reported && !e->released;
	pthread_mutex_unlock(&s->lock);
	if (wanted)
		send_status(s, e, status);
	pthread_mutex_unlock(&s->report_lock);
}
