/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/command.h"

#include <stdlib.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/command_buffer.h"
#include "icd-vgpu/direct.h"
#include "icd-vgpu/transfer.h"
#include "icd-vgpu/usm.h"

static cl_int
take_list(struct command *c, cl_uint n, const cl_event *list)
{
	uint64_t *ids = c->ids;
	cl_int code;

	if (n > COMMAND_LIST) {
		if ((c->many = malloc(n * sizeof(*ids))) == NULL)
			return CL_OUT_OF_HOST_MEMORY;
		ids = c->many;
	}
	code = event_check_list(c->queue->context, n, list, ids);
	c->list = (struct span){ ids, n };
	c->given = list;
	return code;
}

cl_int
command_open(struct command *c, cl_command_queue queue,
    const struct command_options *o, cl_uint n, const cl_event *list,
    cl_event *event_ret)
{
	cl_int code;

	c->queue = (struct queue *)object_check(queue, OBJ_QUEUE);
	c->event = NULL;
	c->event_ret = event_ret;
	c->blocking = o->blocking;
	c->event_id.id = 0;
	c->usm = NULL;
	c->direct = NULL;
	c->many = NULL;
	if (c->queue == NULL || c->queue->on_device)
		return CL_INVALID_COMMAND_QUEUE;
	if ((code = take_list(c, n, list)) == CL_SUCCESS &&
	    (code = call_alive()) == CL_SUCCESS &&
	    c->queue->records == NULL &&
	    (o->blocking || o->need_event || event_ret != NULL)) {
		c->event = event_new(c->queue, o->type);
		if (c->event == NULL)
			code = CL_OUT_OF_HOST_MEMORY;
		else
			c->event_id.id = c->event->o.id;
	}
	return code == CL_SUCCESS ? code : command_drop(c, code);
}

cl_int
command_drop(struct command *c, cl_int code)
{
	free(c->many);
	c->many = NULL;
	if (c->event != NULL) {
		/* The host never hears of it. */
		c->event->o.local = true;
		object_release(&c->event->o);
		c->event = NULL;
	}
	return code;
}

cl_int
command_check_context(const struct command *c, const struct context *context)
{
	return c->queue->context == context ? CL_SUCCESS : CL_INVALID_CONTEXT;
}

static cl_int
send_in_order(struct command *c, const struct message *m, const void *msg,
    unsigned flags)
{
	struct queue *q = c->queue;
	cl_int code;

	pthread_mutex_lock(&q->lock);
	if ((code = direct_guard(q)) == CL_SUCCESS) {
		q->serial++;
		if (c->event != NULL)
			c->event->serial = q->serial;
		code = call_async(m, msg, flags);
	}
	if (code == CL_SUCCESS && c->direct != NULL)
		direct_open(q, c->direct);
	pthread_mutex_unlock(&q->lock);
	return code;
}

/* The message, around which the host's memory is brought up to date. */
static cl_int
send_with_usm(struct command *c, const struct message *m, const void *msg,
    unsigned flags)
{
	struct usm_use *use;
	cl_int code;

	if (c->usm == NULL)
		return send_in_order(c, m, msg, flags);
	code = usm_prepare(c->queue->context, c->usm, &use);
	if (code != CL_SUCCESS)
		return code;
	if ((code = send_in_order(c, m, msg, flags)) == CL_SUCCESS)
		usm_sent(use, c->event);
	else
		usm_not_sent(use);
	return code;
}

cl_int
command_send(struct command *c, const struct message *m, const void *msg,
    struct payload *payload)
{
	struct event *e = c->event;
	unsigned flags = 0;
	cl_int code;

	if (c->queue->records != NULL)
		return command_buffer_take(c->queue->records, m, msg);
	if (c->blocking) {
		e->watched |= 1;
		flags |= FRAME_NOTIFY;
	}
	if (payload != NULL && payload->t != NULL && !payload->eager)
		flags |= FRAME_PULL;
	code = send_with_usm(c, m, msg, flags);
	if (code != CL_SUCCESS) {
		if (payload != NULL)
			payload_drop(payload);
		return command_drop(c, code);
	}
	free(c->many);
	if (payload != NULL)
		payload_send(payload);
	if (c->blocking) {
		code = event_wait(e);
		if (c->direct != NULL)
			direct_end(c->queue, c->direct, code);
		usm_settle();
	}
	if (c->event_ret != NULL && code == CL_SUCCESS)
		*c->event_ret = event_handle(e);
	else if (e != NULL)
		object_release(&e->o);
	return code;
}

cl_int
command_send_empty(struct command *c)
{
	const struct msg_clEnqueueSVMMigrateMem m = {
		.command_queue.id = c->queue->o.id,
		.event_wait_list = c->list,
		.event = c->event_id,
	};

	return command_send(c, &desc_clEnqueueSVMMigrateMem, &m, NULL);
}

cl_int
command_empty(cl_command_queue queue, const struct command_options *o,
    cl_uint n, const cl_event *list, cl_event *event_ret)
{
	struct command c;
	cl_int code = command_open(&c, queue, o, n, list, event_ret);

	return code == CL_SUCCESS ? command_send_empty(&c) : code;
}
