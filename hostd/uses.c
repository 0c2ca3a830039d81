/* SPDX-License-Identifier: ISC */
#include "hostd/uses.h"

#include <stdlib.h>
#include <string.h>

#include "hostd/kernel_arg.h"
#include "hostd/member.h"
#include "hostd/replay.h"

/* One call's uses while they are found. */
struct finding {
	struct uses *uses;
	unsigned member;
	cl_int code;
};

static bool
make_room(struct uses *u)
{
	const unsigned room = 2 * u->room;
	struct use *more;

	if (u->count < u->room)
		return true;
	more = realloc(u->use != u->few ? u->use : NULL,
	    room * sizeof(*more));
	if (more == NULL)
		return false;
	if (u->use == u->few)
		memcpy(more, u->few, sizeof(u->few));
	u->use = more;
	u->room = room;
	return true;
}

/* Bytes that an object has in its root. */
static size_t
extent(const struct vmem *root, const struct vmem *m)
{
	if (m == root)
		return m->replica.size;
	/* An image in a buffer may use all of that. */
	return m->size != 0 ? m->size : extent(root, m->parent);
}

enum { READS = 1, WRITES = 2 };

static void
add(struct finding *f, struct vmem *m, size_t at, size_t size, unsigned how)
{
	struct vmem *root;
	size_t begin, all;

	if (f->code != CL_SUCCESS ||
	    (f->code = member_mem_make(m, f->member)) != CL_SUCCESS)
		return;
	root = member_mem_root(m, &begin);
	all = extent(root, m);
	if (size == 0 || at > all || size > all - at)
		return;
	if (!make_room(f->uses)) {
		f->code = CL_OUT_OF_HOST_MEMORY;
		return;
	}
	f->uses->use[f->uses->count++] = (struct use){ object_ref(root),
		begin + at, size, (how & READS) != 0, (how & WRITES) != 0 };
}

static void
add_all(struct finding *f, struct vmem *m, unsigned how)
{
	size_t begin;

	add(f, m, 0, extent(member_mem_root(m, &begin), m), how);
}

/*
 * From the first to the last byte of a rectangle.  Where there are gaps, what
 * is written needs what was there.
 */
static void
add_rect(struct finding *f, struct vmem *m, const struct span *origin,
    const struct span *region, size_t row, size_t slice, unsigned how)
{
	const uint64_t *o = origin->p, *r = region->p;
	size_t rows, slices, begin, last;

	if (r[0] == 0 || r[1] == 0 || r[2] == 0)
		return;
	row = row != 0 ? row : r[0];
	if (__builtin_mul_overflow(row, r[1], &rows))
		return;
	slice = slice != 0 ? slice : rows;
	if (__builtin_mul_overflow(row, o[1], &begin) ||
	    __builtin_mul_overflow(slice, o[2], &slices) ||
	    __builtin_add_overflow(begin, slices, &begin) ||
	    __builtin_add_overflow(begin, o[0], &begin) ||
	    __builtin_mul_overflow(slice, r[2] - 1, &last) ||
	    __builtin_add_overflow(last, row * (r[1] - 1), &last) ||
	    __builtin_add_overflow(last, r[0], &last))
		return;
	if ((r[1] > 1 && row != r[0]) || (r[2] > 1 && slice != rows))
		how |= READS;
	add(f, m, begin, last, how);
}

/* ---- messages ---------------------------------------------------------- */

static void
of_unmap(struct finding *f, const struct msg_clEnqueueUnmapMemObject *m)
{
	const uint64_t *origin = m->origin.p, *region = m->region.p;
	struct vmem *b = m->memobj.obj;

	if (m->transfer == 0 && m->data.n == 0)
		return;
	if (b->element != 0)
		add_all(f, b, READS | WRITES);
	else
		add(f, b, origin[0], region[0], WRITES);
}

static void
of_migrate(struct finding *f, const struct msg_clEnqueueMigrateMemObjects *m)
{
	const bool stays = (m->flags & (CL_MIGRATE_MEM_OBJECT_HOST |
	    CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)) != 0;
	uint64_t i;

	for (i = 0; i < m->mem_objects.n; i++)
		add_all(f, span_objects(&m->mem_objects)[i],
		    stays ? 0 : READS);
}

static void
of_copy_rect(struct finding *f, const struct msg_clEnqueueCopyBufferRect *m)
{
	add_rect(f, m->src_buffer.obj, &m->src_origin, &m->region,
	    m->src_row_pitch, m->src_slice_pitch, READS);
	add_rect(f, m->dst_buffer.obj, &m->dst_origin, &m->region,
	    m->dst_row_pitch, m->dst_slice_pitch, WRITES);
}

static void
of_launch(struct finding *f, const struct msg_clEnqueueNDRangeKernel *m)
{
	const struct vkernel *k = m->kernel.obj;
	const struct varg *a;
	struct vmem *b;
	unsigned i;

	for (i = 0; i < k->arg_count; i++) {
		a = &k->arg[i];
		if (a->object == NULL || a->object->kind != OBJ_MEM)
			continue;
		b = (struct vmem *)a->object;
		add_all(f, b, a->reads_only || b->read_only ?
		    READS : READS | WRITES);
	}
}

static void
of_image(struct finding *f, const struct call *call)
{
	const void *m = call->msg;

	switch (call->message->number) {
	case MSG_clEnqueueReadImage:
		add_all(f, ((const struct msg_clEnqueueReadImage *)m)->
		    image.obj, READS);
		break;
	case MSG_clEnqueueWriteImage:
		add_all(f, ((const struct msg_clEnqueueWriteImage *)m)->
		    image.obj, READS | WRITES);
		break;
	case MSG_clEnqueueFillImage:
		add_all(f, ((const struct msg_clEnqueueFillImage *)m)->
		    image.obj, READS | WRITES);
		break;
	case MSG_clEnqueueMapImage:
		if (((const struct msg_clEnqueueMapImage *)m)->transfer != 0)
			add_all(f, ((const struct msg_clEnqueueMapImage *)m)->
			    image.obj, READS);
		break;
	}
}

static void
of_image_copy(struct finding *f, const struct call *call)
{
	const struct msg_clEnqueueCopyImage *copy = call->msg;
	const struct msg_clEnqueueCopyImageToBuffer *out = call->msg;
	const struct msg_clEnqueueCopyBufferToImage *in = call->msg;

	switch (call->message->number) {
	case MSG_clEnqueueCopyImage:
		add_all(f, copy->src_image.obj, READS);
		add_all(f, copy->dst_image.obj, READS | WRITES);
		break;
	case MSG_clEnqueueCopyImageToBuffer:
		add_all(f, out->src_image.obj, READS);
		add_all(f, out->dst_buffer.obj, READS | WRITES);
		break;
	case MSG_clEnqueueCopyBufferToImage:
		add_all(f, in->src_buffer.obj, READS);
		add_all(f, in->dst_image.obj, READS | WRITES);
		break;
	}
}

static void
of_rect(struct finding *f, const struct call *call)
{
	const struct msg_clEnqueueReadBufferRect *r = call->msg;
	const struct msg_clEnqueueWriteBufferRect *w = call->msg;

	if (call->message->number == MSG_clEnqueueReadBufferRect)
		add_rect(f, r->buffer.obj, &r->buffer_origin, &r->region,
		    r->buffer_row_pitch, r->buffer_slice_pitch, READS);
	else
		add_rect(f, w->buffer.obj, &w->buffer_origin, &w->region,
		    w->buffer_row_pitch, w->buffer_slice_pitch, WRITES);
}

static void
of_buffer(struct finding *f, const struct call *call)
{
	const struct msg_clEnqueueReadBuffer *r = call->msg;
	const struct msg_clEnqueueWriteBuffer *w = call->msg;
	const struct msg_clEnqueueFillBuffer *fill = call->msg;
	const struct msg_clEnqueueCopyBuffer *copy = call->msg;
	const struct msg_clEnqueueMapBuffer *map = call->msg;

	switch (call->message->number) {
	case MSG_clEnqueueReadBuffer:
		add(f, r->buffer.obj, r->offset, r->size, READS);
		break;
	case MSG_clEnqueueWriteBuffer:
		add(f, w->buffer.obj, w->offset, w->size, WRITES);
		break;
	case MSG_clEnqueueFillBuffer:
		add(f, fill->buffer.obj, fill->offset, fill->size, WRITES);
		break;
	case MSG_clEnqueueCopyBuffer:
		add(f, copy->src_buffer.obj, copy->src_offset, copy->size,
		    READS);
		add(f, copy->dst_buffer.obj, copy->dst_offset, copy->size,
		    WRITES);
		break;
	case MSG_clEnqueueMapBuffer:
		if (map->transfer != 0)
			add(f, map->buffer.obj, map->offset, map->size, READS);
		break;
	}
}

static void find(struct finding *, const struct call *);

/* All that its commands use, at once: what is missing is copied before. */
static void
of_commands(struct finding *f, const struct vcommands *v)
{
	struct call call = { 0 };
	unsigned i;

	for (i = 0; i < v->count; i++) {
		call.message = v->list[i]->message;
		call.msg = v->list[i]->msg;
		find(f, &call);
	}
}

/* Others use no memory: markers, barriers. */
static void
find(struct finding *f, const struct call *call)
{
	switch (call->message->number) {
	case MSG_clEnqueueReadBuffer:
	case MSG_clEnqueueWriteBuffer:
	case MSG_clEnqueueFillBuffer:
	case MSG_clEnqueueCopyBuffer:
	case MSG_clEnqueueMapBuffer:
		of_buffer(f, call);
		break;
	case MSG_clEnqueueReadBufferRect:
	case MSG_clEnqueueWriteBufferRect:
		of_rect(f, call);
		break;
	case MSG_clEnqueueCopyBufferRect:
		of_copy_rect(f, call->msg);
		break;
	case MSG_clEnqueueReadImage:
	case MSG_clEnqueueWriteImage:
	case MSG_clEnqueueFillImage:
	case MSG_clEnqueueMapImage:
		of_image(f, call);
		break;
	case MSG_clEnqueueCopyImage:
	case MSG_clEnqueueCopyImageToBuffer:
	case MSG_clEnqueueCopyBufferToImage:
		of_image_copy(f, call);
		break;
	case MSG_clEnqueueUnmapMemObject:
		of_unmap(f, call->msg);
		break;
	case MSG_clEnqueueMigrateMemObjects:
		of_migrate(f, call->msg);
		break;
	case MSG_clEnqueueNDRangeKernel:
		of_launch(f, call->msg);
		break;
	case MSG_clEnqueueCommandBufferKHR:
		of_commands(f, ((const struct msg_clEnqueueCommandBufferKHR *)
		    call->msg)->command_buffer.obj);
		break;
	}
}

cl_int
uses_find(struct uses *u, const struct call *call, unsigned member)
{
	struct finding f = { u, member, CL_SUCCESS };

	u->count = 0;
	u->room = USES_FEW;
	u->use = u->few;
	find(&f, call);
	return f.code;
}

void
uses_fini(struct uses *u)
{
	unsigned i;

	for (i = 0; i < u->count; i++)
		object_unref(u->use[i].root);
	if (u->use != u->few)
		free(u->use);
}
