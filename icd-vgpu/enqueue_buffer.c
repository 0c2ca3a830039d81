/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/enqueue.h"

#include <stdlib.h>

#include "icd-vgpu/calls.h"
#include "icd-vgpu/direct.h"

/* What reads and writes have to pass besides host access. */
static cl_int
check_linear(const struct command *c, const struct mem *b, size_t offset,
    size_t size, const void *ptr)
{
	cl_int code;

	if (b == NULL)
		return CL_INVALID_MEM_OBJECT;
	if ((code = mem_check_command(c, b)) != CL_SUCCESS)
		return code;
	return ptr != NULL ? check_range(b, offset, size) : CL_INVALID_VALUE;
}

cl_int
icd_clEnqueueReadBuffer(cl_command_queue command_queue, cl_mem buffer,
    cl_bool blocking, size_t offset, size_t size, void *ptr, cl_uint n,
    const cl_event *list, cl_event *event)
{
	struct mem *b = mem_check_buffer(buffer);
	struct layout to = layout_flat(ptr, size), inside;
	struct msg_clEnqueueReadBuffer m;
	struct command c;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ CL_COMMAND_READ_BUFFER, blocking,
	    true }, n, list, event);

	if (code != CL_SUCCESS)
		return code;
	if ((code = check_linear(&c, b, offset, size, ptr)) != CL_SUCCESS ||
	    (code = mem_check_host_read(b)) != CL_SUCCESS)
		return command_drop(&c, code);
	inside = direct_flat(b, offset, size);
	m.command_queue.id = c.queue->o.id;
	m.buffer.id = b->o.id;
	m.offset = offset;
	m.size = size;
	m.event_wait_list = c.list;
	m.event = c.event_id;
	return direct_read(&c, &desc_clEnqueueReadBuffer, &m, &m.transfer,
	    b, &inside, &to, NULL);
}

cl_int
icd_clEnqueueWriteBuffer(cl_command_queue command_queue, cl_mem buffer,
    cl_bool blocking, size_t offset, size_t size, const void *ptr, cl_uint n,
    const cl_event *list, cl_event *event)
{
	struct mem *b = mem_check_buffer(buffer);
	struct layout from = layout_flat(ptr, size), inside;
	struct msg_clEnqueueWriteBuffer m;
	struct command c;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ CL_COMMAND_WRITE_BUFFER, blocking,
	    transfer_is_bulk(size) }, n, list, event);

	if (code != CL_SUCCESS)
		return code;
	if ((code = check_linear(&c, b, offset, size, ptr)) != CL_SUCCESS ||
	    (code = mem_check_host_write(b)) != CL_SUCCESS)
		return command_drop(&c, code);
	inside = direct_flat(b, offset, size);
	m.command_queue.id = c.queue->o.id;
	m.buffer.id = b->o.id;
	m.offset = offset;
	m.size = size;
	m.event_wait_list = c.list;
	m.event = c.event_id;
	return direct_write(&c, &desc_clEnqueueWriteBuffer, &m, &m.data,
	    &m.transfer, b, &inside, &from, NULL);
}

/* Ranges of one memory that share a byte; n bytes each. */
static bool
overlap(struct mem *src, size_t src_offset, struct mem *dst,
    size_t dst_offset, size_t n)
{
	size_t a, b;

	if (mem_root(src, &a) != mem_root(dst, &b))
		return false;
	a += src_offset;
	b += dst_offset;
	return a < b + n && b < a + n;
}

static cl_int
check_copy(const struct command *c, struct mem *src, struct mem *dst,
    size_t src_offset, size_t dst_offset, size_t size)
{
	cl_int code;

	if (src == NULL || dst == NULL)
		return CL_INVALID_MEM_OBJECT;
	if ((code = mem_check_command(c, src)) != CL_SUCCESS ||
	    (code = mem_check_command(c, dst)) != CL_SUCCESS ||
	    (code = check_range(src, src_offset, size)) != CL_SUCCESS ||
	    (code = check_range(dst, dst_offset, size)) != CL_SUCCESS)
		return code;
	return overlap(src, src_offset, dst, dst_offset, size) ?
	    CL_MEM_COPY_OVERLAP : CL_SUCCESS;
}

cl_int
icd_clEnqueueCopyBuffer(cl_command_queue command_queue, cl_mem src_buffer,
    cl_mem dst_buffer, size_t src_offset, size_t dst_offset, size_t size,
    cl_uint n, const cl_event *list, cl_event *event)
{
	struct mem *src = mem_check_buffer(src_buffer);
	struct mem *dst = mem_check_buffer(dst_buffer);
	struct msg_clEnqueueCopyBuffer m;
	struct command c;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ .type = CL_COMMAND_COPY_BUFFER }, n,
	    list, event);

	if (code != CL_SUCCESS)
		return code;
	if ((code = check_copy(&c, src, dst, src_offset, dst_offset, size)) !=
	    CL_SUCCESS)
		return command_drop(&c, code);
	m.command_queue.id = c.queue->o.id;
	m.src_buffer.id = src->o.id;
	m.dst_buffer.id = dst->o.id;
	m.src_offset = src_offset;
	m.dst_offset = dst_offset;
	m.size = size;
	m.event_wait_list = c.list;
	m.event = c.event_id;
	return command_send(&c, &desc_clEnqueueCopyBuffer, &m, NULL);
}

static cl_int
check_fill(const struct command *c, const struct mem *b, const void *pattern,
    size_t pattern_size, size_t offset, size_t size)
{
	cl_int code;

	if (b == NULL)
		return CL_INVALID_MEM_OBJECT;
	if ((code = mem_check_command(c, b)) != CL_SUCCESS ||
	    (code = check_pattern(pattern, pattern_size)) != CL_SUCCESS)
		return code;
	if (offset % pattern_size != 0 || size % pattern_size != 0)
		return CL_INVALID_VALUE;
	return check_range(b, offset, size);
}

cl_int
icd_clEnqueueFillBuffer(cl_command_queue command_queue, cl_mem buffer,
    const void *pattern, size_t pattern_size, size_t offset, size_t size,
    cl_uint n, const cl_event *list, cl_event *event)
{
	struct mem *b = mem_check_buffer(buffer);
	struct msg_clEnqueueFillBuffer m;
	struct command c;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ .type = CL_COMMAND_FILL_BUFFER }, n,
	    list, event);

	if (code != CL_SUCCESS)
		return code;
	if ((code = check_fill(&c, b, pattern, pattern_size, offset, size)) !=
	    CL_SUCCESS)
		return command_drop(&c, code);
	m.command_queue.id = c.queue->o.id;
	m.buffer.id = b->o.id;
	m.offset = offset;
	m.size = size;
	m.event_wait_list = c.list;
	m.event = c.event_id;
	m.pattern_bytes = (struct span){ pattern, pattern_size };
	return command_send(&c, &desc_clEnqueueFillBuffer, &m, NULL);
}

static cl_int
check_migrate(const struct command *c, cl_uint count, const cl_mem *mems,
    cl_mem_migration_flags flags, uint64_t *ids)
{
	const struct mem *m;
	cl_int code;
	cl_uint i;

	for (i = 0; i < count; i++) {
		if ((m = mem_check(mems[i])) == NULL)
			return CL_INVALID_MEM_OBJECT;
		if ((code = mem_check_command(c, m)) != CL_SUCCESS)
			return code;
		ids[i] = m->o.id;
	}
	return flags & ~(cl_mem_migration_flags)(CL_MIGRATE_MEM_OBJECT_HOST |
	    CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED) ? CL_INVALID_VALUE :
	    CL_SUCCESS;
}

cl_int
icd_clEnqueueMigrateMemObjects(cl_command_queue command_queue, cl_uint count,
    const cl_mem *mems, cl_mem_migration_flags flags, cl_uint n,
    const cl_event *list, cl_event *event)
{
	struct msg_clEnqueueMigrateMemObjects m;
	struct command c;
	uint64_t *ids = NULL;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ .type = CL_COMMAND_MIGRATE_MEM_OBJECTS },
	    n, list, event);

	if (code != CL_SUCCESS)
		return code;
	if (count == 0 || mems == NULL)
		code = CL_INVALID_VALUE;
	else if ((ids = malloc(count * sizeof(*ids))) == NULL)
		code = CL_OUT_OF_HOST_MEMORY;
	else
		code = check_migrate(&c, count, mems, flags, ids);
	if (code != CL_SUCCESS) {
		free(ids);
		return command_drop(&c, code);
	}
	m.command_queue.id = c.queue->o.id;
	m.mem_objects = (struct span){ ids, count };
	m.flags = flags;
	m.event_wait_list = c.list;
	m.event = c.event_id;
	code = command_send(&c, &desc_clEnqueueMigrateMemObjects, &m, NULL);
	free(ids);
	return code;
}
