/* SPDX-License-Identifier: ISC */
#include "hostd/cascade.h"

#include "hostd/pool.h"

/* In the order in which they were made, so causes are before effects. */
static TAILQ_HEAD(, vevent) held = TAILQ_HEAD_INITIALIZER(held);

bool
cascade_holds(const struct vevent *dep)
{
	return dep->unset || dep->held ||
	    (dep->queue != NULL && dep->queue->blocked);
}

static bool
waits(const struct vevent *e)
{
	const struct vevent *dep;
	unsigned i;

	for (i = 0; i < e->dep_count; i++) {
		dep = e->deps[i];
		if (dep->unset || (dep->held && dep->waiting) ||
		    (dep->queue != NULL && dep->queue->blocked))
			return true;
	}
	return false;
}

static void
unblock(struct vevent *e)
{
	unsigned i;

	e->queue->blocked = false;
	for (i = 0; i < e->dep_count; i++)
		if (e->deps[i]->queue != NULL)
			e->deps[i]->queue->blocked = false;
}

void
cascade_mark(struct serve *s)
{
	struct vevent *e;

	pthread_mutex_lock(&s->lock);
	TAILQ_FOREACH(e, &held, held_entry)
		unblock(e);
	TAILQ_FOREACH(e, &held, held_entry)
		if ((e->waiting = waits(e)))
			e->queue->blocked = e->queue->device->pool->simulator;
	pthread_mutex_unlock(&s->lock);
}

void
cascade_enter(struct serve *s, struct vevent *e)
{
	pthread_mutex_lock(&s->lock);
	TAILQ_INSERT_TAIL(&held, e, held_entry);
	e->held = true;
	/* Until cascade_mark looks closely. */
	e->queue->blocked = e->queue->device->pool->simulator;
	pthread_mutex_unlock(&s->lock);
}

void
cascade_leave(struct vevent *e)
{
	struct serve *s = e->context->serve;

	if (!e->held)
		return;
	pthread_mutex_lock(&s->lock);
	TAILQ_REMOVE(&held, e, held_entry);
	pthread_mutex_unlock(&s->lock);
}

static bool
has_failed_cause(const struct vevent *e)
{
	unsigned i;

	for (i = 0; i < e->dep_count; i++)
		if (e->deps[i]->o.error != CL_SUCCESS)
			return true;
	return false;
}

void
cascade_fail(struct serve *s, struct vevent *user, cl_int status)
{
	struct vevent *e;

	pthread_mutex_lock(&s->lock);
	user->o.error = status;
	TAILQ_FOREACH(e, &held, held_entry)
		if (!e->reported && e->o.error == CL_SUCCESS &&
		    has_failed_cause(e))
			e->o.error =
			    CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
	pthread_mutex_unlock(&s->lock);
}
