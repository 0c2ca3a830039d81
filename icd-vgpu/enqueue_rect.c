/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/enqueue.h"

#include "icd-vgpu/calls.h"
#include "icd-vgpu/direct.h"
#include "icd-vgpu/rect.h"

/*
 * The two sides of a transfer: the box in the buffer, checked against it, and
 * the box in the program's memory.
 */
static cl_int
check_sides(const struct command *c, const struct mem *b,
    const struct rect *in, const struct rect *out, const void *ptr)
{
	size_t begin, end;
	cl_int code;

	if ((code = mem_check_command(c, b)) != CL_SUCCESS)
		return code;
	if (!rect_fits(in, b->size) || !rect_range(out, &begin, &end) ||
	    ptr == NULL)
		return CL_INVALID_VALUE;
	return CL_SUCCESS;
}

/* The box in a buffer that lies in the arena. */
static struct layout
inside_layout(struct mem *b, const struct rect *in)
{
	const uint8_t *place = mem_place(b);

	return place != NULL ? rect_layout(in, place) : (struct layout){
	    .base = NULL };
}

cl_int
icd_clEnqueueReadBufferRect(cl_command_queue command_queue, cl_mem buffer,
    cl_bool blocking, const size_t *buffer_origin, const size_t *host_origin,
    const size_t *region, size_t buffer_row_pitch, size_t buffer_slice_pitch,
    size_t host_row_pitch, size_t host_slice_pitch, void *ptr, cl_uint n,
    const cl_event *list, cl_event *event)
{
	struct mem *b = mem_check_buffer(buffer);
	struct msg_clEnqueueReadBufferRect m;
	struct rect in, out;
	struct triple origin, size;
	struct layout to, inside;
	struct command c;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ CL_COMMAND_READ_BUFFER_RECT, blocking,
	    true }, n, list, event);

	if (code != CL_SUCCESS)
		return code;
	if (b == NULL)
		return command_drop(&c, CL_INVALID_MEM_OBJECT);
	if ((code = rect_init(&in, buffer_origin, region, buffer_row_pitch,
	    buffer_slice_pitch)) != CL_SUCCESS ||
	    (code = rect_init(&out, host_origin, region, host_row_pitch,
	    host_slice_pitch)) != CL_SUCCESS ||
	    (code = check_sides(&c, b, &in, &out, ptr)) != CL_SUCCESS ||
	    (code = mem_check_host_read(b)) != CL_SUCCESS)
		return command_drop(&c, code);
	origin = triple(buffer_origin);
	size = triple(region);
	to = rect_layout(&out, ptr);
	inside = inside_layout(b, &in);
	m.command_queue.id = c.queue->o.id;
	m.buffer.id = b->o.id;
	m.buffer_origin = triple_span(&origin);
	m.region = triple_span(&size);
	m.buffer_row_pitch = in.row_pitch;
	m.buffer_slice_pitch = in.slice_pitch;
	m.event_wait_list = c.list;
	m.event = c.event_id;
	return direct_read(&c, &desc_clEnqueueReadBufferRect, &m,
	    &m.transfer, b, &inside, &to, NULL);
}

cl_int
icd_clEnqueueWriteBufferRect(cl_command_queue command_queue, cl_mem buffer,
    cl_bool blocking, const size_t *buffer_origin, const size_t *host_origin,
    const size_t *region, size_t buffer_row_pitch, size_t buffer_slice_pitch,
    size_t host_row_pitch, size_t host_slice_pitch, const void *ptr,
    cl_uint n, const cl_event *list, cl_event *event)
{
	struct mem *b = mem_check_buffer(buffer);
	struct msg_clEnqueueWriteBufferRect m;
	struct rect in, out;
	struct triple origin, size;
	struct layout from, inside;
	struct command c;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ CL_COMMAND_WRITE_BUFFER_RECT, blocking,
	    true }, n, list, event);

	if (code != CL_SUCCESS)
		return code;
	if (b == NULL)
		return command_drop(&c, CL_INVALID_MEM_OBJECT);
	if ((code = rect_init(&in, buffer_origin, region, buffer_row_pitch,
	    buffer_slice_pitch)) != CL_SUCCESS ||
	    (code = rect_init(&out, host_origin, region, host_row_pitch,
	    host_slice_pitch)) != CL_SUCCESS ||
	    (code = check_sides(&c, b, &in, &out, ptr)) != CL_SUCCESS ||
	    (code = mem_check_host_write(b)) != CL_SUCCESS)
		return command_drop(&c, code);
	origin = triple(buffer_origin);
	size = triple(region);
	from = rect_layout(&out, ptr);
	inside = inside_layout(b, &in);
	m.command_queue.id = c.queue->o.id;
	m.buffer.id = b->o.id;
	m.buffer_origin = triple_span(&origin);
	m.region = triple_span(&size);
	m.buffer_row_pitch = in.row_pitch;
	m.buffer_slice_pitch = in.slice_pitch;
	m.event_wait_list = c.list;
	m.event = c.event_id;
	return direct_write(&c, &desc_clEnqueueWriteBufferRect, &m, &m.data,
	    &m.transfer, b, &inside, &from, NULL);
}

static cl_int
check_copy(const struct command *c, struct mem *src, struct mem *dst,
    const struct rect *from, const struct rect *to)
{
	size_t src_at, dst_at;
	cl_int code;

	if ((code = mem_check_command(c, src)) != CL_SUCCESS ||
	    (code = mem_check_command(c, dst)) != CL_SUCCESS)
		return code;
	if (!rect_fits(from, src->size) || !rect_fits(to, dst->size))
		return CL_INVALID_VALUE;
	if (src == dst && (from->row_pitch != to->row_pitch ||
	    from->slice_pitch != to->slice_pitch))
		return CL_INVALID_VALUE;
	return mem_root(src, &src_at) == mem_root(dst, &dst_at) &&
	    rect_overlap(from, src_at, to, dst_at) ? CL_MEM_COPY_OVERLAP :
	    CL_SUCCESS;
}

cl_int
icd_clEnqueueCopyBufferRect(cl_command_queue command_queue,
    cl_mem src_buffer, cl_mem dst_buffer, const size_t *src_origin,
    const size_t *dst_origin, const size_t *region, size_t src_row_pitch,
    size_t src_slice_pitch, size_t dst_row_pitch, size_t dst_slice_pitch,
    cl_uint n, const cl_event *list, cl_event *event)
{
	struct mem *src = mem_check_buffer(src_buffer);
	struct mem *dst = mem_check_buffer(dst_buffer);
	struct msg_clEnqueueCopyBufferRect m;
	struct triple src_at, dst_at, size;
	struct rect from, to;
	struct command c;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ .type = CL_COMMAND_COPY_BUFFER_RECT },
	    n, list, event);

	if (code != CL_SUCCESS)
		return code;
	if (src == NULL || dst == NULL)
		return command_drop(&c, CL_INVALID_MEM_OBJECT);
	if ((code = rect_init(&from, src_origin, region, src_row_pitch,
	    src_slice_pitch)) != CL_SUCCESS ||
	    (code = rect_init(&to, dst_origin, region, dst_row_pitch,
	    dst_slice_pitch)) != CL_SUCCESS ||
	    (code = check_copy(&c, src, dst, &from, &to)) != CL_SUCCESS)
		return command_drop(&c, code);
	src_at = triple(src_origin);
	dst_at = triple(dst_origin);
	size = triple(region);
	m.command_queue.id = c.queue->o.id;
	m.src_buffer.id = src->o.id;
	m.dst_buffer.id = dst->o.id;
	m.src_origin = triple_span(&src_at);
	m.dst_origin = triple_span(&dst_at);
	m.region = triple_span(&size);
	m.src_row_pitch = from.row_pitch;
	m.src_slice_pitch = from.slice_pitch;
	m.dst_row_pitch = to.row_pitch;
	m.dst_slice_pitch = to.slice_pitch;
	m.event_wait_list = c.list;
	m.event = c.event_id;
	return command_send(&c, &desc_clEnqueueCopyBufferRect, &m, NULL);
}
