/* SPDX-License-Identifier: ISC */
#include "hostd/report_private.h"

#include <stdlib.h>

#include "hostd/dispatch.h"
#include "hostd/member.h"

/* ---- its events ---------------------------------------------------------- */

bool
report_unlist(struct vevent *e)
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

bool
report_has_ended(struct vevent *e)
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
	if (!e->released || e->dep_count > 0 || !report_has_ended(e))
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

void
report_let_end(struct serve *s, struct vevent *e)
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

	if (e == NULL || !e->released || !causes_are_told(e) ||
	    !report_has_ended(e))
		return NULL;
	report_unlist(e);
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
	report_let_end(s, old[0]);
	report_let_end(s, old[1]);
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
		report_unlist(e);
		TAILQ_INSERT_TAIL(list, e, entry);
	}
}

static void
end_all(struct serve *s, struct vevents *list)
{
	struct vevent *e;

	while ((e = TAILQ_FIRST(list)) != NULL) {
		TAILQ_REMOVE(list, e, entry);
		report_let_end(s, e);
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
		ours = report_unlist(e);
	if (e->queue != NULL)
		let_go(e->queue, &list);
	pthread_mutex_unlock(&s->lock);
	if (ours)
		object_unref(e);
	end_all(s, &list);
}

/* ---- what it tells ------------------------------------------------------- */

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
