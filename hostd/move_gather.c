/* SPDX-License-Identifier: ISC */
/*
 * move_gather - the objects of a context: those that the client knows, and
 * those that it has released and others of them still need.
 */
#include "hostd/move_private.h"

#include <stdlib.h>

#include "hostd/calls.h"
#include "hostd/exec_mem.h"
#include "hostd/exec_program.h"
#include "hostd/exec_svm.h"
#include "hostd/idtab.h"
#include "hostd/kernel_arg.h"
#include "hostd/remake.h"
#include "hostd/replay.h"
#include "hostd/shared.h"

/* Samplers do not refer to their context, whose id never comes again. */
static struct vcontext *
context_of_sampler(const struct serve *s, const struct vobj *o)
{
	struct msg_clCreateSamplerWithProperties m;

	return recipe_decode(o, &desc_clCreateSamplerWithProperties, &m) ?
	    idtab_get(s->objects, m.context.id, OBJ_CONTEXT) : NULL;
}

struct vcontext *
move_context_of(const struct serve *s, struct vobj *o)
{
	/* Of what failed there may be no more than its head. */
	if (o->fini == NULL)
		return NULL;
	switch (o->kind) {
	case OBJ_CONTEXT:
		return (struct vcontext *)o;
	case OBJ_QUEUE:
		return ((struct vqueue *)o)->context;
	case OBJ_MEM:
		return ((struct vmem *)o)->context;
	case OBJ_PROGRAM:
		return ((struct vprogram *)o)->context;
	case OBJ_KERNEL:
		return ((struct vkernel *)o)->program->context;
	case OBJ_EVENT:
		return ((struct vevent *)o)->context;
	case OBJ_SAMPLER:
		return context_of_sampler(s, o);
	case OBJ_COMMAND_BUFFER:
		return ((struct vcommands *)o)->queue->context;
	default:
		return NULL;
	}
}

static bool
is_of(const struct attempt *a, struct vobj *o)
{
	struct msg_clCreateSamplerWithProperties m;

	if (o->kind == OBJ_SAMPLER && o->fini != NULL)
		return recipe_decode(o, &desc_clCreateSamplerWithProperties,
		    &m) && m.context.id == a->context->o.id;
	return move_context_of(a->serve, o) == a->context;
}

static bool
make_room(struct attempt *a)
{
	size_t room = a->room > 0 ? a->room * 2 : 64;
	struct vobj **p;

	if (a->count < a->room)
		return true;
	if ((p = realloc(a->object, room * sizeof(struct vobj *))) == NULL)
		return false;
	a->object = p;
	a->room = room;
	return true;
}

static void gather(void *attempt, void *object);

static void
gather_needed(struct attempt *a, struct vobj *o)
{
	const struct vkernel *k;
	const struct vcommands *v;
	unsigned i;

	switch (o->kind) {
	case OBJ_MEM:
		gather(a, ((struct vmem *)o)->parent);
		break;
	case OBJ_KERNEL:
		k = (const struct vkernel *)o;
		gather(a, k->program);
		for (i = 0; i < k->arg_count; i++)
			gather(a, k->arg[i].object);
		break;
	case OBJ_EVENT:
		gather(a, ((struct vevent *)o)->queue);
		break;
	case OBJ_COMMAND_BUFFER:
		v = (const struct vcommands *)o;
		gather(a, v->queue);
		recorded_each(v, gather, a);
		break;
	default:
		break;
	}
}

static void
gather(void *attempt, void *object)
{
	struct attempt *a = attempt;
	struct vobj *o = object;

	if (o == NULL || o->gathered || !is_of(a, o))
		return;
	if (!make_room(a)) {
		a->failed = true;
		return;
	}
	o->gathered = true;
	a->object[a->count++] = object_ref(o);
	gather_needed(a, o);
}

void
move_gather(struct attempt *a)
{
	idtab_each(a->serve->objects, gather, a);
}

void
move_ungather(struct attempt *a)
{
	size_t i;

	for (i = 0; i < a->count; i++) {
		a->object[i]->gathered = false;
		object_unref(a->object[i]);
	}
	free(a->object);
	a->object = NULL;
	a->count = a->room = 0;
}

/* ---- what can't be made again ------------------------------------------ */

static const char *
mem_obstacle(const struct attempt *a, const struct vmem *m)
{
	struct msg_clCreateBufferWithProperties b;

	if (m->o.recipe->number == MSG_clCreatePipe)
		return "it has a pipe, whose content can't be copied";
	if (recipe_decode(&m->o, &desc_clCreateBufferWithProperties, &b) &&
	    b.svm != 0)
		return "it has a buffer in shared virtual memory";
	if (m->placed && !shared_possible(a->serve, a->to))
		return "it has a buffer in memory that the client shares, "
		    "which the other device can't use";
	return NULL;
}

static const char *
queue_obstacle(const struct vqueue *q)
{
	struct msg_clCreateCommandQueueWithProperties m;
	const uint64_t *p;
	uint64_t i;

	if (!recipe_decode(&q->o, &desc_clCreateCommandQueueWithProperties,
	    &m))
		return "it has a queue of unknown origin";
	for (i = 0, p = m.property_list.p; i + 1 < m.property_list.n; i += 2)
		if (p[i] == CL_QUEUE_PROPERTIES &&
		    (p[i + 1] & CL_QUEUE_ON_DEVICE))
			return "it has a queue on the device";
	return NULL;
}

bool
move_is_alike(const struct attempt *a)
{
	return view_same_class(a->from->pool, a->to->pool);
}

static const char *
program_obstacle(const struct attempt *a, const struct vprogram *p)
{
	return program_is_for_class(p) && !move_is_alike(a) ?
	    "it has a program of a binary, or a linked one, which only "
	    "devices of its class take" : NULL;
}

static const char *
object_obstacle(const struct attempt *a, const struct vobj *o)
{
	if (o->error != CL_SUCCESS)
		return NULL;
	switch (o->kind) {
	case OBJ_MEM:
		return mem_obstacle(a, (const struct vmem *)o);
	case OBJ_QUEUE:
		return queue_obstacle((const struct vqueue *)o);
	case OBJ_PROGRAM:
		return program_obstacle(a, (const struct vprogram *)o);
	default:
		return NULL;
	}
}

const char *
move_delay(const struct attempt *a)
{
	const struct vevent *e;
	size_t i;

	for (i = 0; i < a->count; i++) {
		e = (const struct vevent *)a->object[i];
		if (e->o.kind == OBJ_PROGRAM &&
		    ((const struct vprogram *)a->object[i])->busy)
			return "a program of it is being built";
		if (e->o.kind == OBJ_EVENT && e->unset && e->awaited)
			return "a command of it waits for a user event";
	}
	return NULL;
}

const char *
move_obstacle(const struct attempt *a)
{
	const char *why = NULL;
	size_t i;

	if (a->failed)
		return "there is no memory to look at it";
	if (allocation_is_any(a->context))
		return "it has shared virtual memory, whose addresses the "
		    "other device can't have";
	for (i = 0; i < a->count && why == NULL; i++)
		why = object_obstacle(a, a->object[i]);
	return why;
}
