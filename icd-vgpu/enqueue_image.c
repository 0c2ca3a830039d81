/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/enqueue.h"

#include "icd-vgpu/calls.h"
#include "icd-vgpu/image.h"
#include "icd-vgpu/image_format.h"
#include "icd-vgpu/platform.h"

/* What every command on a region of an image has to pass. */
static cl_int
check_image(const struct command *c, const struct mem *m,
    const size_t *origin, const size_t *region)
{
	cl_int code;

	if (m == NULL)
		return CL_INVALID_MEM_OBJECT;
	if ((code = mem_check_command(c, m)) != CL_SUCCESS)
		return code;
	if (device_u64(c->queue->device, CL_DEVICE_IMAGE_SUPPORT) == 0)
		return CL_INVALID_OPERATION;
	return image_check_region(m, origin, region);
}

/*
 * The same, with a buffer of the right size on the other side, which the image
 * may not lie in.
 */
static cl_int
check_buffer(const struct command *c, const struct mem *b, size_t offset,
    const struct mem *image, const size_t *region)
{
	cl_int code;

	if (image->type == CL_MEM_OBJECT_IMAGE1D_BUFFER && image->parent == b)
		return CL_INVALID_MEM_OBJECT;
	if ((code = mem_check_command(c, b)) != CL_SUCCESS)
		return code;
	return check_range(b, offset, image->image.element * region[0] *
	    region[1] * region[2]);
}

cl_int
icd_clEnqueueReadImage(cl_command_queue command_queue, cl_mem image,
    cl_bool blocking, const size_t *origin, const size_t *region,
    size_t row_pitch, size_t slice_pitch, void *ptr, cl_uint n,
    const cl_event *list, cl_event *event)
{
	struct mem *i = mem_check_image(image);
	struct msg_clEnqueueReadImage m;
	struct triple at, size;
	struct layout to;
	struct command c;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ CL_COMMAND_READ_IMAGE, blocking,
	    true }, n, list, event);

	if (code != CL_SUCCESS)
		return code;
	if ((code = check_image(&c, i, origin, region)) != CL_SUCCESS ||
	    (code = image_layout(i, region, row_pitch, slice_pitch, ptr,
	    &to)) != CL_SUCCESS ||
	    (code = ptr != NULL ? CL_SUCCESS : CL_INVALID_VALUE) !=
	    CL_SUCCESS ||
	    (code = mem_check_host_read(i)) != CL_SUCCESS)
		return command_drop(&c, code);
	at = triple(origin);
	size = triple(region);
	m.command_queue.id = c.queue->o.id;
	m.image.id = i->o.id;
	m.origin = triple_span(&at);
	m.region = triple_span(&size);
	m.event_wait_list = c.list;
	m.event = c.event_id;
	return enqueue_read(&c, &desc_clEnqueueReadImage, &m, &m.transfer,
	    &to, NULL);
}

cl_int
icd_clEnqueueWriteImage(cl_command_queue command_queue, cl_mem image,
    cl_bool blocking, const size_t *origin, const size_t *region,
    size_t row_pitch, size_t slice_pitch, const void *ptr, cl_uint n,
    const cl_event *list, cl_event *event)
{
	struct mem *i = mem_check_image(image);
	struct msg_clEnqueueWriteImage m;
	struct triple at, size;
	struct layout from;
	struct command c;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ CL_COMMAND_WRITE_IMAGE, blocking,
	    true }, n, list, event);

	if (code != CL_SUCCESS)
		return code;
	if ((code = check_image(&c, i, origin, region)) != CL_SUCCESS ||
	    (code = image_layout(i, region, row_pitch, slice_pitch, ptr,
	    &from)) != CL_SUCCESS ||
	    (code = ptr != NULL ? CL_SUCCESS : CL_INVALID_VALUE) !=
	    CL_SUCCESS ||
	    (code = mem_check_host_write(i)) != CL_SUCCESS)
		return command_drop(&c, code);
	at = triple(origin);
	size = triple(region);
	m.command_queue.id = c.queue->o.id;
	m.image.id = i->o.id;
	m.origin = triple_span(&at);
	m.region = triple_span(&size);
	m.event_wait_list = c.list;
	m.event = c.event_id;
	return enqueue_write(&c, &desc_clEnqueueWriteImage, &m, &m.data,
	    &m.transfer, &from, NULL);
}

cl_int
icd_clEnqueueFillImage(cl_command_queue command_queue, cl_mem image,
    const void *fill_color, const size_t *origin, const size_t *region,
    cl_uint n, const cl_event *list, cl_event *event)
{
	struct mem *i = mem_check_image(image);
	struct msg_clEnqueueFillImage m;
	struct triple at, size;
	struct command c;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ .type = CL_COMMAND_FILL_IMAGE }, n,
	    list, event);

	if (code != CL_SUCCESS)
		return code;
	if ((code = check_image(&c, i, origin, region)) != CL_SUCCESS ||
	    (code = fill_color != NULL ? CL_SUCCESS : CL_INVALID_VALUE) !=
	    CL_SUCCESS)
		return command_drop(&c, code);
	at = triple(origin);
	size = triple(region);
	m.command_queue.id = c.queue->o.id;
	m.image.id = i->o.id;
	m.origin = triple_span(&at);
	m.region = triple_span(&size);
	m.event_wait_list = c.list;
	m.event = c.event_id;
	m.color = (struct span){ fill_color,
		image_format_color_size(&i->image.format) };
	return command_send(&c, &desc_clEnqueueFillImage, &m, NULL);
}

static cl_int
check_copy(const struct command *c, struct mem *src, struct mem *dst,
    const size_t *from, const size_t *to, const size_t *region)
{
	cl_int code;

	if (src == NULL || dst == NULL)
		return CL_INVALID_MEM_OBJECT;
	if ((code = check_image(c, src, from, region)) != CL_SUCCESS ||
	    (code = check_image(c, dst, to, region)) != CL_SUCCESS)
		return code;
	if (src->image.format.image_channel_order !=
	    dst->image.format.image_channel_order ||
	    src->image.format.image_channel_data_type !=
	    dst->image.format.image_channel_data_type)
		return CL_IMAGE_FORMAT_MISMATCH;
	return src == dst && image_overlap(from, to, region) ?
	    CL_MEM_COPY_OVERLAP : CL_SUCCESS;
}

cl_int
icd_clEnqueueCopyImage(cl_command_queue command_queue, cl_mem src_image,
    cl_mem dst_image, const size_t *src_origin, const size_t *dst_origin,
    const size_t *region, cl_uint n, const cl_event *list, cl_event *event)
{
	struct mem *src = mem_check_image(src_image);
	struct mem *dst = mem_check_image(dst_image);
	struct msg_clEnqueueCopyImage m;
	struct triple from, to, size;
	struct command c;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ .type = CL_COMMAND_COPY_IMAGE }, n,
	    list, event);

	if (code != CL_SUCCESS)
		return code;
	if ((code = check_copy(&c, src, dst, src_origin, dst_origin,
	    region)) != CL_SUCCESS)
		return command_drop(&c, code);
	from = triple(src_origin);
	to = triple(dst_origin);
	size = triple(region);
	m.command_queue.id = c.queue->o.id;
	m.src_image.id = src->o.id;
	m.dst_image.id = dst->o.id;
	m.src_origin = triple_span(&from);
	m.dst_origin = triple_span(&to);
	m.region = triple_span(&size);
	m.event_wait_list = c.list;
	m.event = c.event_id;
	return command_send(&c, &desc_clEnqueueCopyImage, &m, NULL);
}

cl_int
icd_clEnqueueCopyImageToBuffer(cl_command_queue command_queue,
    cl_mem src_image, cl_mem dst_buffer, const size_t *src_origin,
    const size_t *region, size_t dst_offset, cl_uint n, const cl_event *list,
    cl_event *event)
{
	struct mem *src = mem_check_image(src_image);
	struct mem *dst = mem_check_buffer(dst_buffer);
	struct msg_clEnqueueCopyImageToBuffer m;
	struct triple from, size;
	struct command c;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){
	    .type = CL_COMMAND_COPY_IMAGE_TO_BUFFER }, n, list, event);

	if (code != CL_SUCCESS)
		return code;
	if (src == NULL || dst == NULL)
		return command_drop(&c, CL_INVALID_MEM_OBJECT);
	if ((code = check_image(&c, src, src_origin, region)) != CL_SUCCESS ||
	    (code = check_buffer(&c, dst, dst_offset, src, region)) !=
	    CL_SUCCESS)
		return command_drop(&c, code);
	from = triple(src_origin);
	size = triple(region);
	m.command_queue.id = c.queue->o.id;
	m.src_image.id = src->o.id;
	m.dst_buffer.id = dst->o.id;
	m.src_origin = triple_span(&from);
	m.region = triple_span(&size);
	m.dst_offset = dst_offset;
	m.event_wait_list = c.list;
	m.event = c.event_id;
	return command_send(&c, &desc_clEnqueueCopyImageToBuffer, &m, NULL);
}

cl_int
icd_clEnqueueCopyBufferToImage(cl_command_queue command_queue,
    cl_mem src_buffer, cl_mem dst_image, size_t src_offset,
    const size_t *dst_origin, const size_t *region, cl_uint n,
    const cl_event *list, cl_event *event)
{
	struct mem *src = mem_check_buffer(src_buffer);
	struct mem *dst = mem_check_image(dst_image);
	struct msg_clEnqueueCopyBufferToImage m;
	struct triple to, size;
	struct command c;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){
	    .type = CL_COMMAND_COPY_BUFFER_TO_IMAGE }, n, list, event);

	if (code != CL_SUCCESS)
		return code;
	if (src == NULL || dst == NULL)
		return command_drop(&c, CL_INVALID_MEM_OBJECT);
	if ((code = check_image(&c, dst, dst_origin, region)) != CL_SUCCESS ||
	    (code = check_buffer(&c, src, src_offset, dst, region)) !=
	    CL_SUCCESS)
		return command_drop(&c, code);
	to = triple(dst_origin);
	size = triple(region);
	m.command_queue.id = c.queue->o.id;
	m.src_buffer.id = src->o.id;
	m.dst_image.id = dst->o.id;
	m.src_offset = src_offset;
	m.dst_origin = triple_span(&to);
	m.region = triple_span(&size);
	m.event_wait_list = c.list;
	m.event = c.event_id;
	return command_send(&c, &desc_clEnqueueCopyBufferToImage, &m, NULL);
}
