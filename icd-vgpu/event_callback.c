/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/event_private.h"

#include <stdlib.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/usm.h"

struct event_callback {
	struct event_callback *next;
	pfn_event run;
	void *user_data;
	cl_int due;		/* CL_COMPLETE, CL_RUNNING or CL_SUBMITTED */
	cl_int status;		/* what it is called with */
	struct event *event;	/* a use */
};

/* Events with callbacks that are not due yet; under the call lock. */
static TAILQ_HEAD(, event) listed = TAILQ_HEAD_INITIALIZER(listed);

static void
callback_run(void *arg)
{
	struct event_callback *cb = arg;

	if (cb->status <= CL_COMPLETE)
		usm_settle();
	cb->run(event_handle(cb->event), cb->status, cb->user_data);
	object_unuse(cb->event);
	free(cb);
}

void
event_fire(struct event *e)
{
	struct event_callback **at = &e->callbacks, *cb;
	cl_int status = event_status(e);

	while ((cb = *at) != NULL) {
		if (status > cb->due) {
			at = &cb->next;
			continue;
		}
		*at = cb->next;
		cb->status = status < 0 ? status : cb->due;
		call_expect(-1);
		callback_queue(callback_run, cb);
	}
	if (e->callbacks == NULL && e->listed) {
		TAILQ_REMOVE(&listed, e, entry);
		e->listed = false;
	}
}

void
event_fire_all(void)
{
	struct event *e, *next;

	call_lock();
	for (e = TAILQ_FIRST(&listed); e != NULL; e = next) {
		next = TAILQ_NEXT(e, entry);
		event_fire(e);
	}
	call_unlock();
}

static const unsigned watch_bit[] = {
	[CL_COMPLETE] = 1, [CL_RUNNING] = 2, [CL_SUBMITTED] = 4 };

cl_int
icd_clSetEventCallback(cl_event event, cl_int type, pfn_event pfn_notify,
    void *user_data)
{
	struct event *e = (struct event *)object_check(event, OBJ_EVENT);
	struct event_callback *cb, **at;

	if (e == NULL)
		return CL_INVALID_EVENT;
	if (pfn_notify == NULL || type < CL_COMPLETE || type > CL_SUBMITTED)
		return CL_INVALID_VALUE;
	if ((cb = calloc(1, sizeof(*cb))) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	cb->run = pfn_notify;
	cb->user_data = user_data;
	cb->due = type;
	cb->event = object_use(e);
	call_expect(1);
	/* It may also end without having been submitted or having run. */
	event_watch(e, watch_bit[type] | watch_bit[CL_COMPLETE]);
	call_lock();
	for (at = &e->callbacks; *at != NULL; at = &(*at)->next)
		;
	*at = cb;
	if (!e->listed) {
		TAILQ_INSERT_TAIL(&listed, e, entry);
		e->listed = true;
	}
	event_fire(e);
	call_unlock();
	call_flush();
	return CL_SUCCESS;
}

void
event_fork(enum fork_phase phase)
{
	if (phase == FORK_CHILD)
		TAILQ_INIT(&listed);
}
