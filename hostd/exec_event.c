/* SPDX-License-Identifier: ISC */
#include "hostd/exec_event.h"

#include <stdlib.h>

#include "hostd/bridge.h"
#include "hostd/cascade.h"
#include "hostd/command.h"
#include "hostd/completion.h"
#include "hostd/dispatch.h"
#include "hostd/exec_mem.h"
#include "hostd/idtab.h"
#include "hostd/kernel_arg.h"
#include "hostd/member.h"
#include "hostd/report.h"

static void
vevent_fini(struct vobj *o)
{
	struct vevent *e = (struct vevent *)o;
	unsigned i;

	cascade_leave(e);
	for (i = 0; i < MEMBERS_MAX; i++)
		if (native(e, i) != NULL)
			clReleaseEvent(native(e, i));
	for (i = 0; i < e->part_count; i++)
		clReleaseEvent(e->parts[i]);
	free(e->parts);
	for (i = 0; i < e->dep_count; i++)
		object_unref(e->deps[i]);
	free(e->deps);
	object_unref(e->queue);
	object_unref(e->context);
}

struct vevent *
vevent_new(struct serve *s, struct call *call, uint64_t id,
    struct vcontext *context, unsigned member)
{
	struct vevent *e = object_new(s, call, OBJ_EVENT, id, sizeof(*e),
	    vevent_fini);

	if (e == NULL)
		return NULL;
	e->context = object_ref(context);
	e->member = member;
	return e;
}

struct vevent *
vevent_hidden(struct vcontext *context, unsigned member)
{
	struct vevent *e = calloc(1, sizeof(*e));

	if (e == NULL)
		return NULL;
	e->o.kind = OBJ_EVENT;
	e->o.fini = vevent_fini;
	atomic_init(&e->o.refs, 1);
	e->context = object_ref(context);
	e->member = member;
	e->released = true;
	return e;
}

void
exec_clCreateUserEvent(struct serve *s, struct call *call,
    struct msg_clCreateUserEvent *m)
{
	struct vcontext *c = m->context.obj;
	struct vevent *e = vevent_new(s, call, m->id.id, c, 0);
	cl_int code;

	if (e == NULL)
		return;
	e->reported = true;	/* the client sets its status itself */
	e->o.native[0] = clCreateUserEvent(native(c, 0), &code);
	if (code != CL_SUCCESS) {
		call_fail(s, call, code, NULL);
		return;
	}
	e->unset = true;
}

void
exec_clSetUserEventStatus(struct serve *s, struct call *call,
    struct msg_clSetUserEventStatus *m)
{
	struct vevent *e = m->event.obj;
	cl_int code;

	if (e->queue != NULL || native(e, e->member) == NULL || !e->unset) {
		call_fail(s, call, e->queue == NULL &&
		    native(e, e->member) != NULL ? CL_INVALID_OPERATION :
		    CL_INVALID_EVENT, NULL);
		return;
	}
	if (m->execution_status < 0)
		cascade_fail(s, e, (cl_int)m->execution_status);
	code = command_set_event(native(e, e->member),
	    (cl_int)m->execution_status);
	if (context_is_mixed(e->context))
		bridge_set_user(s, e, (cl_int)m->execution_status);
	e->unset = false;
	if (m->execution_status < 0)
		completion_look_after(s);
	if (code != CL_SUCCESS)
		serve_fail(s, VGPU_ECL, "what waits for a user event would "
		    "wait for ever: error %d", code);
}

/* ---- watching ---------------------------------------------------------- */

struct watching {
	struct serve *serve;
	struct vevent *event;	/* a reference */
	cl_int status;
};

static void CL_CALLBACK
on_status(cl_event event, cl_int status, void *arg)
{
	struct watching *w = arg;

	(void)event;
	/* Errors are told by the completion. */
	if (status >= 0) {
		report_status(w->serve, w->event, w->status);
		serve_flush(w->serve);
	}
	object_unref(w->event);
	free(w);
}

static void
watch_status(struct serve *s, struct vevent *e, cl_int status)
{
	struct watching *w = malloc(sizeof(*w));

	if (w == NULL)
		return;
	*w = (struct watching){ s, object_ref(e), status };
	if (clSetEventCallback(native(e, e->member), status, on_status, w) !=
	    CL_SUCCESS) {
		object_unref(e);
		free(w);
	}
}

static void
watch_end(struct serve *s, struct vevent *e)
{
	struct completion *c = completion_new(s, native(e, e->member));

	if (c == NULL)
		return;
	c->vevent = object_ref(e);
	c->launches = e->mark;
	c->tell = true;
	if (completion_start(c) != CL_SUCCESS)
		serve_fail(s, VGPU_ENOMEM, "no callback for an event");
}

void
exec_watch(struct serve *s, struct call *call, struct msg_watch *m)
{
	struct vevent *e = m->event.obj;

	(void)call;
	/* A failed one was told when it failed. */
	if (e->queue == NULL || native(e, e->member) == NULL)
		return;
	dispatch_note_queue(e->queue);
	if (m->mask & 4)
		watch_status(s, e, CL_SUBMITTED);
	if (m->mask & 2)
		watch_status(s, e, CL_RUNNING);
	if (m->mask & 1)
		watch_end(s, e);
}

/* ---- the end of any object --------------------------------------------- */

void
exec_release(struct serve *s, struct call *call, struct msg_release *m)
{
	struct vobj *o = idtab_take(s->objects, m->object, OBJ_NONE);

	(void)call;
	if (o == NULL) {
		serve_fail(s, VGPU_EPROTO, "release of an object that is not"
		    " there");
		return;
	}
	if (o->kind == OBJ_EVENT)
		report_forget(s, (struct vevent *)o);
	else if (o->kind == OBJ_QUEUE && o->error == CL_SUCCESS)
		report_close(s, (struct vqueue *)o);
	else if (o->kind == OBJ_MEM)
		kernel_args_forget((struct vmem *)o);
	object_unref(o);
}
