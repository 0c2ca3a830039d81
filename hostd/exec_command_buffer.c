/* SPDX-License-Identifier: ISC */
/*
 * exec_command_buffer - recording commands, changing and replaying them.
 */
#include "hostd/calls.h"

#include <stdlib.h>
#include <string.h>

#include "hostd/command.h"
#include "hostd/dispatch.h"
#include "hostd/kernel_arg.h"
#include "hostd/idtab.h"
#include "hostd/replay.h"

/* Commands of one buffer, and sync-points of one command. */
#define COMMANDS_MAX (1u << 20)
#define SYNC_POINTS_MAX 65536

/* What may be recorded: commands without bodies. */
static bool
is_recordable(unsigned number)
{
	switch (number) {
	case MSG_clEnqueueBarrierWithWaitList:
	case MSG_clEnqueueCopyBuffer:
	case MSG_clEnqueueCopyBufferRect:
	case MSG_clEnqueueCopyBufferToImage:
	case MSG_clEnqueueCopyImage:
	case MSG_clEnqueueCopyImageToBuffer:
	case MSG_clEnqueueFillBuffer:
	case MSG_clEnqueueFillImage:
	case MSG_clEnqueueNDRangeKernel:
	case MSG_clEnqueueSVMMemcpy:
	case MSG_clEnqueueSVMMemFill:
		return true;
	default:
		return false;
	}
}

/* ---- recorded commands ------------------------------------------------- */

/* Fields that name objects of the command; the first one names its queue. */
static union ref *
object_field(const struct recorded *one, unsigned i)
{
	const struct field *f = &one->message->fields[i];

	if (i == 0 || f->kind != FIELD_ID || (f->flags & FIELD_NEW))
		return NULL;
	return (void *)((uint8_t *)one->msg + f->offset);
}

static void
recorded_free(struct recorded *one, unsigned resolved)
{
	union ref *ref;
	unsigned i;

	for (i = 0; i < resolved; i++)
		if ((ref = object_field(one, i)) != NULL)
			object_unref(ref->obj);
	free(one->msg);
	free(one->body);
	free(one->wait);
	free(one);
}

void
recorded_each(const struct vcommands *v, void (*fn)(void *arg, void *obj),
    void *arg)
{
	union ref *ref;
	unsigned i, k;

	for (i = 0; i < v->count; i++)
		for (k = 0; k < v->list[i]->message->field_count; k++)
			if ((ref = object_field(v->list[i], k)) != NULL)
				fn(arg, ref->obj);
}

static void
vcommands_fini(struct vobj *o)
{
	struct vcommands *v = (struct vcommands *)o;
	unsigned i;

	for (i = 0; i < v->count; i++)
		recorded_free(v->list[i], v->list[i]->message->field_count);
	free(v->list);
	object_unref(v->queue);
}

void
exec_clCreateCommandBufferKHR(struct serve *s, struct call *call,
    struct msg_clCreateCommandBufferKHR *m)
{
	struct vcommands *v;

	if (m->queues.n != 1) {
		serve_fail(s, VGPU_EPROTO, "a command buffer for %llu queues",
		    (unsigned long long)m->queues.n);
		return;
	}
	v = object_new(s, call, OBJ_COMMAND_BUFFER, m->id.id, sizeof(*v),
	    vcommands_fini);
	if (v != NULL)
		v->queue = object_ref(span_objects(&m->queues)[0]);
}

/* ---- recording --------------------------------------------------------- */

static struct recorded *
recorded_new(const struct message *m, const struct msg_command_record *from)
{
	struct recorded *one = calloc(1, sizeof(*one));

	if (one == NULL)
		return NULL;
	one->message = m;
	one->msg = calloc(1, m->size);
	one->body = malloc(from->body.n + 1);
	one->wait = malloc((from->sync_points.n + 1) * sizeof(*one->wait));
	if (one->msg == NULL || one->body == NULL || one->wait == NULL) {
		recorded_free(one, 0);
		return NULL;
	}
	memcpy(one->body, from->body.p, from->body.n);
	one->wait_count = (unsigned)from->sync_points.n;
	memcpy(one->wait, from->sync_points.p,
	    one->wait_count * sizeof(*one->wait));
	return one;
}

/* A body or an event in a recorded command: nothing is to wait for it. */
static bool
has_more(const struct recorded *one)
{
	const struct message *m = one->message;
	const uint8_t *at;
	unsigned i;

	for (i = 1; i < m->field_count; i++) {
		at = (const uint8_t *)one->msg + m->fields[i].offset;
		if (m->fields[i].kind == FIELD_IDS &&
		    ((const struct span *)(const void *)at)->n > 0)
			return true;
		if ((m->fields[i].flags & FIELD_NEW) &&
		    ((const union ref *)(const void *)at)->id != 0)
			return true;
	}
	if (m->number == MSG_clEnqueueSVMMemcpy) {
		const struct msg_clEnqueueSVMMemcpy *copy =
		    (const void *)one->msg;

		return copy->data.n > 0 || copy->transfer != 0 ||
		    copy->dst == 0 || copy->src == 0;
	}
	return false;
}

/* Turn ids into objects; *n fields are done.  An object's error goes to v. */
static bool
resolve(struct serve *s, struct vcommands *v, struct recorded *one,
    unsigned *n)
{
	const struct field *f;
	struct vobj *o;
	union ref *ref;

	for (*n = 0; *n < one->message->field_count; ++*n) {
		f = &one->message->fields[*n];
		if ((ref = object_field(one, *n)) == NULL)
			continue;
		o = idtab_get(s->objects, ref->id, f->object);
		if (o == NULL) {
			serve_fail(s, VGPU_EPROTO, "%s: %s names no such"
			    " object", one->message->name, f->name);
			return false;
		}
		if (o->error != CL_SUCCESS)
			v->o.error = o->error;
		ref->obj = object_ref(o);
	}
	return true;
}

/* A launch's arguments are the kernel's from now on. */
static bool
take_args(struct serve *s, const struct vcommands *v, struct recorded *one)
{
	struct msg_clEnqueueNDRangeKernel *m = (void *)one->msg;

	if (one->message->number != MSG_clEnqueueNDRangeKernel ||
	    v->o.error != CL_SUCCESS)
		return true;
	if (!kernel_record_args(s, m->kernel.obj, v->queue->member, m->args))
		return false;
	m->args.n = 0;
	return true;
}

static bool
sync_points_ok(const struct vcommands *v, const struct span *list)
{
	const uint64_t *p = list->p;
	uint64_t i;

	if (list->n > SYNC_POINTS_MAX || list->n > v->count)
		return false;
	for (i = 0; i < list->n; i++)
		if (p[i] == 0 || p[i] > v->count)
			return false;
	return true;
}

static bool
make_room(struct vcommands *v)
{
	unsigned room = v->room > 0 ? v->room * 2 : 16;
	struct recorded **list;

	if (v->count < v->room)
		return true;
	if (room > COMMANDS_MAX || (list = realloc(v->list,
	    room * sizeof(struct recorded *))) == NULL)
		return false;
	v->list = list;
	v->room = room;
	return true;
}

static bool
record(struct serve *s, struct vcommands *v, struct recorded *one,
    const struct msg_command_record *m, unsigned *resolved)
{
	const struct message *kind = one->message;
	struct err_text text;

	if (codec_decode(one->body, m->body.n, kind->fields,
	    kind->field_count, one->msg, &text) != VGPU_OK) {
		serve_fail(s, VGPU_EPROTO, "recorded %s: %s", kind->name,
		    text.s);
		return false;
	}
	if (has_more(one)) {
		serve_fail(s, VGPU_EPROTO, "recorded %s with a body or events",
		    kind->name);
		return false;
	}
	return resolve(s, v, one, resolved) && take_args(s, v, one);
}

void
exec_command_record(struct serve *s, struct call *call,
    struct msg_command_record *m)
{
	struct vcommands *v = m->command_buffer.obj;
	const struct message *kind = message_find((unsigned)m->number);
	struct recorded *one;
	unsigned resolved = 0;

	if (kind == NULL || !is_recordable((unsigned)m->number) ||
	    !sync_points_ok(v, &m->sync_points)) {
		serve_fail(s, VGPU_EPROTO, "message %llu can't be recorded",
		    (unsigned long long)m->number);
		return;
	}
	if (!make_room(v) || (one = recorded_new(kind, m)) == NULL) {
		v->o.error = CL_OUT_OF_HOST_MEMORY;
		call_fail(s, call, v->o.error, NULL);
		return;
	}
	if (record(s, v, one, m, &resolved))
		v->list[v->count++] = one;
	else
		recorded_free(one, resolved);
}

/* ---- updating ---------------------------------------------------------- */

static bool
sizes_ok(const struct span *list, uint64_t dim)
{
	return list->n == 0 || list->n == dim;
}

static void
take_sizes(uint64_t to[3], struct span *now, const struct span *list)
{
	if (list->n == 0)
		return;
	memcpy(to, list->p, list->n * sizeof(*to));
	*now = (struct span){ to, list->n };
}

void
exec_command_update(struct serve *s, struct call *call,
    struct msg_command_update *m)
{
	struct vcommands *v = m->command_buffer.obj;
	struct msg_clEnqueueNDRangeKernel *launch;
	struct recorded *one;

	(void)call;
	one = m->command == 0 || m->command > v->count ? NULL :
	    v->list[m->command - 1];
	launch = one == NULL ? NULL : (void *)one->msg;
	if (one == NULL ||
	    one->message->number != MSG_clEnqueueNDRangeKernel ||
	    launch->work_dim > 3 ||
	    !sizes_ok(&m->global_work_offset, launch->work_dim) ||
	    !sizes_ok(&m->global_work_size, launch->work_dim) ||
	    !sizes_ok(&m->local_work_size, launch->work_dim)) {
		serve_fail(s, VGPU_EPROTO, "update of what is no launch");
		return;
	}
	if (!kernel_record_args(s, launch->kernel.obj, v->queue->member,
	    m->args))
		return;
	take_sizes(one->sizes[0], &launch->global_work_offset,
	    &m->global_work_offset);
	take_sizes(one->sizes[1], &launch->global_work_size,
	    &m->global_work_size);
	take_sizes(one->sizes[2], &launch->local_work_size,
	    &m->local_work_size);
}

/* ---- replaying --------------------------------------------------------- */

void
exec_clEnqueueCommandBufferKHR(struct serve *s, struct call *call,
    struct msg_clEnqueueCommandBufferKHR *m)
{
	const struct vcommands *v = m->command_buffer.obj;
	struct vqueue *q = m->command_queue.obj;
	struct command c;
	cl_int code;

	if (q->context != v->queue->context)
		call_fail(s, call, CL_INVALID_CONTEXT, NULL);
	else if (q->device != v->queue->device)
		call_fail(s, call, CL_INVALID_DEVICE, NULL);
	else if (command_open(&c, s, call, q, &m->event_wait_list,
	    &m->event)) {
		code = replay_run(&c, v);
		/* What was enqueued before an error runs, too. */
		dispatch_note_queue(q);
		command_close(&c, code);
	}
}
