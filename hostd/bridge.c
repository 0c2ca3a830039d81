/* SPDX-License-Identifier: ISC */
#include "hostd/bridge.h"

#include <stdlib.h>

#include "hostd/cascade.h"
#include "hostd/command.h"
#include "hostd/completion.h"
#include "hostd/simulator.h"

struct bridge {
	struct vevent *event;	/* a reference */
	unsigned member;	/* where to show it */
	cl_int status;
};

static void
show(struct vevent *e, unsigned member, cl_int status)
{
	if (command_set_event(native(e, member), status) != CL_SUCCESS)
		serve_fail(e->context->serve, VGPU_ECL,
		    "an event can't be shown to another vendor");
}

/* In the loop: what waits for it is poisoned before the vendor hears. */
static void
cross(struct serve *s, void *arg)
{
	struct bridge *b = arg;

	if (b->status < 0)
		cascade_fail(s, b->event, b->status);
	show(b->event, b->member, b->status);
	if (b->status < 0)
		completion_look_after(s);
	simulator_run();
	object_unref(b->event);
	free(b);
}

static void
on_end(struct serve *s, void *arg, cl_int status)
{
	struct bridge *b = arg;

	b->status = status < 0 ? status : CL_COMPLETE;
	serve_defer(s, cross, b);
}

static cl_int
build(struct serve *s, struct vevent *e, unsigned member)
{
	cl_event own = native(e, e->member);
	struct bridge *b = malloc(sizeof(*b));
	cl_int code;

	if (b == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	*b = (struct bridge){ object_ref(e), member, CL_COMPLETE };
	clRetainEvent(own);
	if ((code = completion_watch(s, own, on_end, b)) != CL_SUCCESS) {
		object_unref(e);
		free(b);
	}
	return code;
}

static bool
is_complete(const struct vevent *e)
{
	return e->queue == NULL ? !e->unset :
	    completion_status(native(e, e->member)) == CL_COMPLETE;
}

cl_event
bridge_event(struct serve *s, struct vevent *e, unsigned member, cl_int *code)
{
	*code = CL_SUCCESS;
	if (native(e, member) != NULL)
		return native(e, member);
	if (native(e, e->member) == NULL)
		return NULL;
	e->o.native[member] = clCreateUserEvent(native(e->context, member),
	    code);
	if (*code != CL_SUCCESS)
		return NULL;
	if (is_complete(e))
		show(e, member, CL_COMPLETE);
	else if (e->queue != NULL)
		*code = build(s, e, member);
	return native(e, member);
}

void
bridge_set_user(struct serve *s, struct vevent *e, cl_int status)
{
	unsigned m;

	(void)s;
	for (m = 0; m < e->context->member_count; m++)
		if (m != e->member && native(e, m) != NULL)
			show(e, m, status);
	simulator_run();
}
