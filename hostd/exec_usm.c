/* SPDX-License-Identifier: ISC */
/*
 * exec_usm - unified shared memory: allocations, and what the client writes to
 * and reads from those that it has, too.
 *
 * The vendor's memory of host and shared allocations is read and written here
 * while its devices may be at work; so these are only offered where a device
 * allows that (present.c).
 */
#include "hostd/calls.h"

#include <CL/cl_ext.h>
#include <string.h>

#include "hostd/bind.h"
#include "hostd/command.h"
#include "hostd/exec_device.h"
#include "hostd/exec_svm.h"
#include "hostd/member.h"
#include "hostd/shared.h"

/* Changes travel in portions of about this much. */
#define PORTION ((size_t)8 << 20)

#define PROPERTIES_MAX 32

/* ---- allocations ------------------------------------------------------- */

/* The vendor's list, with its final 0; NULL where there is none. */
static const cl_mem_properties_intel *
properties(const struct span *list, cl_mem_properties_intel *out)
{
	const uint64_t *p = list->p;
	uint64_t i;

	for (i = 0; i < list->n && i < PROPERTIES_MAX; i++)
		out[i] = p[i];
	out[i] = 0;
	return i > 0 ? out : NULL;
}

/* What to ask the vendor for, so that the client can have it, too. */
static size_t
room(const struct serve *s, const struct vcontext *c, size_t size)
{
	size_t n = allocation_can_share(s, c) ? shared_room(size) : size;

	return n != 0 ? n : size;
}

/* The client has this memory, too: shared, or as a twin. */
static bool
give(struct serve *s, struct allocation *a)
{
	if (allocation_can_share(s, a->context))
		return allocation_share(s, a);
	memset(a->base, 0, a->size);
	return twin_init(&a->twin, a->base, a->size);
}

/* What was allocated for a becomes its memory, and a is answered. */
static void
allocated(struct serve *s, struct call *call, struct allocation *a, void *p,
    cl_int code, bool both)
{
	struct reply_clHostMemAllocINTEL reply = { .status = CL_SUCCESS };

	a->base = a->raw = p;
	a->usm = true;
	if (code == CL_SUCCESS && p == NULL)
		code = CL_OUT_OF_RESOURCES;
	if (code == CL_SUCCESS && both && !give(s, a))
		code = CL_OUT_OF_HOST_MEMORY;
	if (code != CL_SUCCESS) {
		allocation_free(a);
		call_fail(s, call, code, NULL);
		return;
	}
	allocation_enter(a);
	reply.address = (uintptr_t)a->base;
	call_reply(s, call, &reply);
}

static vendor_fn *
function(const struct vcontext *c, enum vendor_function f)
{
	return device_function(c->devices[0], f);
}

/* A new allocation for the call, which has failed if this is NULL. */
static struct allocation *
begin(struct serve *s, struct call *call, struct vcontext *c, size_t size,
    enum vendor_function f)
{
	struct allocation *a = NULL;
	cl_int code = CL_INVALID_OPERATION;

	if (!context_is_mixed(c) && function(c, f) != NULL) {
		code = CL_OUT_OF_HOST_MEMORY;
		a = allocation_new(c, size);
	}
	if (a == NULL)
		call_fail(s, call, code, NULL);
	return a;
}

void
exec_clHostMemAllocINTEL(struct serve *s, struct call *call,
    struct msg_clHostMemAllocINTEL *m)
{
	cl_mem_properties_intel list[PROPERTIES_MAX + 1];
	struct vcontext *c = m->context.obj;
	struct allocation *a = begin(s, call, c, m->size,
	    FUNCTION_clHostMemAllocINTEL);
	cl_int code = CL_SUCCESS;
	void *p;

	if (a == NULL)
		return;
	p = ((clHostMemAllocINTEL_fn)function(c,
	    FUNCTION_clHostMemAllocINTEL))(native(c, 0),
	    properties(&m->property_list, list), room(s, c, m->size),
	    (cl_uint)m->alignment, &code);
	allocated(s, call, a, p, code, true);
}

void
exec_clDeviceMemAllocINTEL(struct serve *s, struct call *call,
    struct msg_clDeviceMemAllocINTEL *m)
{
	cl_mem_properties_intel list[PROPERTIES_MAX + 1];
	struct vcontext *c = m->context.obj;
	const struct vdevice *d = bind_find(c, m->device.obj);
	struct allocation *a = begin(s, call, c, m->size,
	    FUNCTION_clDeviceMemAllocINTEL);
	cl_int code = CL_SUCCESS;
	void *p;

	if (a == NULL)
		return;
	p = ((clDeviceMemAllocINTEL_fn)function(c,
	    FUNCTION_clDeviceMemAllocINTEL))(native(c, 0), d->device,
	    properties(&m->property_list, list), m->size,
	    (cl_uint)m->alignment, &code);
	allocated(s, call, a, p, code, false);
}

void
exec_clSharedMemAllocINTEL(struct serve *s, struct call *call,
    struct msg_clSharedMemAllocINTEL *m)
{
	cl_mem_properties_intel list[PROPERTIES_MAX + 1];
	struct vcontext *c = m->context.obj;
	const struct vdevice *d = bind_find(c, m->device.obj);
	struct allocation *a = begin(s, call, c, m->size,
	    FUNCTION_clSharedMemAllocINTEL);
	cl_int code = CL_SUCCESS;
	void *p;

	if (a == NULL)
		return;
	p = ((clSharedMemAllocINTEL_fn)function(c,
	    FUNCTION_clSharedMemAllocINTEL))(native(c, 0),
	    d != NULL ? d->device : NULL,
	    properties(&m->property_list, list), room(s, c, m->size),
	    (cl_uint)m->alignment, &code);
	allocated(s, call, a, p, code, true);
}

/* ---- changes ----------------------------------------------------------- */

void
exec_usm_push(struct serve *s, struct call *call, struct msg_usm_push *m)
{
	struct twin_record r;
	struct allocation *a;
	const void *body;
	const uint8_t *p;
	uint64_t n;

	if (creation_body(s, call, &m->data, m->transfer, m->size, &body) !=
	    VGPU_OK)
		return;
	p = body;
	for (n = p != NULL ? m->size : 0; n >= sizeof(r);
	    p += sizeof(r), n -= sizeof(r)) {
		memcpy(&r, p, sizeof(r));
		a = allocation_find(m->context.obj, r.address);
		if (a == NULL || a->twin.agreed == NULL ||
		    twin_apply(&a->twin, &r) != VGPU_OK) {
			serve_fail(s, VGPU_EPROTO, "a change of memory that"
			    " is not shared");
			return;
		}
	}
}

/*
 * Positions count through all named allocations, one after the other.  One
 * that is gone was freed while the client asked.
 */
static uint64_t
collect(const struct msg_usm_pull *m, struct buf *out)
{
	const uint64_t *address = m->addresses.p;
	uint64_t i, start = 0;
	struct allocation *a;
	size_t at;

	for (i = 0; i < m->addresses.n; i++) {
		a = allocation_find(m->context.obj, address[i]);
		if (a == NULL || a->twin.agreed == NULL)
			continue;
		at = m->from > start ? m->from - start : 0;
		if (at < a->size &&
		    !twin_collect(&a->twin, &at, out, PORTION))
			return start + at;
		start += a->size;
	}
	return 0;
}

void
exec_usm_pull(struct serve *s, struct call *call, struct msg_usm_pull *m)
{
	struct reply_usm_pull reply = { .status = CL_SUCCESS };
	struct buf out;

	buf_init(&out);
	reply.more = collect(m, &out);
	if (out.failed) {
		call_fail(s, call, CL_OUT_OF_HOST_MEMORY, NULL);
	} else {
		reply.records = (struct span){ buf_front(&out),
			buf_len(&out) };
		call_reply(s, call, &reply);
	}
	buf_fini(&out);
}
