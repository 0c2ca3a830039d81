/* SPDX-License-Identifier: ISC */
/*
 * exec_svm - shared virtual memory.
 *
 * The vendor's addresses are the client's too.  Contents travel with maps and
 * unmaps as copies between the vendor's memory and staging memory, so that no
 * allocation is ever mapped here and every vendor is treated the same.
 */
#include "hostd/calls.h"

#include <stdlib.h>

#include "hostd/command.h"
#include "hostd/exec_mem.h"

struct allocation {
	TAILQ_ENTRY(allocation) entry;
	struct vcontext *context;	/* a reference */
	uint8_t *base;
	size_t size;
};

/* The session's, in the loop thread. */
static TAILQ_HEAD(, allocation) allocations =
    TAILQ_HEAD_INITIALIZER(allocations);

static struct allocation *
find(const struct vcontext *c, uint64_t address)
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
	const struct allocation *a = find(c, address);
	size_t at;

	if (a == NULL)
		return NULL;
	at = address - (uintptr_t)a->base;
	return size <= a->size - at ? a->base + at : NULL;
}

/* ---- allocations ------------------------------------------------------- */

static void
allocation_free(struct allocation *a)
{
	if (a == NULL)
		return;
	if (a->base != NULL)
		clSVMFree(native(a->context, 0), a->base);
	object_unref(a->context);
	free(a);
}

static struct allocation *
allocation_new(struct vcontext *c, const struct msg_clSVMAlloc *m)
{
	struct allocation *a = calloc(1, sizeof(*a));

	if (a == NULL)
		return NULL;
	a->context = object_ref(c);
	a->size = m->size;
	a->base = clSVMAlloc(native(c, 0), m->flags, m->size,
	    (cl_uint)m->alignment);
	if (a->base != NULL)
		return a;
	allocation_free(a);
	return NULL;
}

void
exec_clSVMAlloc(struct serve *s, struct call *call, struct msg_clSVMAlloc *m)
{
	struct allocation *a = allocation_new(m->context.obj, m);
	struct reply_clSVMAlloc reply = { 0 };

	if (a == NULL) {
		call_fail(s, call, CL_MEM_OBJECT_ALLOCATION_FAILURE, NULL);
		return;
	}
	TAILQ_INSERT_HEAD(&allocations, a, entry);
	reply.address = (uintptr_t)a->base;
	call_reply(s, call, &reply);
}

void
exec_clSVMFree(struct serve *s, struct call *call, struct msg_clSVMFree *m)
{
	struct allocation *a = find(m->context.obj, m->address);

	if (a == NULL || (uintptr_t)a->base != m->address) {
		call_fail(s, call, CL_INVALID_VALUE, "no such SVM allocation");
		return;
	}
	TAILQ_REMOVE(&allocations, a, entry);
	allocation_free(a);
}

/* ---- commands ---------------------------------------------------------- */

/*
 * The vendor's memory of an open command's range; NULL: the client named
 * something else, and the command has failed.
 */
static void *
place(struct command *c, uint64_t address, size_t size)
{
	void *p = svm_memory(c->context, address, size);

	if (p == NULL)
		command_close(c, CL_INVALID_VALUE);
	return p;
}

static void
close_marker(struct command *c)
{
	command_close(c, clEnqueueMarkerWithWaitList(c->queue, c->wait_count,
	    c->wait, c->event_ret));
}

static void
close_copy(struct command *c, void *to, const void *from, size_t n)
{
	command_close(c, clEnqueueSVMMemcpy(c->queue, CL_FALSE, to, from, n,
	    c->wait_count, c->wait, c->event_ret));
}

/* Send the client the content of a range. */
static void
copy_out(struct command *c, uint64_t address, size_t size, uint64_t transfer)
{
	const void *from = place(c, address, size);
	void *to;

	if (from != NULL && (to = command_body_out(c, transfer, size)) != NULL)
		close_copy(c, to, from, size);
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
		close_copy(c, to, from, size);
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
		close_marker(&c);
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
		close_marker(&c);
	else
		copy_in(&c, m->address, m->size, &m->data, m->transfer);
}

void
exec_clEnqueueSVMMemcpy(struct serve *s, struct call *call,
    struct msg_clEnqueueSVMMemcpy *m)
{
	struct command c;
	const void *from;
	void *to;

	if (!command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		return;
	if (m->size == 0)
		close_marker(&c);
	else if (m->dst == 0)
		copy_out(&c, m->src, m->size, m->transfer);
	else if (m->src == 0)
		copy_in(&c, m->dst, m->size, &m->data, m->transfer);
	else if ((to = place(&c, m->dst, m->size)) != NULL &&
	    (from = place(&c, m->src, m->size)) != NULL)
		close_copy(&c, to, from, m->size);
}

void
exec_clEnqueueSVMMemFill(struct serve *s, struct call *call,
    struct msg_clEnqueueSVMMemFill *m)
{
	struct command c;
	void *to;

	if (!command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		return;
	if (m->size == 0)
		close_marker(&c);
	else if ((to = place(&c, m->address, m->size)) != NULL)
		command_close(&c, clEnqueueSVMMemFill(c.queue, to,
		    m->pattern_bytes.p, m->pattern_bytes.n, m->size,
		    c.wait_count, c.wait, c.event_ret));
}

/* A hint, which vendors of OpenCL 2.0 do not know; the order is kept. */
void
exec_clEnqueueSVMMigrateMem(struct serve *s, struct call *call,
    struct msg_clEnqueueSVMMigrateMem *m)
{
	struct command c;

	if (command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		close_marker(&c);
}
