/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/command_buffer.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/mutable.h"
#include "icd-vgpu/platform.h"
#include "icd-vgpu/command.h"
#include "icd-vgpu/usm.h"

cl_int
property_list_take(const cl_ulong *list, const cl_ulong *known,
    unsigned count, cl_ulong *value, cl_ulong **copy, size_t *n)
{
	bool given[8] = { false };
	size_t at;
	unsigned i;

	if (list == NULL)
		return CL_SUCCESS;
	for (at = 0; list[at] != 0; at += 2) {
		for (i = 0; i < count && known[i] != list[at]; i++)
			continue;
		if (i == count || given[i])
			return CL_INVALID_VALUE;
		given[i] = true;
		value[i] = list[at + 1];
	}
	if ((*copy = malloc((at + 1) * sizeof(*list))) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	memcpy(*copy, list, (at + 1) * sizeof(*list));
	*n = at + 1;
	return CL_SUCCESS;
}

/* ---- creation ---------------------------------------------------------- */

static void
command_buffer_fini(struct object *o)
{
	struct command_buffer *b = (struct command_buffer *)o;

	mutable_drop_all(&b->launches);
	pthread_mutex_destroy(&b->lock);
	free(b->property);
	object_unuse(b->recorder);
	object_unuse(b->queue);
}

static struct command_buffer *
command_buffer_new(struct queue *q)
{
	struct command_buffer *b = object_new(OBJ_COMMAND_BUFFER, sizeof(*b),
	    command_buffer_fini);

	if (b == NULL)
		return NULL;
	pthread_mutex_init(&b->lock, NULL);
	TAILQ_INIT(&b->launches);
	b->queue = object_use(q);
	b->recorder = queue_recorder(q, b);
	if (b->recorder != NULL)
		return b;
	b->o.local = true;
	object_unuse(b);
	return NULL;
}

static cl_int
take_properties(struct command_buffer *b, const cl_ulong *list)
{
	static const cl_ulong known[] = { CL_COMMAND_BUFFER_FLAGS_KHR,
		CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR };
	cl_ulong value[2] = { 0 };
	cl_int code = property_list_take(list, known, 2, value, &b->property,
	    &b->property_count);

	if (code != CL_SUCCESS)
		return code;
	b->flags = value[0];
	b->asserts = value[1];
	if ((b->flags & ~(cl_bitfield)(CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR |
	    CL_COMMAND_BUFFER_MUTABLE_KHR)) || (b->asserts &
	    ~(cl_bitfield)CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR))
		return CL_INVALID_VALUE;
	return CL_SUCCESS;
}

static cl_int
send_creation(const struct command_buffer *b)
{
	const struct msg_clCreateCommandBufferKHR m = {
		.queues = { &b->queue->o.id, 1 },
		.id.id = b->o.id,
	};

	return call_async(&desc_clCreateCommandBufferKHR, &m, 0);
}

struct _cl_command_buffer_khr *
icd_clCreateCommandBufferKHR(cl_uint num_queues,
    const cl_command_queue *queues, const cl_ulong *properties,
    cl_int *errcode_ret)
{
	struct command_buffer *b = NULL;
	struct queue *q = NULL;
	cl_int code;

	if (num_queues == 1 && queues != NULL)
		q = (struct queue *)object_check(queues[0], OBJ_QUEUE);
	if (num_queues != 1 || queues == NULL)
		code = CL_INVALID_VALUE;
	else if (q == NULL || q->on_device)
		code = CL_INVALID_COMMAND_QUEUE;
	else if ((b = command_buffer_new(q)) == NULL)
		code = CL_OUT_OF_HOST_MEMORY;
	else if ((code = take_properties(b, properties)) != CL_SUCCESS ||
	    (code = send_creation(b)) != CL_SUCCESS) {
		b->o.local = true;
		object_unuse(b);
		b = NULL;
	}
	if (errcode_ret != NULL)
		*errcode_ret = code;
	return (void *)b;
}

/* ---- recording --------------------------------------------------------- */

cl_int
command_buffer_take(struct command_buffer *b, const struct message *m,
    const void *msg)
{
	struct msg_command_record r = {
		.command_buffer.id = b->o.id,
		.number = m->number,
		.sync_points = b->sync,
	};
	struct buf body;
	cl_int code = CL_OUT_OF_HOST_MEMORY;

	buf_init(&body);
	codec_encode(&body, m->fields, m->field_count, msg);
	if (!body.failed) {
		r.body = (struct span){ buf_front(&body), buf_len(&body) };
		code = call_async(&desc_command_record, &r, 0);
	}
	buf_fini(&body);
	return code;
}

cl_int
icd_clFinalizeCommandBufferKHR(struct _cl_command_buffer_khr *command_buffer)
{
	struct command_buffer *b = command_buffer_check(command_buffer);
	cl_int code = CL_SUCCESS;

	if (b == NULL)
		return CL_INVALID_COMMAND_BUFFER_KHR;
	pthread_mutex_lock(&b->lock);
	if (b->finalized)
		code = CL_INVALID_OPERATION;
	b->finalized = true;
	pthread_mutex_unlock(&b->lock);
	return code;
}

/* ---- replaying --------------------------------------------------------- */

static bool
is_executable(struct command_buffer *b)
{
	bool yes;

	pthread_mutex_lock(&b->lock);
	yes = b->finalized && b->incomplete == 0;
	pthread_mutex_unlock(&b->lock);
	return yes;
}

/* May this queue take the place of the buffer's own? */
static cl_int
check_queue(const struct command_buffer *b, const struct queue *q)
{
	const struct device *d = b->queue->device;
	cl_command_queue_properties able, required;

	if (q == NULL || q->on_device)
		return CL_INVALID_COMMAND_QUEUE;
	if (q->context != b->queue->context)
		return CL_INVALID_CONTEXT;
	if (q->device != d)
		return CL_INVALID_DEVICE;
	able = device_u64(d,
	    CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR);
	required = device_u64(d,
	    CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR);
	return (q->properties & ~able) || (required & ~q->properties) ?
	    CL_INCOMPATIBLE_COMMAND_QUEUE_KHR : CL_SUCCESS;
}

static cl_int
choose_queue(struct command_buffer *b, cl_uint n,
    const cl_command_queue *queues, struct queue **q)
{
	if ((n == 0) != (queues == NULL) || n > 1)
		return CL_INVALID_VALUE;
	*q = n == 0 ? b->queue : (struct queue *)object_check(queues[0],
	    OBJ_QUEUE);
	return check_queue(b, *q);
}

cl_int
icd_clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues,
    struct _cl_command_buffer_khr *command_buffer, cl_uint n,
    const cl_event *list, cl_event *event)
{
	struct command_buffer *b = command_buffer_check(command_buffer);
	struct msg_clEnqueueCommandBufferKHR m;
	/* Its commands may touch any memory that program and host share. */
	const struct usm_set touched = { .kinds = USM_HOST | USM_SHARED };
	struct command_options o = { .type = CL_COMMAND_COMMAND_BUFFER_KHR,
		.need_event = usm_exists() };
	struct queue *q;
	struct command c;
	cl_int code;

	if (b == NULL)
		return CL_INVALID_COMMAND_BUFFER_KHR;
	if (!is_executable(b))
		return CL_INVALID_OPERATION;
	if ((code = choose_queue(b, num_queues, queues, &q)) != CL_SUCCESS ||
	    (code = command_open(&c, (cl_command_queue)(void *)q, &o, n, list,
	    event)) != CL_SUCCESS)
		return code;
	c.usm = o.need_event ? &touched : NULL;
	m.command_queue.id = q->o.id;
	m.command_buffer.id = b->o.id;
	m.event_wait_list = c.list;
	m.event = c.event_id;
	return command_send(&c, &desc_clEnqueueCommandBufferKHR, &m, NULL);
}

/* ---- queries ----------------------------------------------------------- */

static cl_uint
state(struct command_buffer *b)
{
	cl_uint now;

	pthread_mutex_lock(&b->lock);
	now = !b->finalized ? CL_COMMAND_BUFFER_STATE_RECORDING_KHR :
	    b->incomplete > 0 ? CL_COMMAND_BUFFER_STATE_FINALIZED_KHR :
	    CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR;
	pthread_mutex_unlock(&b->lock);
	return now;
}

cl_int
query_command_buffer(struct object *o, cl_uint param, struct info_out *out)
{
	struct command_buffer *b = (struct command_buffer *)o;

	switch (param) {
	case CL_COMMAND_BUFFER_QUEUES_KHR:
		return INFO_VALUE(out, cl_command_queue, (void *)b->queue);
	case CL_COMMAND_BUFFER_NUM_QUEUES_KHR:
		return INFO_VALUE(out, cl_uint, 1);
	case CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR:
		return INFO_VALUE(out, cl_uint, atomic_load(&o->refs));
	case CL_COMMAND_BUFFER_STATE_KHR:
		return INFO_VALUE(out, cl_uint, state(b));
	case CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR:
		return info_bytes(out, b->property,
		    b->property_count * sizeof(*b->property));
	case CL_COMMAND_BUFFER_CONTEXT_KHR:
		return INFO_VALUE(out, cl_context,
		    (void *)b->queue->context);
	default:
		return CL_INVALID_VALUE;
	}
}
