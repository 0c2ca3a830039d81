/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/image.h"

#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/enqueue.h"
#include "icd-vgpu/image_format.h"
#include "icd-vgpu/platform.h"

static bool
has_images(const struct context *c)
{
	cl_uint i;

	for (i = 0; i < c->device_count; i++)
		if (device_u64(c->device[i], CL_DEVICE_IMAGE_SUPPORT) != 0)
			return true;
	return false;
}

/* ---- creation ---------------------------------------------------------- */

/* The whole image in the program's memory. */
static struct layout
whole(const struct mem *m, const void *base)
{
	const size_t origin[3] = { 0, 0, 0 };
	size_t extent[3];

	image_extent(m, extent);
	return image_view(m, origin, extent, base);
}

/*
 * Bodies are packed, so the host is told of pitches only where they say how
 * the image lies in another object.  What may fail there, as what is large,
 * has to come back from this call.
 */
static cl_int
image_send(struct mem *m, const void *host_ptr)
{
	const struct image_shape *s = &m->image;
	struct layout from = whole(m, host_ptr);
	struct msg_clCreateImageWithProperties msg = {
		.context.id = m->context->o.id,
		.flags = mem_wire_flags(m->flags),
		.channel_order = s->format.image_channel_order,
		.channel_data_type = s->format.image_channel_data_type,
		.image_type = m->type,
		.image_width = s->width,
		.image_height = s->height,
		.image_depth = s->depth,
		.image_array_size = s->array,
		.image_row_pitch = m->parent != NULL ? s->row_pitch : 0,
		.parent.id = m->parent != NULL ? m->parent->o.id : 0,
		.id.id = m->o.id,
	};

	if (m->parent != NULL)
		msg.flags &= ~(cl_mem_flags)CL_MEM_ALLOC_HOST_PTR;
	return enqueue_creation(&desc_clCreateImageWithProperties, &msg,
	    &msg.data, &msg.transfer, host_ptr != NULL ? &from : NULL,
	    m->parent != NULL || creation_is_large(m->context, m->size),
	    &m->told);
}

/* Flags and memory of an image in another object are that one's. */
static cl_int
take_flags(struct mem *m, cl_mem_flags flags, void *host_ptr)
{
	const struct mem *p = m->parent;

	if (p != NULL) {
		m->host_ptr = p->host_ptr;
		m->uses_svm = p->uses_svm;
		if (host_ptr != NULL)
			return CL_INVALID_HOST_PTR;
		return mem_inherit_flags(p, flags, &m->flags);
	}
	m->flags = flags != 0 ? flags : CL_MEM_READ_WRITE;
	if (flags & CL_MEM_USE_HOST_PTR)
		m->host_ptr = host_ptr;
	return mem_check_host_ptr(flags, host_ptr);
}

static cl_int
image_open(struct mem *m, const cl_mem_properties *properties,
    cl_mem_flags flags, const cl_image_format *format,
    const cl_image_desc *desc, void *host_ptr)
{
	cl_int code;

	if ((code = mem_take_properties(m, properties)) != CL_SUCCESS ||
	    (code = mem_check_flags(flags)) != CL_SUCCESS ||
	    (code = image_take_desc(m, format, desc, host_ptr != NULL)) !=
	    CL_SUCCESS ||
	    (code = take_flags(m, flags, host_ptr)) != CL_SUCCESS ||
	    (code = image_format_check(m->context, m->flags, m->type,
	    format)) != CL_SUCCESS)
		return code;
	return image_send(m, host_ptr);
}

cl_mem
icd_clCreateImageWithProperties(cl_context context,
    const cl_mem_properties *properties, cl_mem_flags flags,
    const cl_image_format *image_format, const cl_image_desc *image_desc,
    void *host_ptr, cl_int *errcode_ret)
{
	struct context *c = context_check(context);
	struct mem *m = NULL;
	cl_int code;

	if (c == NULL)
		code = CL_INVALID_CONTEXT;
	else if (!has_images(c))
		code = CL_INVALID_OPERATION;
	else if ((m = mem_new(c, CL_MEM_OBJECT_IMAGE2D)) == NULL)
		code = CL_OUT_OF_HOST_MEMORY;
	else if ((code = image_open(m, properties, flags, image_format,
	    image_desc, host_ptr)) != CL_SUCCESS) {
		mem_drop(m);
		m = NULL;
	}
	if (errcode_ret != NULL)
		*errcode_ret = code;
	return (cl_mem)(void *)m;
}

cl_mem
icd_clCreateImage(cl_context context, cl_mem_flags flags,
    const cl_image_format *image_format, const cl_image_desc *image_desc,
    void *host_ptr, cl_int *errcode_ret)
{
	return icd_clCreateImageWithProperties(context, NULL, flags,
	    image_format, image_desc, host_ptr, errcode_ret);
}

/* In OpenCL 1.0 and 1.1 pitches were sizes; there were no descriptors. */
static cl_mem
create_old(cl_context context, cl_mem_flags flags,
    const cl_image_format *format, const cl_image_desc *desc, void *host_ptr,
    cl_int *errcode_ret)
{
	cl_int code;
	cl_mem image = icd_clCreateImage(context, flags, format, desc, host_ptr,
	    &code);

	if (code == CL_INVALID_IMAGE_DESCRIPTOR)
		code = CL_INVALID_IMAGE_SIZE;
	if (errcode_ret != NULL)
		*errcode_ret = code;
	return image;
}

cl_mem
icd_clCreateImage2D(cl_context context, cl_mem_flags flags,
    const cl_image_format *image_format, size_t width, size_t height,
    size_t row_pitch, void *host_ptr, cl_int *errcode_ret)
{
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = width,
		.image_height = height,
		.image_row_pitch = row_pitch,
	};

	return create_old(context, flags, image_format, &desc, host_ptr,
	    errcode_ret);
}

cl_mem
icd_clCreateImage3D(cl_context context, cl_mem_flags flags,
    const cl_image_format *image_format, size_t width, size_t height,
    size_t depth, size_t row_pitch, size_t slice_pitch, void *host_ptr,
    cl_int *errcode_ret)
{
	const cl_image_desc desc = {
		.image_type = CL_MEM_OBJECT_IMAGE3D,
		.image_width = width,
		.image_height = height,
		.image_depth = depth,
		.image_row_pitch = row_pitch,
		.image_slice_pitch = slice_pitch,
	};

	return create_old(context, flags, image_format, &desc, host_ptr,
	    errcode_ret);
}

/* ---- queries ----------------------------------------------------------- */

cl_int
query_image(struct object *o, cl_uint param, struct info_out *out)
{
	const struct mem *m = (const struct mem *)o;
	const struct image_shape *s = &m->image;

	if (!mem_is_image(m))
		return CL_INVALID_MEM_OBJECT;
	switch (param) {
	case CL_IMAGE_FORMAT:
		return info_bytes(out, &s->format, sizeof(s->format));
	case CL_IMAGE_ELEMENT_SIZE:
		return INFO_VALUE(out, size_t, s->element);
	case CL_IMAGE_ROW_PITCH:
		return INFO_VALUE(out, size_t, s->row_pitch);
	case CL_IMAGE_SLICE_PITCH:
		return INFO_VALUE(out, size_t, s->slice_pitch);
	case CL_IMAGE_WIDTH:
		return INFO_VALUE(out, size_t, s->width);
	case CL_IMAGE_HEIGHT:
		return INFO_VALUE(out, size_t, s->height);
	case CL_IMAGE_DEPTH:
		return INFO_VALUE(out, size_t, s->depth);
	case CL_IMAGE_ARRAY_SIZE:
		return INFO_VALUE(out, size_t, s->array);
	case CL_IMAGE_BUFFER:
		return INFO_VALUE(out, cl_mem, m->parent != NULL &&
		    !mem_is_image(m->parent) ? (void *)m->parent : NULL);
	case CL_IMAGE_NUM_MIP_LEVELS:
	case CL_IMAGE_NUM_SAMPLES:
		return INFO_VALUE(out, cl_uint, 0);
	default:
		return CL_INVALID_VALUE;
	}
}
