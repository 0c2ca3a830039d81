/* SPDX-License-Identifier: ISC */
/*
 * exec_context - contexts.
 */
#include "hostd/calls.h"

#include <stdlib.h>

#include "hostd/bind.h"
#include "hostd/context_notify.h"
#include "hostd/exec_device.h"
#include "hostd/lost.h"
#include "hostd/member.h"
#include "hostd/move.h"
#include "hostd/remake.h"
#include "hostd/serve.h"

typedef cl_context create_context_function(const cl_context_properties *,
    cl_uint, const cl_device_id *, void (CL_CALLBACK *)(const char *,
    const void *, size_t, void *), void *, cl_int *);

static void
vcontext_fini(struct vobj *o)
{
	struct vcontext *c = (struct vcontext *)o;
	const struct reply_clSetContextDestructorCallback gone = { 0 };
	unsigned i;

	members_free(c);
	for (i = 0; i < c->member_count; i++) {
		if (c->idle[i] != NULL)
			clReleaseMemObject(c->idle[i]);
		if (native(c, i) != NULL)
			clReleaseContext(native(c, i));
	}
	for (i = 0; i < c->device_count; i++) {
		bind_end(c->devices[i]);
		object_unref(c->devices[i]);
		object_unref(c->shown[i]);
	}
	free(c->devices);
	free(c->shown);
	if (c->gone_serial == 0)
		return;
	serve_reply(c->serve, &desc_clSetContextDestructorCallback,
	    c->gone_serial, &gone);
	serve_flush(c->serve);
}

/* Not all vendors can tell; what uses it here goes with its commands. */
void
exec_clSetContextDestructorCallback(struct serve *s, struct call *call,
    struct msg_clSetContextDestructorCallback *m)
{
	struct vcontext *c = m->context.obj;

	if (c->gone_serial != 0)
		serve_fail(s, VGPU_EPROTO, "%s: asked for twice",
		    call->message->name);
	c->gone_serial = call->serial;
}

/* What the vendor tells goes to the program's own callback. */
static void CL_CALLBACK
on_notify(const char *text, const void *info, size_t n, void *arg)
{
	const struct vcontext *c = arg;

	(void)info;
	(void)n;
	/* Oclgrind mixes up the last arguments and has none here. */
	if (c == NULL || context_notify_muted())
		return;
	context_notify(c->serve, c->o.id, text);
	serve_flush(c->serve);
}

static cl_int
take_devices(struct serve *s, struct vcontext *c, const struct span *list,
    const char **reason)
{
	struct vdevice *d;
	cl_int code;
	uint64_t i;

	c->devices = calloc(list->n + 1, sizeof(*c->devices));
	c->shown = calloc(list->n + 1, sizeof(*c->shown));
	if (c->devices == NULL || c->shown == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	for (i = 0; i < list->n; i++) {
		if ((d = bind_begin(s, list, (unsigned)i, c->devices)) ==
		    NULL) {
			*reason = "the device is drained, or has left";
			return CL_DEVICE_NOT_AVAILABLE;
		}
		c->shown[c->device_count] = object_ref(
		    span_objects(list)[i]);
		c->devices[c->device_count++] = object_ref(d);
		if ((code = device_open(s, d, reason)) != CL_SUCCESS)
			return code;
	}
	return c->device_count > 0 ? members_find(c) : CL_INVALID_VALUE;
}

/*
 * The vendor's platform is named, and to its own loader: the linked one does
 * not know it and would refuse.
 */
static cl_int
make_native(struct vcontext *c, unsigned member, const struct vdevice *first,
    cl_uint n, const cl_device_id *ids)
{
	create_context_function *create = device_loader_function(first,
	    "clCreateContext");
	cl_context_properties p[] = { CL_CONTEXT_PLATFORM, 0, 0 };
	cl_platform_id platform;
	cl_int code;

	if (create == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	code = clGetDeviceInfo(ids[0], CL_DEVICE_PLATFORM, sizeof(platform),
	    &platform, NULL);
	if (code != CL_SUCCESS)
		return code;
	p[1] = (cl_context_properties)platform;
	c->o.native[member] = create(p, n, ids, on_notify, c, &code);
	return code;
}

static cl_int
make_context(struct vcontext *c, unsigned member)
{
	cl_device_id *ids = calloc(c->device_count, sizeof(*ids));
	cl_uint n;
	cl_int code;

	if (ids == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	n = members_devices(c, member, ids);
	code = make_native(c, member, context_is_mixed(c) ?
	    c->members[member].device : c->devices[0], n, ids);
	free(ids);
	return code;
}

cl_int
context_remake(struct vcontext *c, unsigned member, const struct vdevice *d)
{
	return make_native(c, member, d, 1, &d->device);
}

void
exec_clCreateContext(struct serve *s, struct call *call,
    struct msg_clCreateContext *m)
{
	struct vcontext *c = object_new(s, call, OBJ_CONTEXT, m->id.id,
	    sizeof(*c), vcontext_fini);
	const char *reason = NULL;
	unsigned i;
	cl_int code;

	if (c == NULL)
		return;
	c->serve = s;
	code = take_devices(s, c, &m->devices, &reason);
	for (i = 0; i < c->member_count && code == CL_SUCCESS; i++) {
		code = make_context(c, i);
		lost_note(s, c->devices[0], code);
	}
	c->moves = code == CL_SUCCESS && move_is_possible(s, c);
	if (code != CL_SUCCESS)
		call_fail(s, call, code, reason);
}
