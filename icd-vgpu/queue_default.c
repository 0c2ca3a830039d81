/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/queue.h"

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/platform.h"

/*
 * Contexts know their default queues by id, so a queue that is gone is none
 * without having told anybody.
 */
struct queue *
queue_default_find(const struct context *c, const struct device *d)
{
	const cl_uint i = context_device_index(c, d);
	struct queue *q;
	uint64_t id;

	call_lock();
	id = c->default_queue[i];
	call_unlock();
	q = (struct queue *)object_find(id, OBJ_QUEUE);
	if (q != NULL && atomic_load(&q->o.refs) == 0) {
		object_unuse(q);
		q = NULL;
	}
	return q;
}

void
queue_default_set(const struct queue *q)
{
	call_lock();
	q->context->default_queue[context_device_index(q->context,
	    q->device)] = q->o.id;
	call_unlock();
}

cl_int
icd_clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
    cl_command_queue command_queue)
{
	struct context *c = context_check(context);
	struct device *d = device_check(device);
	struct queue *q = (struct queue *)object_check(command_queue,
	    OBJ_QUEUE);
	struct msg_clSetDefaultDeviceCommandQueue m;
	cl_int code;

	if (c == NULL)
		return CL_INVALID_CONTEXT;
	if (d == NULL || !context_has_device(c, d))
		return CL_INVALID_DEVICE;
	if (device_u64(d, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) == 0)
		return CL_INVALID_OPERATION;
	if (q == NULL || !q->on_device || q->context != c || q->device != d)
		return CL_INVALID_COMMAND_QUEUE;
	m.context.id = c->o.id;
	m.device.id = d->o.id;
	m.command_queue.id = q->o.id;
	code = call_async(&desc_clSetDefaultDeviceCommandQueue, &m, 0);
	if (code == CL_SUCCESS)
		queue_default_set(q);
	return code;
}
