/* SPDX-License-Identifier: ISC */
/*
 * move_swap - what was made anew takes the place of what was.
 */
#include "hostd/move_private.h"

#include "hostd/completion.h"
#include "hostd/exec_mem.h"
#include "hostd/exec_program.h"
#include "hostd/meter.h"

static void
swap(struct vobj *o)
{
	void *old = o->native[0];

	o->native[0] = o->native[MOVE_NEW];
	o->native[MOVE_NEW] = old;
}

static void
take_device(struct vdevice **at, struct vdevice *to)
{
	struct vdevice *old = *at;

	*at = object_ref(to);
	object_unref(old);
}

/*
 * Commands that have ended are waited for as ever, by an event that has ended.
 * What waits for one that has failed fails here, as for one that was never
 * made.  The vendors' threads may look at any of them.
 */
static void
swap_event(struct attempt *a, struct vevent *e)
{
	struct serve *s = a->serve;
	cl_int status;

	pthread_mutex_lock(&s->report_lock);
	pthread_mutex_lock(&s->lock);
	if (!e->unset && native(e, 0) != NULL) {
		status = completion_status(native(e, 0));
		if (status < 0 && e->o.error == CL_SUCCESS)
			e->o.error = status;
		clRetainEvent(a->ended);
		e->o.native[MOVE_NEW] = a->ended;
	}
	swap(&e->o);
	pthread_mutex_unlock(&s->lock);
	pthread_mutex_unlock(&s->report_lock);
}

static void
drop_parts(struct vevent *e)
{
	while (e->part_count > 0)
		clReleaseEvent(e->parts[--e->part_count]);
}

static void
swap_object(struct attempt *a, struct vobj *o)
{
	struct vprogram *p;
	unsigned i;

	switch (o->kind) {
	case OBJ_EVENT:
		swap_event(a, (struct vevent *)o);
		drop_parts((struct vevent *)o);
		return;
	case OBJ_QUEUE:
		take_device(&((struct vqueue *)o)->device, a->to);
		meter_move((struct vqueue *)o);
		break;
	case OBJ_PROGRAM:
		p = (struct vprogram *)o;
		p->rewritten = p->remade_rewritten;
		for (i = 0; i < p->device_count; i++)
			take_device(&p->devices[i], a->to);
		break;
	default:
		break;
	}
	swap(o);
}

/* What its memory objects take counts where they are. */
static void
count_memory(const struct attempt *a, bool gone)
{
	size_t i;

	for (i = 0; i < a->count; i++)
		if (a->object[i]->kind == OBJ_MEM)
			meter_memory(a->context, ((const struct vmem *)
			    a->object[i])->counted, gone);
}

void
move_swap(struct attempt *a)
{
	struct vcontext *c = a->context;
	struct vdevice *class = a->from->class;
	size_t i;

	count_memory(a, true);
	for (i = 0; i < a->count; i++)
		if (a->object[i]->kind != OBJ_CONTEXT)
			swap_object(a, a->object[i]);
	if (c->idle[0] != NULL)
		clReleaseMemObject(c->idle[0]);
	c->idle[0] = NULL;
	swap(&c->o);
	if (class != NULL && class->bound == a->from)
		class->bound = a->to->class == class ? a->to : NULL;
	take_device(&c->devices[0], a->to);
	count_memory(a, false);
}

/* ---- releasing --------------------------------------------------------- */

static void
release(struct vobj *o)
{
	void *old = o->native[MOVE_NEW];

	o->native[MOVE_NEW] = NULL;
	if (old == NULL)
		return;
	switch (o->kind) {
	case OBJ_QUEUE:
		clReleaseCommandQueue(old);
		break;
	case OBJ_MEM:
		clReleaseMemObject(old);
		break;
	case OBJ_PROGRAM:
		clReleaseProgram(old);
		break;
	case OBJ_KERNEL:
		clReleaseKernel(old);
		break;
	case OBJ_EVENT:
		clReleaseEvent(old);
		break;
	case OBJ_SAMPLER:
		clReleaseSampler(old);
		break;
	default:
		break;
	}
}

static void
release_all(struct attempt *a, enum obj_kind kind)
{
	size_t i;

	for (i = 0; i < a->count; i++)
		if (a->object[i]->kind == kind)
			release(a->object[i]);
}

void
move_drop(struct attempt *a)
{
	static const enum obj_kind order[] = { OBJ_EVENT, OBJ_KERNEL,
		OBJ_PROGRAM, OBJ_SAMPLER, OBJ_MEM, OBJ_QUEUE };
	struct vcontext *c = a->context;
	size_t i;

	for (i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		release_all(a, order[i]);
	if (a->ended != NULL)
		clReleaseEvent(a->ended);
	a->ended = NULL;
	if (native(c, MOVE_NEW) != NULL)
		clReleaseContext(native(c, MOVE_NEW));
	c->o.native[MOVE_NEW] = NULL;
}
