/* SPDX-License-Identifier: ISC */
/*
 * What the program wants to be told of a context.
 */
#include "icd-vgpu/context.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/destructor.h"
#include "icd-vgpu/kernel.h"
#include "icd-vgpu/mem.h"
#include "icd-vgpu/program.h"
#include "icd-vgpu/queue.h"
#include "icd-vgpu/sampler.h"

cl_int
icd_clSetContextDestructorCallback(cl_context context,
    pfn_context_gone pfn_notify, void *user_data)
{
	struct context *c = context_check(context);
	struct msg_clSetContextDestructorCallback m;

	if (c == NULL)
		return CL_INVALID_CONTEXT;
	if (pfn_notify == NULL)
		return CL_INVALID_VALUE;
	m.context.id = c->o.id;
	return destructor_add(&c->destructors, OBJ_CONTEXT, c,
	    (union destructor_function){ .context = pfn_notify }, user_data,
	    &desc_clSetContextDestructorCallback, &m);
}

/* ---- notification ------------------------------------------------------ */

struct notice {
	struct context *context;	/* a use */
	char *text;
};

static void
notice_run(void *arg)
{
	struct notice *n = arg;

	n->context->notify(n->text, NULL, 0, n->context->notify_data);
	object_unuse(n->context);
	free(n->text);
	free(n);
}

void
context_tell(struct context *c, const char *text)
{
	struct notice *n;

	if (c == NULL || c->notify == NULL ||
	    (n = malloc(sizeof(*n))) == NULL)
		return;
	if ((n->text = strdup(text)) == NULL) {
		free(n);
		return;
	}
	n->context = object_use(c);
	callback_queue(notice_run, n);
}

void
context_notify(uint64_t id, const char *text)
{
	struct context *c = (struct context *)object_find(id, OBJ_CONTEXT);

	context_tell(c, text);
	object_unuse(c);
}

struct context *
context_of(struct object *o)
{
	switch ((enum obj_kind)o->kind) {
	case OBJ_CONTEXT:
		return (struct context *)o;
	case OBJ_QUEUE:
		return ((struct queue *)o)->context;
	case OBJ_MEM:
		return ((struct mem *)o)->context;
	case OBJ_PROGRAM:
		return ((struct program *)o)->context;
	case OBJ_KERNEL:
		return ((struct kernel *)o)->program->context;
	case OBJ_EVENT:
		return ((struct event *)o)->context;
	case OBJ_SAMPLER:
		return ((struct sampler *)o)->context;
	default:
		return NULL;
	}
}

void
context_note_error(struct object *o, const char *text)
{
	context_tell(context_of(o), text);
}
