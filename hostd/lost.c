/* SPDX-License-Identifier: ISC */
#include "hostd/lost.h"

#include <stdatomic.h>

#include "common/clock.h"
#include "hostd/exec_program.h"
#include "hostd/kernel_arg.h"

#define PAUSE_MS 1000	/* a program may try again and again */

void
lost_note(struct serve *s, const struct vdevice *d, cl_int code)
{
	static atomic_llong next;
	long long before, now;

	if (code != CL_DEVICE_NOT_AVAILABLE || s->start.lost == NULL)
		return;
	before = atomic_load(&next);
	now = clock_ms();
	if (now >= before && atomic_compare_exchange_strong(&next, &before,
	    now + PAUSE_MS))
		s->start.lost(d->pool->index);
}

/* NULL: none, or it could not be had in the first place. */
static const struct vdevice *
device_of(const struct vobj *o)
{
	const struct vcontext *c = NULL;

	if (o == NULL || o->error != CL_SUCCESS)
		return NULL;
	switch (o->kind) {
	case OBJ_QUEUE:
		return ((const struct vqueue *)o)->device;
	case OBJ_CONTEXT:
		c = (const struct vcontext *)o;
		break;
	case OBJ_PROGRAM:
		c = ((const struct vprogram *)o)->context;
		break;
	case OBJ_KERNEL:
		c = ((const struct vkernel *)o)->program->context;
		break;
	default:
		break;
	}
	return c != NULL && c->device_count > 0 ? c->devices[0] : NULL;
}

void
lost_note_call(struct serve *s, const struct call *call, cl_int code)
{
	const struct field *f = call->message->fields;
	const union ref *ref = call->msg;
	const struct vdevice *d;

	if (code == CL_DEVICE_NOT_AVAILABLE && call->message->field_count > 0 &&
	    f->kind == FIELD_ID && (d = device_of(ref->obj)) != NULL)
		lost_note(s, d, code);
}
