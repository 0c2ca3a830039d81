/* SPDX-License-Identifier: ISC */
#include "hostd/completion.h"

#include <stdlib.h>

#include "hostd/output.h"
#include "hostd/report.h"
#include "hostd/staging.h"

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

static void
completion_free(struct completion *c)
{
	clReleaseEvent(c->event);
	object_unref(c->report);
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
static void CL_CALLBACK
on_complete(cl_event event, cl_int status, void *arg)
{
	struct completion *c = arg;
	struct serve *s = c->serve;

	(void)event;
	if (s->may_print)
		output_drain(s);
	if (c->staging != NULL)
		end_staging(c, status);
	if (c->then != NULL)
		c->then(s, c->then_arg, status);
	if (c->report != NULL)
		report_end(s, c->report);
	if (c->finish_serial != 0)
		reply_finish(c);
	serve_flush(s);
	completion_free(c);
}

cl_int
completion_start(struct completion *c)
{
	cl_int code = clSetEventCallback(c->event, CL_COMPLETE, on_complete,
	    c);

	if (code != CL_SUCCESS)
		completion_free(c);
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
