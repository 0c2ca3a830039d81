/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/queue.h"

#include <CL/cl_ext.h>
#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/callback.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/platform.h"
#include "icd-vgpu/transfer.h"
#include "icd-vgpu/usm.h"

/* ---- creation ---------------------------------------------------------- */

static void
queue_fini(struct object *o)
{
	struct queue *q = (struct queue *)o;

	pthread_mutex_destroy(&q->lock);
	free(q->list);
	object_unuse(q->context);
	object_unuse(q->device);
}

/* One of three levels, if the device knows such hints at all. */
static cl_int
take_hint(const struct queue *q, const char *extension,
    cl_queue_properties value, cl_queue_properties *to)
{
	if (!device_has_extension(q->device, extension) ||
	    (value != CL_QUEUE_PRIORITY_HIGH_KHR &&
	    value != CL_QUEUE_PRIORITY_MED_KHR &&
	    value != CL_QUEUE_PRIORITY_LOW_KHR))
		return CL_INVALID_VALUE;
	*to = value;
	return CL_SUCCESS;
}

static cl_int
take_property(struct queue *q, const cl_queue_properties *p)
{
	switch (p[0]) {
	case CL_QUEUE_PROPERTIES:
		q->properties = p[1];
		return CL_SUCCESS;
	case CL_QUEUE_SIZE:
		q->size = p[1];
		return CL_SUCCESS;
	case CL_QUEUE_PRIORITY_KHR:
		return take_hint(q, "cl_khr_priority_hints", p[1],
		    &q->priority);
	case CL_QUEUE_THROTTLE_KHR:
		return take_hint(q, "cl_khr_throttle_hints", p[1],
		    &q->throttle);
	default:
		return CL_INVALID_VALUE;
	}
}

/* The pairs of a property list into q; CL_INVALID_VALUE for unknown ones. */
static cl_int
take_properties(struct queue *q, const cl_queue_properties *p)
{
	size_t n = 0;
	cl_int code;

	for (; p != NULL && p[n] != 0; n += 2)
		if ((code = take_property(q, p + n)) != CL_SUCCESS)
			return code;
	if (p == NULL)
		return CL_SUCCESS;
	q->list_count = n + 1;
	q->list = malloc((n + 1) * sizeof(*p));
	if (q->list == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	memcpy(q->list, p, (n + 1) * sizeof(*p));
	return CL_SUCCESS;
}

/* OpenCL 3.0, 5.1: which properties go together, and what the device has. */
static cl_int
check_properties(const struct queue *q)
{
	const cl_command_queue_properties known =
	    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE |
	    CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
	cl_command_queue_properties p = q->properties, has;

	if (p & ~known)
		return CL_INVALID_VALUE;
	if ((p & CL_QUEUE_ON_DEVICE) &&
	    !(p & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
		return CL_INVALID_VALUE;
	if ((p & CL_QUEUE_ON_DEVICE_DEFAULT) && !(p & CL_QUEUE_ON_DEVICE))
		return CL_INVALID_VALUE;
	if (q->size != 0 && !(p & CL_QUEUE_ON_DEVICE))
		return CL_INVALID_VALUE;
	if ((q->priority | q->throttle) != 0 && (p & CL_QUEUE_ON_DEVICE))
		return CL_INVALID_QUEUE_PROPERTIES;
	has = device_u64(q->device, p & CL_QUEUE_ON_DEVICE ?
	    CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES :
	    CL_DEVICE_QUEUE_ON_HOST_PROPERTIES);
	if (p & ~(has | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT))
		return CL_INVALID_QUEUE_PROPERTIES;
	if ((p & CL_QUEUE_ON_DEVICE) &&
	    (has == 0 || q->size > device_u64(q->device,
	    CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE)))
		return CL_INVALID_QUEUE_PROPERTIES;
	return CL_SUCCESS;
}

static cl_int
queue_send(const struct queue *q)
{
	const uint64_t pairs[][2] = {
		{ CL_QUEUE_PROPERTIES, q->properties },
		{ CL_QUEUE_SIZE, q->size },
		{ CL_QUEUE_PRIORITY_KHR, q->priority },
		{ CL_QUEUE_THROTTLE_KHR, q->throttle },
	};
	uint64_t list[sizeof(pairs) / sizeof(uint64_t)];
	struct msg_clCreateCommandQueueWithProperties m = {
		.context.id = q->context->o.id,
		.device.id = q->device->o.id,
		.id.id = q->o.id,
	};
	size_t i, n = 0;

	/* The first is for vendors who take no empty list. */
	for (i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (i > 0 && pairs[i][1] == 0)
			continue;
		list[n++] = pairs[i][0];
		list[n++] = pairs[i][1];
	}
	m.property_list = (struct span){ list, n };

	return call_async(&desc_clCreateCommandQueueWithProperties, &m, 0);
}

static cl_int
queue_open(struct queue *q, const cl_queue_properties *properties)
{
	cl_int code;

	if ((code = take_properties(q, properties)) != CL_SUCCESS ||
	    (code = check_properties(q)) != CL_SUCCESS)
		return code;
	q->in_order = !(q->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
	q->on_device = (q->properties & CL_QUEUE_ON_DEVICE) != 0;
	return CL_SUCCESS;
}

/* A device has one default queue, which is handed out again (5.1). */
static struct queue *
queue_start(struct queue *q, cl_int *code)
{
	const bool is_default =
	    (q->properties & CL_QUEUE_ON_DEVICE_DEFAULT) != 0;
	struct queue *old = NULL;

	if (*code == CL_SUCCESS && is_default)
		old = queue_default_find(q->context, q->device);
	if (old != NULL)
		atomic_fetch_add(&old->o.refs, 1);
	else if (*code == CL_SUCCESS)
		*code = queue_send(q);
	if (*code != CL_SUCCESS || old != NULL) {
		q->o.local = true;
		object_unuse(q);
		return old;
	}
	if (is_default)
		queue_default_set(q);
	return q;
}

static struct queue *
queue_new(struct context *c, struct device *d)
{
	struct queue *q = object_new(OBJ_QUEUE, sizeof(*q), queue_fini);

	if (q == NULL)
		return NULL;
	pthread_mutex_init(&q->lock, NULL);
	LIST_INIT(&q->direct);
	q->context = object_use(c);
	q->device = object_use(d);
	return q;
}

struct queue *
queue_recorder(struct queue *like, struct command_buffer *buffer)
{
	struct queue *q = queue_new(like->context, like->device);

	if (q == NULL)
		return NULL;
	q->o.local = true;
	q->properties = like->properties;
	q->in_order = like->in_order;
	q->records = buffer;
	return q;
}

cl_command_queue
icd_clCreateCommandQueueWithProperties(cl_context context,
    cl_device_id device, const cl_queue_properties *properties,
    cl_int *errcode_ret)
{
	struct context *c = context_check(context);
	struct device *d = device_check(device);
	struct queue *q = NULL;
	cl_int code;

	if (c == NULL)
		code = CL_INVALID_CONTEXT;
	else if (d == NULL || !context_has_device(c, d))
		code = CL_INVALID_DEVICE;
	else if ((q = queue_new(c, d)) == NULL)
		code = CL_OUT_OF_HOST_MEMORY;
	else {
		code = queue_open(q, properties);
		q = queue_start(q, &code);
	}
	if (errcode_ret != NULL)
		*errcode_ret = code;
	return (cl_command_queue)(void *)q;
}

cl_command_queue
icd_clCreateCommandQueue(cl_context context, cl_device_id device,
    cl_command_queue_properties properties, cl_int *errcode_ret)
{
	const cl_queue_properties list[] = { CL_QUEUE_PROPERTIES, properties,
		0 };
	const cl_command_queue_properties known =
	    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
	cl_command_queue queue;
	struct queue *q;

	if (context_check(context) != NULL && device_check(device) != NULL &&
	    (properties & ~known)) {
		if (errcode_ret != NULL)
			*errcode_ret = CL_INVALID_VALUE;
		return NULL;
	}
	queue = icd_clCreateCommandQueueWithProperties(context, device, list,
	    errcode_ret);
	/* No list was given here, so none is told (5.1, table of queries). */
	if ((q = (struct queue *)(void *)queue) != NULL)
		q->list_count = 0;
	return queue;
}

/* ---- flush and finish -------------------------------------------------- */

cl_int
icd_clFlush(cl_command_queue command_queue)
{
	struct queue *q = (struct queue *)object_check(command_queue,
	    OBJ_QUEUE);
	struct msg_clFlush m;
	cl_int code;

	if (q == NULL || q->on_device)
		return CL_INVALID_COMMAND_QUEUE;
	m.command_queue.id = q->o.id;
	code = call_async(&desc_clFlush, &m, 0);
	call_flush();
	return code;
}

struct landing {
	struct queue *queue;
	uint64_t serial;
};

static bool
all_landed(void *arg)
{
	const struct landing *l = arg;

	return !transfer_missing(l->queue, l->serial + 1, true);
}

cl_int
icd_clFinish(cl_command_queue command_queue)
{
	struct queue *q = (struct queue *)object_check(command_queue,
	    OBJ_QUEUE);
	struct msg_clFinish m;
	struct landing landing;
	cl_int code;

	if (q == NULL || q->on_device)
		return CL_INVALID_COMMAND_QUEUE;
	m.command_queue.id = q->o.id;
	pthread_mutex_lock(&q->lock);
	landing = (struct landing){ q, q->serial };
	pthread_mutex_unlock(&q->lock);
	code = call_status(&desc_clFinish, &m, 0);
	if (code != CL_SUCCESS)
		return code;
	call_lock();
	if (landing.serial > q->completed)
		q->completed = landing.serial;
	call_unlock();
	code = call_wait(all_landed, &landing);
	usm_settle();
	event_fire_all();
	callback_settle(CALLBACK_SETTLE_MS);
	return code;
}

/* ---- queries ----------------------------------------------------------- */

static cl_int
give_default(const struct queue *q, struct info_out *out)
{
	struct queue *d = queue_default_find(q->context, q->device);
	cl_int code = INFO_VALUE(out, cl_command_queue, (void *)d);

	object_unuse(d);
	return code;
}

cl_int
query_command_queue(struct object *o, cl_uint param, struct info_out *out)
{
	struct queue *q = (struct queue *)o;

	switch (param) {
	case CL_QUEUE_CONTEXT:
		return INFO_VALUE(out, cl_context, (void *)q->context);
	case CL_QUEUE_DEVICE:
		return INFO_VALUE(out, cl_device_id, (void *)q->device);
	case CL_QUEUE_REFERENCE_COUNT:
		return INFO_VALUE(out, cl_uint, atomic_load(&o->refs));
	case CL_QUEUE_PROPERTIES:
		return INFO_VALUE(out, cl_command_queue_properties,
		    q->properties);
	case CL_QUEUE_PROPERTIES_ARRAY:
		return info_bytes(out, q->list,
		    q->list_count * sizeof(*q->list));
	case CL_QUEUE_SIZE:
		if (!q->on_device)
			return CL_INVALID_COMMAND_QUEUE;
		return INFO_VALUE(out, cl_uint, (cl_uint)(q->size != 0 ?
		    q->size : device_u64(q->device,
		    CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE)));
	case CL_QUEUE_DEVICE_DEFAULT:
		return give_default(q, out);
	default:
		return CL_INVALID_VALUE;
	}
}
