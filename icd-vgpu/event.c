/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/event_private.h"

#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/callback.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/queue.h"
#include "icd-vgpu/transfer.h"
#include "icd-vgpu/usm.h"

static void
event_fini(struct object *o)
{
	struct event *e = (struct event *)o;

	object_unuse(e->queue);
	object_unuse(e->context);
}

struct event *
event_new(struct queue *q, cl_command_type type)
{
	struct event *e = object_new(OBJ_EVENT, sizeof(*e), event_fini);

	if (e == NULL)
		return NULL;
	e->queue = object_use(q);
	e->context = object_use(q->context);
	e->type = type;
	e->status = CL_QUEUED;
	e->serial = EVENT_UNSENT;
	return e;
}

cl_int
event_status(const struct event *e)
{
	cl_int status = e->status;

	if (e->queue == NULL || status < 0)
		return status;
	if (e->serial <= e->queue->completed)
		status = CL_COMPLETE;
	if (status == CL_COMPLETE &&
	    transfer_missing(e->queue, e->serial, e->queue->in_order))
		status = CL_RUNNING;
	return status;
}

static bool
event_ended(void *arg)
{
	return event_status(arg) <= CL_COMPLETE;
}

cl_int
event_wait(struct event *e)
{
	cl_int status;

	if (call_wait_answer(event_ended, e) != CL_SUCCESS)
		return CL_DEVICE_NOT_AVAILABLE;
	call_lock();
	status = event_status(e);
	call_unlock();
	return status < 0 ? status : CL_SUCCESS;
}

void
event_watch(struct event *e, unsigned mask)
{
	struct msg_watch m = { .event.id = e->o.id };
	bool ask;

	call_lock();
	ask = e->queue != NULL && event_status(e) > CL_COMPLETE &&
	    (mask & ~e->watched) != 0;
	e->watched |= mask;
	m.mask = e->watched;
	call_unlock();
	if (ask)
		call_async(&desc_watch, &m, 0);
}

/* ---- what the host tells ----------------------------------------------- */

/* Set a status, lock held; statuses only fall, and an end is final. */
static void
event_set(struct event *e, cl_int status)
{
	if (e->status <= CL_COMPLETE || status >= e->status)
		return;
	e->status = status;
	if (status <= CL_COMPLETE)
		transfer_end_event(e, status < 0);
	if (status == CL_COMPLETE && e->queue != NULL && e->queue->in_order &&
	    e->serial != EVENT_UNSENT && e->serial > e->queue->completed)
		e->queue->completed = e->serial;
	event_fire(e);
	call_changed();
}

void
event_take_status(const struct msg_event_status *m)
{
	struct event *e = (struct event *)object_find(m->event, OBJ_EVENT);

	if (e == NULL)
		return;		/* released while this was under way */
	call_lock();
	if (m->stamps.n == EVENT_STAMPS && !e->stamped) {
		memcpy(e->stamp, m->stamps.p, sizeof(e->stamp));
		e->stamped = true;
	}
	event_set(e, (cl_int)m->execution_status);
	call_unlock();
	object_unuse(e);
}

void
event_end_here(struct event *e)
{
	struct queue *q = e->queue;

	call_lock();
	e->status = CL_COMPLETE;
	/* Others may have sent something before it meanwhile. */
	if (e->serial == q->completed + 1)
		q->completed = e->serial;
	call_unlock();
}

void
event_lose(struct event *e)
{
	call_lock();
	if (event_status(e) > CL_COMPLETE)
		event_set(e, CL_DEVICE_NOT_AVAILABLE);
	call_unlock();
}

/* ---- wait lists -------------------------------------------------------- */

cl_int
event_check_list(const struct context *context, cl_uint n,
    const cl_event *list, uint64_t *ids)
{
	const struct event *e;
	cl_uint i;

	if ((n == 0) != (list == NULL))
		return CL_INVALID_EVENT_WAIT_LIST;
	for (i = 0; i < n; i++) {
		e = (const struct event *)object_check(list[i], OBJ_EVENT);
		if (e == NULL)
			return CL_INVALID_EVENT_WAIT_LIST;
		if (e->context != context)
			return CL_INVALID_CONTEXT;
		ids[i] = e->o.id;
	}
	return CL_SUCCESS;
}

struct event_list {
	cl_uint n;
	const cl_event *list;
};

static bool
list_ended(void *arg)
{
	const struct event_list *l = arg;
	cl_uint i;

	for (i = 0; i < l->n; i++)
		if (!event_ended((struct event *)(void *)l->list[i]))
			return false;
	return true;
}

cl_int
icd_clWaitForEvents(cl_uint num_events, const cl_event *event_list)
{
	struct event_list l = { num_events, event_list };
	struct event *e;
	const struct context *context = NULL;
	cl_int status = CL_SUCCESS;
	cl_uint i;

	if (num_events == 0 || event_list == NULL)
		return CL_INVALID_VALUE;
	for (i = 0; i < num_events; i++) {
		e = (struct event *)object_check(event_list[i], OBJ_EVENT);
		if (e == NULL)
			return CL_INVALID_EVENT;
		if (context != NULL && e->context != context)
			return CL_INVALID_CONTEXT;
		context = e->context;
	}
	for (i = 0; i < num_events; i++)
		event_watch((struct event *)(void *)event_list[i], 1);
	if (call_wait(list_ended, &l) != CL_SUCCESS)
		status = CL_DEVICE_NOT_AVAILABLE;
	call_lock();
	for (i = 0; i < num_events; i++)
		if (event_status((struct event *)(void *)event_list[i]) < 0)
			status = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
	call_unlock();
	usm_settle();
	callback_settle(CALLBACK_SETTLE_MS);
	return status;
}

/* ---- user events ------------------------------------------------------- */

cl_event
icd_clCreateUserEvent(cl_context context, cl_int *errcode_ret)
{
	struct context *c = context_check(context);
	struct msg_clCreateUserEvent m;
	struct event *e = NULL;
	cl_int code = CL_INVALID_CONTEXT;

	if (c != NULL) {
		e = object_new(OBJ_EVENT, sizeof(*e), event_fini);
		code = CL_OUT_OF_HOST_MEMORY;
	}
	if (e != NULL) {
		e->context = object_use(c);
		e->type = CL_COMMAND_USER;
		e->status = CL_SUBMITTED;
		m.context.id = c->o.id;
		m.id.id = e->o.id;
		code = call_async(&desc_clCreateUserEvent, &m, 0);
	}
	if (errcode_ret != NULL)
		*errcode_ret = code;
	if (code == CL_SUCCESS)
		return event_handle(e);
	object_unuse(e);
	return NULL;
}

cl_int
icd_clSetUserEventStatus(cl_event event, cl_int execution_status)
{
	struct event *e = (struct event *)object_check(event, OBJ_EVENT);
	struct msg_clSetUserEventStatus m;
	cl_int code;
	bool again;

	if (e == NULL || e->type != CL_COMMAND_USER)
		return CL_INVALID_EVENT;
	if (execution_status > CL_COMPLETE)
		return CL_INVALID_VALUE;
	if ((code = usm_push_again(e->context)) != CL_SUCCESS)
		return code;
	/* Before the host knows: it may answer other threads at once. */
	call_lock();
	again = e->status <= CL_COMPLETE;
	if (!again) {
		object_use(e);	/* who waits for it may release it now */
		event_set(e, execution_status);
		call_changed_here();
	}
	call_unlock();
	if (again)
		return CL_INVALID_OPERATION;
	m.event.id = e->o.id;
	m.execution_status = execution_status;
	code = call_async(&desc_clSetUserEventStatus, &m, 0);
	call_flush();
	object_unuse(e);
	return code;
}

/* ---- queries ----------------------------------------------------------- */

static cl_int
polled_status(struct event *e)
{
	cl_int status;

	event_watch(e, 1 | 2 | 4);
	call_flush();
	call_lock();
	status = event_status(e);
	call_unlock();
	if (status <= CL_COMPLETE)
		usm_settle();
	return status;
}

cl_int
query_event(struct object *o, cl_uint param, struct info_out *out)
{
	struct event *e = (struct event *)o;

	switch (param) {
	case CL_EVENT_COMMAND_QUEUE:
		return INFO_VALUE(out, cl_command_queue, (void *)e->queue);
	case CL_EVENT_CONTEXT:
		return INFO_VALUE(out, cl_context, (void *)e->context);
	case CL_EVENT_COMMAND_TYPE:
		return INFO_VALUE(out, cl_command_type, e->type);
	case CL_EVENT_COMMAND_EXECUTION_STATUS:
		return INFO_VALUE(out, cl_int, polled_status(e));
	case CL_EVENT_REFERENCE_COUNT:
		return INFO_VALUE(out, cl_uint, atomic_load(&o->refs));
	default:
		return CL_INVALID_VALUE;
	}
}

cl_int
query_event_profiling(struct object *o, cl_uint param, struct info_out *out)
{
	struct event *e = (struct event *)o;
	unsigned i = param - CL_PROFILING_COMMAND_QUEUED;
	bool ready;

	if (e->queue == NULL ||
	    !(e->queue->properties & CL_QUEUE_PROFILING_ENABLE))
		return CL_PROFILING_INFO_NOT_AVAILABLE;
	if (i >= EVENT_STAMPS)
		return CL_INVALID_VALUE;
	call_lock();
	ready = event_status(e) == CL_COMPLETE && e->stamped;
	call_unlock();
	if (!ready)
		return CL_PROFILING_INFO_NOT_AVAILABLE;
	return INFO_VALUE(out, cl_ulong, e->stamp[i]);
}
