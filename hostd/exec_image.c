/* SPDX-License-Identifier: ISC */
/*
 * exec_image - images: formats, creation, and the commands that move elements
 * between them and clients.  Bodies are packed, so there are no pitches.
 */
#include "hostd/calls.h"

#include <endian.h>
#include <stdlib.h>

#include "hostd/command.h"
#include "hostd/member.h"

/* ---- formats ----------------------------------------------------------- */

#define FORMATS_MAX 4096

/* What a member supports; *list is NULL when *n is 0 or the code no success. */
static cl_int
list_formats(cl_context context, const struct msg_clGetSupportedImageFormats *m,
    cl_image_format **list, cl_uint *n)
{
	cl_int code = clGetSupportedImageFormats(context, m->flags,
	    (cl_mem_object_type)m->image_type, 0, NULL, n);

	*list = NULL;
	if (*n > FORMATS_MAX)
		*n = FORMATS_MAX;
	if (code != CL_SUCCESS || *n == 0)
		return code;
	if ((*list = calloc(*n, sizeof(**list))) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	code = clGetSupportedImageFormats(context, m->flags,
	    (cl_mem_object_type)m->image_type, *n, *list, NULL);
	if (code != CL_SUCCESS) {
		free(*list);
		*list = NULL;
	}
	return code;
}

static bool
has_format(const cl_image_format *list, cl_uint n, const cl_image_format *f)
{
	cl_uint i;

	for (i = 0; i < n; i++)
		if (list[i].image_channel_order == f->image_channel_order &&
		    list[i].image_channel_data_type ==
		    f->image_channel_data_type)
			return true;
	return false;
}

/* An image may be used in any member, so all have to support its format. */
static cl_int
common_formats(const struct vcontext *c,
    const struct msg_clGetSupportedImageFormats *m, cl_image_format **list,
    cl_uint *n)
{
	cl_image_format *other;
	cl_uint count, i, kept;
	cl_int code = list_formats(native(c, 0), m, list, n);
	unsigned k;

	for (k = 1; k < c->member_count && code == CL_SUCCESS; k++) {
		code = list_formats(native(c, k), m, &other, &count);
		for (i = 0, kept = 0; i < *n && code == CL_SUCCESS; i++)
			if (has_format(other, count, &(*list)[i]))
				(*list)[kept++] = (*list)[i];
		*n = kept;
		free(other);
	}
	return code;
}

void
exec_clGetSupportedImageFormats(struct serve *s, struct call *call,
    struct msg_clGetSupportedImageFormats *m)
{
	struct reply_clGetSupportedImageFormats reply = { 0 };
	cl_image_format *list;
	cl_uint n = 0, i;
	cl_int code = common_formats(m->context.obj, m, &list, &n);

	if (code != CL_SUCCESS) {
		free(list);
		call_fail(s, call, code, NULL);
		return;
	}
	for (i = 0; i < n; i++) {
		list[i].image_channel_order =
		    htole32(list[i].image_channel_order);
		list[i].image_channel_data_type =
		    htole32(list[i].image_channel_data_type);
	}
	reply.formats = (struct span){ list, n * sizeof(*list) };
	call_reply(s, call, &reply);
	free(list);
}

/* ---- creation ---------------------------------------------------------- */

cl_image_desc
image_descriptor(const struct msg_clCreateImageWithProperties *m,
    cl_mem parent)
{
	return (cl_image_desc){
		.image_type = (cl_mem_object_type)m->image_type,
		.image_width = m->image_width,
		.image_height = m->image_height,
		.image_depth = m->image_depth,
		.image_array_size = m->image_array_size,
		.image_row_pitch = m->image_row_pitch,
		.image_slice_pitch = m->image_slice_pitch,
		.mem_object = parent,
	};
}

static size_t
element_of(cl_mem image)
{
	size_t n = 0;

	clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof(n), &n, NULL);
	return n;
}

/*
 * Bytes of an element as this vendor has it, which decides how much of a body
 * the vendor will read: asked of the smallest image of the kind.
 */
static size_t
probe_element(cl_context context, const cl_image_format *format,
    cl_mem_object_type type)
{
	const cl_image_desc one = {
		.image_type = type,
		.image_width = 1, .image_height = 1, .image_depth = 1,
		.image_array_size = 1,
	};
	cl_int code;
	cl_mem image = clCreateImage(context, CL_MEM_READ_ONLY, format, &one,
	    NULL, &code);
	size_t n;

	if (code != CL_SUCCESS)
		return 0;
	n = element_of(image);
	clReleaseMemObject(image);
	return n;
}

/* Bytes of the whole image, packed; SIZE_MAX on overflow. */
static size_t
packed_size(const struct msg_clCreateImageWithProperties *m, size_t element)
{
	const uint64_t extent[] = {
		m->image_width,
		m->image_height != 0 ? m->image_height : 1,
		m->image_depth != 0 ? m->image_depth : 1,
		m->image_array_size != 0 ? m->image_array_size : 1,
	};
	const struct span region = { extent, 4 };

	return command_region(&region, element);
}

/* The content that comes along, if any; false: not now, or failed. */
static bool
take_content(struct serve *s, struct call *call,
    const struct msg_clCreateImageWithProperties *m,
    const cl_image_format *format, const void **body)
{
	size_t element;

	*body = NULL;
	if (m->transfer == 0 && m->data.n == 0)
		return true;
	element = probe_element(native(m->context.obj, 0), format,
	    (cl_mem_object_type)m->image_type);
	if (element == 0) {
		call_fail(s, call, CL_IMAGE_FORMAT_NOT_SUPPORTED, NULL);
		return false;
	}
	return creation_body(s, call, &m->data, m->transfer,
	    packed_size(m, element), body) == VGPU_OK;
}

void
exec_clCreateImageWithProperties(struct serve *s, struct call *call,
    struct msg_clCreateImageWithProperties *m)
{
	struct vcontext *c = m->context.obj;
	const cl_image_format format = {
		(cl_channel_order)m->channel_order,
		(cl_channel_type)m->channel_data_type,
	};
	struct vmem *i;
	cl_image_desc desc;
	const void *body;
	cl_int code = CL_SUCCESS;

	if (!take_content(s, call, m, &format, &body) ||
	    (i = vmem_new(s, call, m->id.id, c, m->parent.obj, m->flags)) ==
	    NULL)
		return;
	if (context_is_mixed(c) && i->parent != NULL)
		code = member_mem_make(i->parent, 0);
	desc = image_descriptor(m, i->parent != NULL ? native(i->parent, 0) :
	    NULL);
	if (code == CL_SUCCESS)
		i->o.native[0] = clCreateImage(native(c, 0),
		    vmem_flags(m->flags, body), &format, &desc,
		    (void *)(uintptr_t)body, &code);
	if (code == CL_SUCCESS)
		i->element = element_of(native(i, 0));
	vmem_made(s, call, i, body, code);
}

/* ---- reading and writing ----------------------------------------------- */

void
exec_clEnqueueReadImage(struct serve *s, struct call *call,
    struct msg_clEnqueueReadImage *m)
{
	struct vmem *i = m->image.obj;
	struct command c;
	void *to;

	if (!command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event) || (to = command_body_out(&c,
	    m->transfer, command_region(&m->region, i->element))) == NULL)
		return;
	command_close(&c, clEnqueueReadImage(c.queue, native(i, c.member),
	    CL_FALSE, m->origin.p, m->region.p, 0, 0, to, c.wait_count,
	    c.wait, c.event_ret));
}

void
exec_clEnqueueWriteImage(struct serve *s, struct call *call,
    struct msg_clEnqueueWriteImage *m)
{
	struct vmem *i = m->image.obj;
	struct command c;
	const void *from;

	if (!command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event) || (from = command_body_in(&c,
	    &m->data, m->transfer, command_region(&m->region, i->element))) ==
	    NULL)
		return;
	command_close(&c, clEnqueueWriteImage(c.queue, native(i, c.member),
	    CL_FALSE, m->origin.p, m->region.p, 0, 0, from, c.wait_count,
	    c.wait, c.event_ret));
}

void
exec_clEnqueueMapImage(struct serve *s, struct call *call,
    struct msg_clEnqueueMapImage *m)
{
	struct vmem *i = m->image.obj;
	struct command c;
	void *to;

	if (!command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		return;
	if (m->transfer == 0)
		/* What was there will be overwritten: only the order counts. */
		command_close_empty(&c);
	else if ((to = command_body_out(&c, m->transfer,
	    command_region(&m->region, i->element))) != NULL)
		command_close(&c, clEnqueueReadImage(c.queue,
		    native(i, c.member), CL_FALSE, m->origin.p, m->region.p, 0,
		    0, to, c.wait_count, c.wait, c.event_ret));
}

void
unmap_image(struct command *c, const struct vmem *i,
    const struct msg_clEnqueueUnmapMemObject *m)
{
	const void *from = command_body_in(c, &m->data, m->transfer,
	    command_region(&m->region, i->element));

	if (from != NULL)
		command_close(c, clEnqueueWriteImage(c->queue,
		    native(i, c->member), CL_FALSE, m->origin.p, m->region.p,
		    0, 0, from, c->wait_count, c->wait, c->event_ret));
}

/* ---- on the device ----------------------------------------------------- */

void
exec_clEnqueueFillImage(struct serve *s, struct call *call,
    struct msg_clEnqueueFillImage *m)
{
	const uint32_t *color = m->color.p;
	uint32_t four[4] = { 0 };
	struct command c;
	unsigned i;

	if (!command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		return;
	for (i = 0; i < 4 && i < m->color.n / sizeof(four[0]); i++)
		four[i] = color[i];
	command_close(&c, clEnqueueFillImage(c.queue,
	    native(m->image.obj, c.member), four, m->origin.p, m->region.p,
	    c.wait_count, c.wait, c.event_ret));
}

void
exec_clEnqueueCopyImage(struct serve *s, struct call *call,
    struct msg_clEnqueueCopyImage *m)
{
	struct command c;

	if (command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		command_close(&c, clEnqueueCopyImage(c.queue,
		    native(m->src_image.obj, c.member),
		    native(m->dst_image.obj, c.member), m->src_origin.p,
		    m->dst_origin.p, m->region.p, c.wait_count, c.wait,
		    c.event_ret));
}

void
exec_clEnqueueCopyImageToBuffer(struct serve *s, struct call *call,
    struct msg_clEnqueueCopyImageToBuffer *m)
{
	struct command c;

	if (command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		command_close(&c, clEnqueueCopyImageToBuffer(c.queue,
		    native(m->src_image.obj, c.member),
		    native(m->dst_buffer.obj, c.member), m->src_origin.p,
		    m->region.p, m->dst_offset, c.wait_count, c.wait,
		    c.event_ret));
}

void
exec_clEnqueueCopyBufferToImage(struct serve *s, struct call *call,
    struct msg_clEnqueueCopyBufferToImage *m)
{
	struct command c;

	if (command_open(&c, s, call, m->command_queue.obj,
	    &m->event_wait_list, &m->event))
		command_close(&c, clEnqueueCopyBufferToImage(c.queue,
		    native(m->src_buffer.obj, c.member),
		    native(m->dst_image.obj, c.member), m->src_offset,
		    m->dst_origin.p, m->region.p, c.wait_count, c.wait,
		    c.event_ret));
}
