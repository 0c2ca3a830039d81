/* SPDX-License-Identifier: ISC */
#include "hostd/direct.h"

#include <stdlib.h>

#include "hostd/command.h"
#include "hostd/completion.h"
#include "hostd/dispatch.h"
#include "hostd/exec_mem.h"
#include "hostd/staging.h"
#include "protocol/shared.h"

/* A shorter body is copied faster than one more command is carried out. */
#define DIRECT_MIN ((size_t)128 << 10)

/* Simulators watch what is done to memory: they see commands as they are. */
static bool
is_host_memory(const struct vdevice *d)
{
	const struct infoset *info = &d->pool->info;

	return !d->pool->simulator &&
	    (infoset_u64(info, CL_DEVICE_TYPE, 0) & CL_DEVICE_TYPE_CPU) &&
	    infoset_u32(info, CL_DEVICE_HOST_UNIFIED_MEMORY, 0);
}

/*
 * What waits for a user event may fail in more ways than vendors tell of two
 * commands alike.
 */
static bool
is_fit(const struct command *c, const struct vmem *b, size_t size,
    uint64_t transfer)
{
	return transfer != 0 && transfer_kind(transfer) == TRANSFER_LANES &&
	    size >= DIRECT_MIN && b->parent == NULL &&
	    c->call->replay == NULL && c->access == NULL &&
	    (c->vevent == NULL || !c->vevent->held) &&
	    is_host_memory(c->vqueue->device);
}

/* The event of the map shows when the command began. */
static cl_int
keep_beginning(struct command *c, cl_event mapped)
{
	struct vevent *e = c->vevent;

	if (e == NULL || !c->vqueue->profiling)
		return CL_SUCCESS;
	if ((e->parts = malloc(sizeof(*e->parts))) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	clRetainEvent(mapped);
	e->parts[0] = mapped;
	e->part_count = 1;
	return CL_SUCCESS;
}

/* The unmap waits for the map, as queues may have no order, and for a gate. */
static cl_int
wait_for_body(struct command *c, struct staging *st, cl_event mapped)
{
	cl_int code;

	c->wait_count = 0;
	command_wait(c, mapped);
	if ((code = command_gate(c, st)) != CL_SUCCESS)
		return code;
	clRetainEvent(mapped);
	st->watched = true;
	code = completion_watch(c->serve, mapped, staging_mapped, st);
	if (code != CL_SUCCESS)
		st->watched = false;
	return code;
}

bool
direct_write(struct command *c, const struct vmem *b, size_t offset,
    size_t size, uint64_t transfer)
{
	cl_mem mem = native(b, c->member);
	struct staging *st;
	cl_event mapped;
	cl_int code;
	void *p;

	if (!is_fit(c, b, size, transfer) || (st = staging_direct(c->serve,
	    transfer, mem, size)) == NULL)
		return false;
	p = clEnqueueMapBuffer(c->queue, mem, CL_FALSE,
	    CL_MAP_WRITE_INVALIDATE_REGION, offset, size, c->wait_count,
	    c->wait, &mapped, &code);
	if (code != CL_SUCCESS) {
		staging_free(c->serve, st);
		return false;
	}
	st->place = p;
	c->staging = st;
	c->event_ret = &c->event;
	code = keep_beginning(c, mapped);
	if (code == CL_SUCCESS)
		code = wait_for_body(c, st, mapped);
	if (code == CL_SUCCESS)
		code = clEnqueueUnmapMemObject(c->queue, mem, p,
		    c->wait_count, c->wait, c->event_ret);
	else
		clEnqueueUnmapMemObject(c->queue, mem, p, 1, &mapped, NULL);
	clReleaseEvent(mapped);
	/* The map is to be carried out whatever became of the rest. */
	dispatch_note_queue(c->vqueue);
	command_close(c, code);
	return true;
}

bool
direct_read(struct command *c, const struct vmem *b, size_t offset,
    size_t size, uint64_t transfer)
{
	cl_mem mem = native(b, c->member);
	cl_event wait[2];
	cl_int code;
	void *p;

	/* Only if the program waits. */
	if (!is_fit(c, b, size, transfer) ||
	    !(c->call->flags & FRAME_NOTIFY))
		return false;
	wait[1] = clCreateUserEvent(native(c->context, c->member), &code);
	if (code != CL_SUCCESS)
		return false;
	p = clEnqueueMapBuffer(c->queue, mem, CL_FALSE, CL_MAP_READ, offset,
	    size, c->wait_count, c->wait, &wait[0], &code);
	if (code != CL_SUCCESS) {
		clReleaseEvent(wait[1]);
		return false;
	}
	code = clEnqueueUnmapMemObject(c->queue, mem, p, 2, wait, NULL);
	c->event = wait[0];
	if (!command_body_at(c, transfer, p, size)) {
		command_set_event(wait[1], CL_COMPLETE);
		clReleaseEvent(wait[1]);
		return true;
	}
	c->staging->gate = wait[1];
	command_close(c, code);
	return true;
}
