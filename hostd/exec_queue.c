/* SPDX-License-Identifier: ISC */
/*
 * exec_queue - queues, markers and barriers, flush and finish.
 */
#include "hostd/calls.h"

#include <string.h>

#include "hostd/bind.h"
#include "hostd/coherence.h"
#include "hostd/command.h"
#include "hostd/completion.h"
#include "hostd/dispatch.h"
#include "hostd/member.h"
#include "hostd/meter.h"
#include "hostd/remake.h"

static void
release_finished(struct serve *s, void *queue)
{
	(void)s;
	clFinish(queue);
	clReleaseCommandQueue(queue);
}

static void
release_soon(struct serve *s, void *queue, cl_int status)
{
	(void)status;
	serve_defer(s, release_finished, queue);
}

/*
 * Intel's CPU runtime loses a thread for good when a queue without order is
 * released right after its last callback, and kernels of other queues then
 * hang.  So such a queue ends when a marker has told that nothing is left in
 * it; finishing it, which is what helps, then takes no time.
 */
static bool
release_after_marker(const struct vqueue *q, cl_command_queue queue)
{
	struct serve *s = q->context->serve;
	cl_event marker;

	if (q->in_order || q->device->pool->simulator ||
	    clEnqueueMarkerWithWaitList(queue, 0, NULL, &marker) !=
	    CL_SUCCESS || completion_watch(s, marker, release_soon, queue) !=
	    CL_SUCCESS)
		return false;
	command_flush(queue);
	return true;
}

static void
vqueue_fini(struct vobj *o)
{
	struct vqueue *q = (struct vqueue *)o;
	cl_command_queue queue = native(q, q->member);

	if (queue != NULL && !release_after_marker(q, queue))
		clReleaseCommandQueue(queue);
	mixed_queue_close(q);
	meter_close(q);
	object_unref(q->context);
	object_unref(q->device);
}

/* Properties that tell how the host is to treat the queue. */
static void
read_properties(struct vqueue *q, const struct span *list)
{
	const uint64_t *p = list->p;
	cl_command_queue_properties set = 0;
	uint64_t i;

	for (i = 0; i + 1 < list->n; i += 2)
		if (p[i] == CL_QUEUE_PROPERTIES)
			set = p[i + 1];
	q->in_order = !(set & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	q->profiling = (set & CL_QUEUE_PROFILING_ENABLE) != 0;
}

#define PROPERTIES_MAX 32

/* Vendors of OpenCL 1.x only know the old function. */
static bool
is_old(const struct vdevice *d)
{
	return strncmp(infoset_text(&d->pool->info, CL_DEVICE_VERSION, ""),
	    "OpenCL 1.", 9) == 0;
}

static cl_command_queue
make_queue(cl_context context, const struct vdevice *d,
    const struct span *list, cl_int *code)
{
	cl_queue_properties p[PROPERTIES_MAX + 1] = { 0 };
	const uint64_t *from = list->p;
	uint64_t i;

	*code = CL_INVALID_VALUE;
	if (list->n > PROPERTIES_MAX)
		return NULL;
	for (i = 0; i < list->n; i++)
		p[i] = from[i];
	if (!is_old(d))
		return clCreateCommandQueueWithProperties(context, d->device,
		    p, code);
	if (list->n > 2 || (p[0] != 0 && p[0] != CL_QUEUE_PROPERTIES))
		return NULL;
	return clCreateCommandQueue(context, d->device, p[1], code);
}

cl_int
queue_remake(struct vqueue *q, unsigned member, const struct vdevice *d)
{
	struct msg_clCreateCommandQueueWithProperties m;
	cl_int code = CL_INVALID_COMMAND_QUEUE;

	if (recipe_decode(&q->o, &desc_clCreateCommandQueueWithProperties, &m))
		q->o.native[member] = make_queue(native(q->context, member),
		    d, &m.property_list, &code);
	return code;
}

void
exec_clCreateCommandQueueWithProperties(struct serve *s, struct call *call,
    struct msg_clCreateCommandQueueWithProperties *m)
{
	struct vqueue *q = object_new(s, call, OBJ_QUEUE, m->id.id, sizeof(*q),
	    vqueue_fini);
	cl_int code;

	if (q == NULL)
		return;
	TAILQ_INIT(&q->unreported);
	q->context = object_ref(m->context.obj);
	q->device = object_ref(bind_find(q->context, m->device.obj));
	read_properties(q, &m->property_list);
	q->member = context_member(q->context, q->device);
	code = CL_SUCCESS;
	if (context_is_mixed(q->context))
		code = mixed_queue_open(q);
	if (code == CL_SUCCESS)
		q->o.native[q->member] = make_queue(native(q->context,
		    q->member), q->device, &m->property_list, &code);
	if (code != CL_SUCCESS)
		call_fail(s, call, code, NULL);
}

void
exec_clSetDefaultDeviceCommandQueue(struct serve *s, struct call *call,
    struct msg_clSetDefaultDeviceCommandQueue *m)
{
	struct vqueue *q = m->command_queue.obj;
	cl_int code = clSetDefaultDeviceCommandQueue(native(m->context.obj,
	    q->member), bind_find(m->context.obj, m->device.obj)->device,
	    native(q, q->member));

	if (code != CL_SUCCESS)
		call_fail(s, call, code, NULL);
}

void
exec_clEnqueueMarkerWithWaitList(struct serve *s, struct call *call,
    struct msg_clEnqueueMarkerWithWaitList *m)
{
	struct command c;

	if (command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		command_close(&c, clEnqueueMarkerWithWaitList(c.queue,
		    c.wait_count, c.wait, c.event_ret));
}

void
exec_clEnqueueBarrierWithWaitList(struct serve *s, struct call *call,
    struct msg_clEnqueueBarrierWithWaitList *m)
{
	struct command c;

	if (command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		command_close(&c, clEnqueueBarrierWithWaitList(c.queue,
		    c.wait_count, c.wait, c.event_ret));
}

void
exec_clFlush(struct serve *s, struct call *call, struct msg_clFlush *m)
{
	(void)s;
	(void)call;
	dispatch_note_queue(m->command_queue.obj);
}

/* A marker's callback answers, so that the loop does not wait. */
void
exec_clFinish(struct serve *s, struct call *call, struct msg_clFinish *m)
{
	static const struct span nothing;
	static const union ref no_event;
	struct command c;

	if (!command_open(&c, s, call, m->command_queue.obj, &nothing,
	    &no_event))
		return;
	c.finish_serial = call->serial;
	command_close(&c, clEnqueueMarkerWithWaitList(c.queue, 0, NULL,
	    &c.event));
}
