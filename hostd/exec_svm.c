/* SPDX-License-Identifier: ISC */
/*
 * exec_svm - shared virtual memory.
 *
 * The vendor's addresses are the client's too.  Contents travel with maps and
 * unmaps as copies between the vendor's memory and staging memory, so that no
 * allocation is ever mapped here and every vendor is treated the same.
 *
 * Fine-grained buffers are memory that both processes have (shared.h); no
 * content travels for them.
 */
#include "hostd/exec_svm.h"

#include <CL/cl_ext.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/log.h"
#include "hostd/command.h"
#include "hostd/exec_device.h"
#include "hostd/member.h"
#include "hostd/shared.h"

/* The session's, in the loop thread. */
static TAILQ_HEAD(, allocation) allocations =
    TAILQ_HEAD_INITIALIZER(allocations);

struct allocation *
allocation_find(const struct vcontext *c, uint64_t address)
{
	struct allocation *a;

	TAILQ_FOREACH(a, &allocations, entry)
		if (a->context == c && address >= (uintptr_t)a->base &&
		    address - (uintptr_t)a->base < a->size)
			return a;
	return NULL;
}

void *
svm_memory(struct vcontext *c, uint64_t address, size_t size)
{
	const struct allocation *a = allocation_find(c, address);
	size_t at;

	if (a == NULL)
		return NULL;
	at = address - (uintptr_t)a->base;
	return size <= a->size - at ? a->base + at : NULL;
}

bool
allocation_is_any(const struct vcontext *c)
{
	const struct allocation *a;

	TAILQ_FOREACH(a, &allocations, entry)
		if (a->context == c)
			return true;
	return false;
}

/* The vendor's function of an extension that the context's devices have. */
static vendor_fn *
function(const struct vcontext *c, enum vendor_function f)
{
	return device_function(c->devices[0], f);
}

/* ---- allocations ------------------------------------------------------- */

static void
free_memory(const struct allocation *a)
{
	clMemFreeINTEL_fn free_usm;

	if (a->shared && !shared_close(a->base, shared_pages(a->size)))
		return; /* what the client may still write to is not freed */
	if (!a->usm) {
		clSVMFree(native(a->context, 0), a->raw);
		return;
	}
	free_usm = (clMemFreeINTEL_fn)function(a->context,
	    FUNCTION_clMemFreeINTEL);
	free_usm(native(a->context, 0), a->raw);
}

void
allocation_free(struct allocation *a)
{
	if (a == NULL)
		return;
	if (a->raw != NULL)
		free_memory(a);
	twin_fini(&a->twin);
	object_unref(a->context);
	free(a);
}

struct allocation *
allocation_new(struct vcontext *c, size_t size)
{
	struct allocation *a = calloc(1, sizeof(*a));

	if (a != NULL) {
		a->context = object_ref(c);
		a->size = size;
	}
	return a;
}

void
allocation_enter(struct allocation *a)
{
	TAILQ_INSERT_HEAD(&allocations, a, entry);
}

bool
allocation_share(struct serve *s, struct allocation *a)
{
	struct err_text text;
	enum vgpu_err e;
	int fd;

	a->base = shared_first(a->raw);
	e = shared_open(a->base, shared_pages(a->size), &fd, &text);
	if (e == VGPU_OK) {
		a->shared = true;
		e = link_send_fd(s->control, fd, &text);
		close(fd);
	}
	if (e != VGPU_OK)
		log_warn("shared memory: %s", text.s);
	return e == VGPU_OK;
}

bool
allocation_can_share(const struct serve *s, const struct vcontext *c)
{
	unsigned i;

	/* Several vendors can't have one memory at one address. */
	if (context_is_mixed(c))
		return false;
	for (i = 0; i < c->device_count; i++)
		if (!shared_possible(s, c->devices[i]))
			return false;
	return true;
}

static bool
allocate(struct serve *s, struct allocation *a, const struct msg_clSVMAlloc *m)
{
	bool fine = m->flags & CL_MEM_SVM_FINE_GRAIN_BUFFER;
	size_t room = fine ? shared_room(a->size) : a->size;

	if (context_is_mixed(a->context))
		return false;
	if (room != 0 && (!fine || allocation_can_share(s, a->context)))
		a->base = a->raw = clSVMAlloc(native(a->context, 0), m->flags,
		    room, (cl_uint)m->alignment);
	return a->raw != NULL && (!fine || allocation_share(s, a));
}

void
exec_clSVMAlloc(struct serve *s, struct call *call, struct msg_clSVMAlloc *m)
{
	struct allocation *a = allocation_new(m->context.obj, m->size);
	struct reply_clSVMAlloc reply = { 0 };

	if (a == NULL || !allocate(s, a, m)) {
		allocation_free(a);
		call_fail(s, call, CL_MEM_OBJECT_ALLOCATION_FAILURE, NULL);
		return;
	}
	allocation_enter(a);
	reply.address = (uintptr_t)a->base;
	call_reply(s, call, &reply);
}

void
exec_clSVMFree(struct serve *s, struct call *call, struct msg_clSVMFree *m)
{
	struct allocation *a = allocation_find(m->context.obj, m->address);

	if (a == NULL || (uintptr_t)a->base != m->address) {
		call_fail(s, call, CL_INVALID_VALUE, "no such SVM allocation");
		return;
	}
	TAILQ_REMOVE(&allocations, a, entry);
	allocation_free(a);
}

/* ---- arguments --------------------------------------------------------- */

cl_int
svm_set_arg(const struct vcontext *c, cl_kernel kernel, cl_uint index,
    uint64_t address)
{
	const struct allocation *a = allocation_find(c, address);
	clSetKernelArgMemPointerINTEL_fn set =
	    (clSetKernelArgMemPointerINTEL_fn)function(c,
	    FUNCTION_clSetKernelArgMemPointerINTEL);
	const void *p = (const void *)(uintptr_t)address;

	if (set != NULL && (a == NULL ? address != 0 : a->usm))
		return set(kernel, index, p);
	if (a == NULL && address != 0)
		return CL_INVALID_ARG_VALUE;
	return clSetKernelArgSVMPointer(kernel, index, p);
}

/* ---- commands ---------------------------------------------------------- */

/*
 * The allocation that an open command's range lies in; NULL: the client named
 * something else, and the command has failed.
 */
static const struct allocation *
place(struct command *c, uint64_t address, size_t size)
{
	if (svm_memory(c->context, address, size) != NULL)
		return allocation_find(c->context, address);
	command_close(c, CL_INVALID_VALUE);
	return NULL;
}

static void *
at(uint64_t address)
{
	return (void *)(uintptr_t)address;
}

static void
close_copy(struct command *c, void *to, const void *from, size_t n, bool usm)
{
	clEnqueueMemcpyINTEL_fn copy_usm;

	if (!usm) {
		command_close(c, clEnqueueSVMMemcpy(c->queue, CL_FALSE, to,
		    from, n, c->wait_count, c->wait, c->event_ret));
		return;
	}
	copy_usm = (clEnqueueMemcpyINTEL_fn)function(c->context,
	    FUNCTION_clEnqueueMemcpyINTEL);
	command_close(c, copy_usm(c->queue, CL_FALSE, to, from, n,
	    c->wait_count, c->wait, c->event_ret));
}

/* Send the client the content of a range. */
static void
copy_out(struct command *c, uint64_t address, size_t size, uint64_t transfer)
{
	const struct allocation *a = place(c, address, size);
	void *to;

	if (a != NULL && (to = command_body_out(c, transfer, size)) != NULL)
		close_copy(c, to, at(address), size, a->usm);
}

/* Set a range to what the client sends. */
static void
copy_in(struct command *c, uint64_t address, size_t size,
    const struct span *data, uint64_t transfer)
{
	void *to = svm_memory(c->context, address, size);
	/* The body is taken in any case, as it may be on its way. */
	const void *from = command_body_in(c, data, transfer, size);

	if (from == NULL)
		return;
	if (to == NULL)
		command_close(c, CL_INVALID_VALUE);
	else
		close_copy(c, to, from, size,
		    allocation_find(c->context, address)->usm);
}

void
exec_clEnqueueSVMMap(struct serve *s, struct call *call,
    struct msg_clEnqueueSVMMap *m)
{
	struct command c;

	if (!command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		return;
	if (m->transfer == 0)
		command_close_empty(&c);
	else
		copy_out(&c, m->address, m->size, m->transfer);
}

void
exec_clEnqueueSVMUnmap(struct serve *s, struct call *call,
    struct msg_clEnqueueSVMUnmap *m)
{
	struct command c;

	if (!command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		return;
	if (m->transfer == 0 && m->data.n == 0)
		command_close_empty(&c);
	else
		copy_in(&c, m->address, m->size, &m->data, m->transfer);
}

void
exec_clEnqueueSVMMemcpy(struct serve *s, struct call *call,
    struct msg_clEnqueueSVMMemcpy *m)
{
	const struct allocation *to, *from;
	struct command c;

	if (!command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		return;
	if (m->size == 0)
		command_close_empty(&c);
	else if (m->dst == 0)
		copy_out(&c, m->src, m->size, m->transfer);
	else if (m->src == 0)
		copy_in(&c, m->dst, m->size, &m->data, m->transfer);
	else if ((to = place(&c, m->dst, m->size)) != NULL &&
	    (from = place(&c, m->src, m->size)) != NULL)
		close_copy(&c, at(m->dst), at(m->src), m->size,
		    to->usm || from->usm);
}

static cl_int
fill(const struct command *c, const struct allocation *a,
    const struct msg_clEnqueueSVMMemFill *m)
{
	const struct span *p = &m->pattern_bytes;
	clEnqueueMemFillINTEL_fn fill_usm;

	if (!a->usm)
		return clEnqueueSVMMemFill(c->queue, at(m->address), p->p,
		    p->n, m->size, c->wait_count, c->wait, c->event_ret);
	fill_usm = (clEnqueueMemFillINTEL_fn)function(c->context,
	    FUNCTION_clEnqueueMemFillINTEL);
	return fill_usm(c->queue, at(m->address), p->p, p->n, m->size,
	    c->wait_count, c->wait, c->event_ret);
}

void
exec_clEnqueueSVMMemFill(struct serve *s, struct call *call,
    struct msg_clEnqueueSVMMemFill *m)
{
	const struct allocation *a;
	struct command c;

	if (!command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		return;
	if (m->size == 0)
		command_close_empty(&c);
	else if ((a = place(&c, m->address, m->size)) != NULL)
		command_close(&c, fill(&c, a, m));
}

/* A hint, which vendors of OpenCL 2.0 do not know; the order is kept. */
void
exec_clEnqueueSVMMigrateMem(struct serve *s, struct call *call,
    struct msg_clEnqueueSVMMigrateMem *m)
{
	struct command c;

	if (command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		command_close_empty(&c);
}
