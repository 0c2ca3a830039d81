/* SPDX-License-Identifier: ISC */
#include "hostd/completion.h"

#include <event2/event.h>
#include <stdlib.h>

#include "hostd/meter.h"
#include "hostd/output.h"
#include "hostd/report.h"
#include "hostd/staging.h"

#define LOOK_MS 10

/* Not over yet, for the loop to look after. */
static TAILQ_HEAD(, completion) list = TAILQ_HEAD_INITIALIZER(list);
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct event *look_event;

struct completion *
completion_new(struct serve *s, cl_event event)
{
	struct completion *c = calloc(1, sizeof(*c));

	if (c == NULL)
		return NULL;
	c->serve = s;
	c->event = event;
	clRetainEvent(event);
	return c;
}

/* The list's reference, the vendor's, and that of who looks. */
static void
completion_unref(struct completion *c)
{
	if (atomic_fetch_sub(&c->refs, 1) != 1)
		return;
	clReleaseEvent(c->event);
	object_unref(c->vevent);
	object_unref(c->queue);
	free(c);
}

static void
end_staging(struct completion *c, cl_int status)
{
	if (!c->staging->in && status == CL_COMPLETE)
		staging_send(c->serve, c->staging);
	else
		staging_free(c->serve, c->staging);
}

static void
reply_finish(struct completion *c)
{
	struct reply_clFinish reply;

	report_queue(c->serve, c->queue, c->mark);
	reply.status = atomic_exchange(&c->queue->failed, CL_SUCCESS);
	serve_reply(c->serve, &desc_clFinish, c->finish_serial, &reply);
}

/* The order matters: what was printed, the body, the status. */
static void
completion_run(struct completion *c, cl_int status)
{
	struct serve *s = c->serve;

	if (c->launches != 0)
		meter_reached(c->queue != NULL ? c->queue : c->vevent->queue,
		    c->launches);
	if (c->vevent != NULL)
		status = report_outcome(s, c->vevent, status);
	if (s->may_print)
		output_drain(s);
	if (c->staging != NULL)
		end_staging(c, status);
	if (c->then != NULL)
		c->then(s, c->then_arg, status);
	if (c->tell)
		report_end(s, c->vevent);
	if (c->finish_serial != 0)
		reply_finish(c);
	serve_flush(s);
	loop_paid(s);
}

/* It has ended: off the list, and done, once. */
static void
completion_end(struct completion *c, cl_int status)
{
	if (atomic_exchange(&c->over, true))
		return;
	pthread_mutex_lock(&list_lock);
	TAILQ_REMOVE(&list, c, entry);
	pthread_mutex_unlock(&list_lock);
	completion_run(c, status);
	completion_unref(c);
}

static void CL_CALLBACK
on_complete(cl_event event, cl_int status, void *arg)
{
	(void)event;
	completion_end(arg, status);
	completion_unref(arg);
}

/* ---- looking after ----------------------------------------------------- */

/* Those that are not over, each with a reference; NULL: there are none. */
static struct completion **
list_copy(size_t *n)
{
	struct completion **copy, *c;

	*n = 0;
	pthread_mutex_lock(&list_lock);
	TAILQ_FOREACH(c, &list, entry)
		(*n)++;
	copy = *n > 0 ? calloc(*n, sizeof(struct completion *)) : NULL;
	*n = 0;
	if (copy != NULL)
		TAILQ_FOREACH(c, &list, entry) {
			atomic_fetch_add(&c->refs, 1);
			copy[(*n)++] = c;
		}
	pthread_mutex_unlock(&list_lock);
	return copy;
}

cl_int
completion_status(cl_event event)
{
	cl_int status;

	return clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
	    sizeof(status), &status, NULL) == CL_SUCCESS ? status : CL_QUEUED;
}

static void
look(int fd, short what, void *arg)
{
	const struct timeval later = { .tv_usec = LOOK_MS * 1000 };
	struct completion **copy;
	cl_int status;
	size_t n, i;

	(void)fd;
	(void)what;
	(void)arg;
	copy = list_copy(&n);
	for (i = 0; i < n; i++) {
		if ((status = completion_status(copy[i]->event)) < 0)
			completion_end(copy[i], status);
		completion_unref(copy[i]);
	}
	free(copy);
	if (n > 0)
		event_add(look_event, &later);
}

/*
 * One that is being carried out is off the list and still owed; it will not
 * take long.
 */
bool
completion_is_due(struct serve *s, const struct vcontext *context)
{
	const struct completion *c;
	bool due = false;
	unsigned n = 0;

	pthread_mutex_lock(&list_lock);
	TAILQ_FOREACH(c, &list, entry) {
		n++;
		if ((c->queue != NULL && c->queue->context == context) ||
		    (c->vevent != NULL && c->vevent->context == context))
			due = true;
	}
	due |= atomic_load(&s->loop.owed) != n;
	pthread_mutex_unlock(&list_lock);
	return due;
}

void
completion_look_after(struct serve *s)
{
	if (look_event == NULL)
		look_event = evtimer_new(s->base, look, NULL);
	if (look_event != NULL)
		look(-1, 0, NULL);
}

/* ---- vendors that forget ----------------------------------------------- */

static bool forgetful;

void
completion_expect_forgetful(void)
{
	forgetful = true;
}

static void
look_once(struct completion *c)
{
	const cl_int status = completion_status(c->event);

	if (status <= CL_COMPLETE)
		completion_end(c, status);
}

/* ---- starting ---------------------------------------------------------- */

cl_int
completion_start(struct completion *c)
{
	const struct timeval soon = { .tv_usec = LOOK_MS * 1000 };
	cl_int code;

	loop_owe(c->serve);
	pthread_mutex_lock(&list_lock);
	TAILQ_INSERT_TAIL(&list, c, entry);
	atomic_store(&c->refs, forgetful ? 3 : 2);
	pthread_mutex_unlock(&list_lock);
	code = clSetEventCallback(c->event, CL_COMPLETE, on_complete, c);
	if (code != CL_SUCCESS)	/* nobody else would try again */
		code = clSetEventCallback(c->event, CL_COMPLETE, on_complete,
		    c);
	if (code != CL_SUCCESS) {
		pthread_mutex_lock(&list_lock);
		TAILQ_REMOVE(&list, c, entry);
		pthread_mutex_unlock(&list_lock);
		loop_paid(c->serve);
		completion_unref(c);
		completion_unref(c);
		if (forgetful)
			completion_unref(c);
		return code;
	}
	if (look_event != NULL && !evtimer_pending(look_event, NULL))
		evtimer_add(look_event, &soon);
	if (forgetful) {
		look_once(c);
		completion_unref(c);
	}
	return code;
}

cl_int
completion_watch(struct serve *s, cl_event event,
    void (*then)(struct serve *, void *, cl_int), void *arg)
{
	struct completion *c = completion_new(s, event);

	clReleaseEvent(event);
	if (c == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	c->then = then;
	c->then_arg = arg;
	return completion_start(c);
}
