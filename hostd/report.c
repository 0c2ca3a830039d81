/* SPDX-License-Identifier: ISC */
#include "hostd/report_private.h"

#include "hostd/account.h"
#include "hostd/lost.h"
#include "hostd/stamps.h"

/* ---- messages ------------------------------------------------------------ */

static void
send_status(struct serve *s, const struct vevent *e, cl_int status)
{
	cl_ulong stamp[STAMPS];
	struct msg_event_status m = { .event = e->o.id,
		.execution_status = status };

	if (e->queue != NULL)
		lost_note(s, e->queue->device, status);
	if (status == CL_COMPLETE && e->queue != NULL && e->queue->profiling &&
	    stamps_read(e, stamp))
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
	if (!report_unlist(e))
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
		if (report_has_ended(e) && (watermark || e->status < 0 ||
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
	if (e->reported || !report_has_ended(e))
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
		report_let_end(s, e);
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
		if (report_has_ended(e))
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
