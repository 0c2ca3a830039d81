/* SPDX-License-Identifier: ISC */
#include "hostd/report.h"

#include <stdlib.h>
#include <string.h>

#define STAMPS 5

TAILQ_HEAD(vevents, vevent);

void
report_add(struct serve *s, struct vevent *e)
{
	if (e->queue == NULL)
		return;
	pthread_mutex_lock(&s->lock);
	TAILQ_INSERT_TAIL(&e->queue->unreported, e, entry);
	e->listed = true;
	object_ref(e);
	pthread_mutex_unlock(&s->lock);
}

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

void
report_forget(struct serve *s, struct vevent *e)
{
	bool ours;

	pthread_mutex_lock(&s->lock);
	e->released = true;
	ours = unlist(e);
	pthread_mutex_unlock(&s->lock);
	if (ours)
		object_unref(e);
}

struct vevent *
report_last(struct serve *s, struct vqueue *q)
{
	struct vevent *e;

	pthread_mutex_lock(&s->lock);
	e = object_ref(TAILQ_LAST(&q->unreported, vevents));
	pthread_mutex_unlock(&s->lock);
	return e;
}

/* ---- messages ---------------------------------------------------------- */

static cl_int
native_status(const struct vevent *e)
{
	cl_int status = CL_COMPLETE;

	if (native(e, e->member) == NULL)
		return e->o.error;
	clGetEventInfo(native(e, e->member), CL_EVENT_COMMAND_EXECUTION_STATUS,
	    sizeof(status), &status, NULL);
	return status;
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
	return true;
}

static void
send_status(struct serve *s, const struct vevent *e, cl_int status)
{
	cl_ulong stamp[STAMPS];
	struct msg_event_status m = { .event = e->o.id,
		.execution_status = status };

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

/* Chains of dependencies in other queues are followed so far. */
#define DEPTH_MAX 256

/*
 * Append e to list unless it is reported already, after what it waited for;
 * lock held.  Takes a reference to e.  References are dropped when the list
 * is sent, not here, as the last one may call the vendor.
 */
static void
collect(struct vevent *e, struct vevents *list, unsigned depth)
{
	unsigned i;

	e->again = e->reported;
	e->reported = true;
	for (i = 0; i < e->dep_count; i++) {
		struct vevent *dep = e->deps[i];

		if (unlist(dep))
			object_unref(dep);	/* e's reference is left */
		if (depth < DEPTH_MAX)
			collect(dep, list, depth + 1);
	}
	if (depth < DEPTH_MAX) {
		free(e->deps);
		e->deps = NULL;
		e->dep_count = 0;
	}
	TAILQ_INSERT_TAIL(list, e, entry);
}

/* Events of an in-order queue up to last, which have all ended; lock held. */
static void
collect_queue(struct vqueue *q, struct vevent *last, struct vevents *list)
{
	struct vevent *e;

	do {
		e = TAILQ_FIRST(&q->unreported);
		unlist(e);
		collect(e, list, 0);
	} while (e != last);
}

/*
 * Send the list's statuses, as far as q's watermark does not tell enough, and
 * drop its references.
 */
static void
send_list(struct serve *s, const struct vqueue *q, struct vevents *list,
    const struct vevent *wanted)
{
	struct vevent *e;
	cl_int status;

	while ((e = TAILQ_FIRST(list)) != NULL) {
		TAILQ_REMOVE(list, e, entry);
		status = native_status(e);
		if (!e->again && !e->released && status <= CL_COMPLETE &&
		    (status < 0 || e == wanted || e->queue != q ||
		    q->profiling))
			send_status(s, e, status);
		object_unref(e);
	}
}

void
report_queue(struct serve *s, struct vqueue *q, struct vevent *last)
{
	struct vevents list = TAILQ_HEAD_INITIALIZER(list);

	pthread_mutex_lock(&s->report_lock);
	pthread_mutex_lock(&s->lock);
	if (last != NULL && last->listed)
		collect_queue(q, last, &list);
	pthread_mutex_unlock(&s->lock);
	send_list(s, q, &list, NULL);
	pthread_mutex_unlock(&s->report_lock);
}

void
report_end(struct serve *s, struct vevent *e)
{
	struct vevents list = TAILQ_HEAD_INITIALIZER(list);
	const struct vqueue *q = e->queue;

	pthread_mutex_lock(&s->report_lock);
	pthread_mutex_lock(&s->lock);
	if (e->listed && q->in_order) {
		collect_queue(e->queue, e, &list);
	} else {
		if (!unlist(e))
			object_ref(e);
		collect(e, &list, 0);
	}
	pthread_mutex_unlock(&s->lock);
	send_list(s, q, &list, e);
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
