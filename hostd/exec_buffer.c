/* SPDX-License-Identifier: ISC */
/*
 * exec_buffer - buffers, and the commands that move their contents.
 *
 * Bodies are packed, so rectangles have no pitches on the host's side.  A
 * client's mapped memory is the client's, so a map is a read here and an
 * unmap is a write.
 */
#include "hostd/calls.h"

#include "hostd/command.h"
#include "hostd/direct.h"
#include "hostd/member.h"
#include "hostd/window.h"
#include "protocol/shared.h"

static void
create_placed(struct serve *s, struct call *call,
    const struct msg_clCreateBufferWithProperties *m)
{
	struct vmem *b = vmem_new(s, call, m->id.id, m->context.obj, NULL,
	    m->flags);

	if (b == NULL)
		return;
	b->size = m->size;
	vmem_made(s, call, b, NULL, vmem_make_placed(s, b, m->flags,
	    m->transfer & TRANSFER_REST));
}

void
exec_clCreateBufferWithProperties(struct serve *s, struct call *call,
    struct msg_clCreateBufferWithProperties *m)
{
	struct vcontext *c = m->context.obj;
	cl_mem_flags flags;
	struct vmem *b;
	const void *body;
	void *memory;
	cl_int code;

	if (transfer_kind(m->transfer) == TRANSFER_OWN) {
		create_placed(s, call, m);
		return;
	}
	if (creation_body(s, call, &m->data, m->transfer, m->size, &body) !=
	    VGPU_OK || (b = vmem_new(s, call, m->id.id, c, NULL, m->flags)) ==
	    NULL)
		return;
	b->size = m->size;
	flags = vmem_flags(m->flags, body);
	memory = (void *)(uintptr_t)body;
	if (m->svm != 0) {
		flags |= CL_MEM_USE_HOST_PTR;
		memory = svm_memory(c, m->svm, m->size);
		if (memory == NULL) {
			call_fail(s, call, CL_INVALID_HOST_PTR, NULL);
			return;
		}
	}
	b->o.native[0] = clCreateBuffer(native(c, 0), flags, m->size, memory,
	    &code);
	vmem_made(s, call, b, body, code);
}

void
exec_clCreateSubBuffer(struct serve *s, struct call *call,
    struct msg_clCreateSubBuffer *m)
{
	struct vmem *parent = m->buffer.obj;
	const cl_buffer_region region = { m->origin, m->size };
	struct vmem *b = vmem_new(s, call, m->id.id, parent->context, parent,
	    m->flags);
	cl_int code = CL_SUCCESS;

	if (b == NULL)
		return;
	b->size = m->size;
	b->origin = m->origin;
	/* Else where it is used: what is aligned there may not be here. */
	if (!context_is_mixed(parent->context))
		b->o.native[0] = clCreateSubBuffer(native(parent, 0),
		    vmem_flags(m->flags, NULL), CL_BUFFER_CREATE_TYPE_REGION,
		    &region, &code);
	vmem_made(s, call, b, NULL, code);
}

/* ---- reading and writing ----------------------------------------------- */

/*
 * No memory is taken for what is not in the buffer; the client knows better
 * than to ask for it.  False: the command is closed.
 */
static bool
is_inside(struct command *c, const struct vmem *b, size_t offset, size_t size)
{
	if (offset <= b->size && size <= b->size - offset)
		return true;
	command_close(c, CL_INVALID_VALUE);
	return false;
}

/* Each is carried out by the first of three ways that can. */
static void
read_range(struct command *c, struct vmem *b, size_t offset, size_t size,
    uint64_t transfer)
{
	void *to;

	if (!window_command(c, b, transfer) && is_inside(c, b, offset, size) &&
	    !direct_read(c, b, offset, size, transfer) &&
	    (to = command_body_out(c, transfer, size)) != NULL)
		command_close(c, clEnqueueReadBuffer(c->queue,
		    native(b, c->member), CL_FALSE, offset, size, to,
		    c->wait_count, c->wait, c->event_ret));
}

static void
write_range(struct command *c, struct vmem *b, size_t offset, size_t size,
    const struct span *data, uint64_t transfer)
{
	const void *from;

	if (!window_command(c, b, transfer) && is_inside(c, b, offset, size) &&
	    !direct_write(c, b, offset, size, transfer) &&
	    (from = command_body_in(c, data, transfer, size)) != NULL)
		command_close(c, clEnqueueWriteBuffer(c->queue,
		    native(b, c->member), CL_FALSE, offset, size, from,
		    c->wait_count, c->wait, c->event_ret));
}

void
exec_clEnqueueReadBuffer(struct serve *s, struct call *call,
    struct msg_clEnqueueReadBuffer *m)
{
	struct command c;

	if (!command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		return;
	if (m->size == 0)
		command_close_empty(&c);
	else
		read_range(&c, m->buffer.obj, m->offset, m->size, m->transfer);
}

void
exec_clEnqueueWriteBuffer(struct serve *s, struct call *call,
    struct msg_clEnqueueWriteBuffer *m)
{
	struct command c;

	if (!command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		return;
	if (m->size == 0)
		command_close_empty(&c);
	else
		write_range(&c, m->buffer.obj, m->offset, m->size, &m->data,
		    m->transfer);
}

static const size_t no_origin[3];

void
exec_clEnqueueReadBufferRect(struct serve *s, struct call *call,
    struct msg_clEnqueueReadBufferRect *m)
{
	size_t size = command_region(&m->region, 1);
	struct command c;
	void *to;

	if (!command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event) ||
	    window_command(&c, m->buffer.obj, m->transfer) ||
	    !is_inside(&c, m->buffer.obj, 0, size) ||
	    (to = command_body_out(&c, m->transfer, size)) == NULL)
		return;
	command_close(&c, clEnqueueReadBufferRect(c.queue,
	    native(m->buffer.obj, c.member), CL_FALSE, m->buffer_origin.p,
	    no_origin, m->region.p, m->buffer_row_pitch, m->buffer_slice_pitch,
	    0, 0, to, c.wait_count, c.wait, c.event_ret));
}

void
exec_clEnqueueWriteBufferRect(struct serve *s, struct call *call,
    struct msg_clEnqueueWriteBufferRect *m)
{
	size_t size = command_region(&m->region, 1);
	struct command c;
	const void *from;

	if (!command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event) ||
	    window_command(&c, m->buffer.obj, m->transfer) ||
	    !is_inside(&c, m->buffer.obj, 0, size) || (from = command_body_in(
	    &c, &m->data, m->transfer, size)) == NULL)
		return;
	command_close(&c, clEnqueueWriteBufferRect(c.queue,
	    native(m->buffer.obj, c.member), CL_FALSE, m->buffer_origin.p,
	    no_origin, m->region.p, m->buffer_row_pitch, m->buffer_slice_pitch,
	    0, 0, from, c.wait_count, c.wait, c.event_ret));
}

/* ---- on the device ----------------------------------------------------- */

void
exec_clEnqueueFillBuffer(struct serve *s, struct call *call,
    struct msg_clEnqueueFillBuffer *m)
{
	struct command c;

	if (!command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		return;
	if (m->size == 0)
		command_close_empty(&c);
	else
		command_close(&c, clEnqueueFillBuffer(c.queue,
		    native(m->buffer.obj, c.member), m->pattern_bytes.p,
		    m->pattern_bytes.n, m->offset, m->size, c.wait_count,
		    c.wait, c.event_ret));
}

void
exec_clEnqueueCopyBuffer(struct serve *s, struct call *call,
    struct msg_clEnqueueCopyBuffer *m)
{
	struct command c;

	if (!command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		return;
	if (m->size == 0)
		command_close_empty(&c);
	else
		command_close(&c, clEnqueueCopyBuffer(c.queue,
		    native(m->src_buffer.obj, c.member),
		    native(m->dst_buffer.obj, c.member), m->src_offset,
		    m->dst_offset, m->size, c.wait_count, c.wait,
		    c.event_ret));
}

void
exec_clEnqueueCopyBufferRect(struct serve *s, struct call *call,
    struct msg_clEnqueueCopyBufferRect *m)
{
	struct command c;

	if (command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		command_close(&c, clEnqueueCopyBufferRect(c.queue,
		    native(m->src_buffer.obj, c.member),
		    native(m->dst_buffer.obj, c.member), m->src_origin.p,
		    m->dst_origin.p, m->region.p, m->src_row_pitch,
		    m->src_slice_pitch, m->dst_row_pitch, m->dst_slice_pitch,
		    c.wait_count, c.wait, c.event_ret));
}

#define MIGRATE_MAX 256

void
exec_clEnqueueMigrateMemObjects(struct serve *s, struct call *call,
    struct msg_clEnqueueMigrateMemObjects *m)
{
	cl_mem list[MIGRATE_MAX];
	struct command c;
	uint64_t i;

	if (!command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		return;
	for (i = 0; i < m->mem_objects.n && i < MIGRATE_MAX; i++)
		list[i] = native(span_objects(&m->mem_objects)[i], c.member);
	/* Migration is a hint; one of very many objects is not passed on. */
	if (m->mem_objects.n <= MIGRATE_MAX)
		command_close(&c, clEnqueueMigrateMemObjects(c.queue,
		    (cl_uint)i, list, m->flags, c.wait_count, c.wait,
		    c.event_ret));
	else
		command_close_empty(&c);
}

/* ---- maps -------------------------------------------------------------- */

void
exec_clEnqueueMapBuffer(struct serve *s, struct call *call,
    struct msg_clEnqueueMapBuffer *m)
{
	struct command c;

	if (!command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		return;
	if (m->transfer == 0)
		/* What was there will be overwritten: only the order counts. */
		command_close_empty(&c);
	else
		read_range(&c, m->buffer.obj, m->offset, m->size, m->transfer);
}

void
exec_clEnqueueUnmapMemObject(struct serve *s, struct call *call,
    struct msg_clEnqueueUnmapMemObject *m)
{
	struct vmem *b = m->memobj.obj;
	struct command c;

	if (!command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		return;
	if (m->transfer == 0 && m->data.n == 0)
		command_close_empty(&c);
	else if (b->element != 0)
		unmap_image(&c, b, m);
	else
		write_range(&c, b, ((const uint64_t *)m->origin.p)[0],
		    ((const uint64_t *)m->region.p)[0], &m->data,
		    m->transfer);
}
