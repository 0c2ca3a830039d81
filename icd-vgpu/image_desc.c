/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/image.h"

#include "icd-vgpu/context.h"
#include "icd-vgpu/image_format.h"
#include "icd-vgpu/platform.h"

static bool
is_array(cl_mem_object_type type)
{
	return type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
	    type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

static bool
has_height(cl_mem_object_type type)
{
	return type == CL_MEM_OBJECT_IMAGE2D ||
	    type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
	    type == CL_MEM_OBJECT_IMAGE3D;
}

/* ---- sizes ------------------------------------------------------------- */

/* Are the sizes within what this device takes (5.3.1.2)? */
static bool
fits_device(const struct device *d, cl_mem_object_type type,
    const struct image_shape *s)
{
	bool volume = type == CL_MEM_OBJECT_IMAGE3D;
	cl_device_info width = volume ? CL_DEVICE_IMAGE3D_MAX_WIDTH :
	    type == CL_MEM_OBJECT_IMAGE1D_BUFFER ?
	    CL_DEVICE_IMAGE_MAX_BUFFER_SIZE : CL_DEVICE_IMAGE2D_MAX_WIDTH;

	return s->width <= device_u64(d, width) &&
	    s->height <= device_u64(d, volume ? CL_DEVICE_IMAGE3D_MAX_HEIGHT :
	    CL_DEVICE_IMAGE2D_MAX_HEIGHT) &&
	    s->depth <= device_u64(d, CL_DEVICE_IMAGE3D_MAX_DEPTH) &&
	    s->array <= device_u64(d, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE);
}

static cl_int
take_sizes(struct mem *m, const cl_image_desc *d)
{
	struct image_shape *s = &m->image;
	cl_uint i;

	s->width = d->image_width;
	s->height = has_height(m->type) ? d->image_height : 0;
	s->depth = m->type == CL_MEM_OBJECT_IMAGE3D ? d->image_depth : 0;
	s->array = is_array(m->type) ? d->image_array_size : 0;
	if (s->width == 0 || (has_height(m->type) && s->height == 0) ||
	    (m->type == CL_MEM_OBJECT_IMAGE3D && s->depth == 0) ||
	    (is_array(m->type) && s->array == 0))
		return CL_INVALID_IMAGE_SIZE;
	for (i = 0; i < m->context->device_count; i++)
		if (fits_device(m->context->device[i], m->type, s))
			return CL_SUCCESS;
	return CL_INVALID_IMAGE_SIZE;
}

/* ---- pitches ----------------------------------------------------------- */

static cl_int
take_pitches(struct mem *m, const cl_image_desc *d, bool host_ptr)
{
	struct image_shape *s = &m->image;
	size_t row, slice, n, least;

	if (!host_ptr && m->parent == NULL &&
	    (d->image_row_pitch != 0 || d->image_slice_pitch != 0))
		return CL_INVALID_IMAGE_DESCRIPTOR;
	if (__builtin_mul_overflow(s->width, s->element, &least))
		return CL_INVALID_IMAGE_SIZE;
	row = d->image_row_pitch != 0 ? d->image_row_pitch : least;
	if (row < least || row % s->element != 0)
		return CL_INVALID_IMAGE_DESCRIPTOR;
	n = s->height != 0 ? s->height : 1;
	if (__builtin_mul_overflow(row, n, &least))
		return CL_INVALID_IMAGE_SIZE;
	slice = least;
	n = s->depth != 0 ? s->depth : s->array;
	if (n != 0 && d->image_slice_pitch != 0) {
		slice = d->image_slice_pitch;
		if (slice < least || slice % row != 0)
			return CL_INVALID_IMAGE_DESCRIPTOR;
	}
	if (__builtin_mul_overflow(slice, n != 0 ? n : 1, &m->size))
		return CL_INVALID_IMAGE_SIZE;
	s->row_pitch = row;
	s->slice_pitch = n != 0 ? slice : 0;
	return CL_SUCCESS;
}

/* ---- images in other objects ------------------------------------------- */

/* The largest alignment of the context's devices; 0: none has any. */
static uint64_t
alignment(const struct context *c, cl_device_info param)
{
	uint64_t max = 0, n;
	cl_uint i;

	for (i = 0; i < c->device_count; i++) {
		n = device_u64(c->device[i], param);
		max = n > max ? n : max;
	}
	return max;
}

/*
 * Rows and memory of a 2D image in a buffer.  The alignments are in elements;
 * some vendors take bytes, and the host's answers for the rest of the rule.
 */
static cl_int
check_alignment(const struct mem *m)
{
	const uint64_t row = alignment(m->context,
	    CL_DEVICE_IMAGE_PITCH_ALIGNMENT);
	const uint64_t base = alignment(m->context,
	    CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT);

	if (row == 0)
		return CL_INVALID_OPERATION;
	if (m->image.row_pitch % row != 0 ||
	    (base != 0 && (uintptr_t)m->parent->host_ptr % base != 0))
		return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
	return CL_SUCCESS;
}

static cl_int
check_in_buffer(const struct mem *m)
{
	cl_int code = m->type == CL_MEM_OBJECT_IMAGE2D ? check_alignment(m) :
	    CL_SUCCESS;

	if (code != CL_SUCCESS)
		return code;
	return m->size <= m->parent->size ? CL_SUCCESS :
	    CL_INVALID_IMAGE_SIZE;
}

/* Only the channel order may differ from the other image's. */
static cl_int
check_in_image(const struct mem *m)
{
	const struct image_shape *s = &m->image, *p = &m->parent->image;

	if (m->parent->type != CL_MEM_OBJECT_IMAGE2D ||
	    s->width != p->width || s->height != p->height ||
	    s->row_pitch != p->row_pitch)
		return CL_INVALID_IMAGE_DESCRIPTOR;
	return s->element == p->element &&
	    s->format.image_channel_data_type ==
	    p->format.image_channel_data_type ? CL_SUCCESS :
	    CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
}

static cl_int
take_parent(struct mem *m, const cl_image_desc *d)
{
	struct mem *p = mem_check(d->mem_object);

	if (d->mem_object == NULL)
		return m->type == CL_MEM_OBJECT_IMAGE1D_BUFFER ?
		    CL_INVALID_IMAGE_DESCRIPTOR : CL_SUCCESS;
	if (p == NULL || p->type == CL_MEM_OBJECT_PIPE ||
	    (m->type != CL_MEM_OBJECT_IMAGE1D_BUFFER &&
	    m->type != CL_MEM_OBJECT_IMAGE2D) ||
	    (m->type == CL_MEM_OBJECT_IMAGE1D_BUFFER && mem_is_image(p)))
		return CL_INVALID_IMAGE_DESCRIPTOR;
	if (p->context != m->context)
		return CL_INVALID_CONTEXT;
	m->parent = object_use(p);
	return CL_SUCCESS;
}

cl_int
image_take_desc(struct mem *m, const cl_image_format *format,
    const cl_image_desc *d, bool host_ptr)
{
	cl_int code;

	if (format == NULL || image_format_size(format) == 0)
		return CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;
	if (d == NULL || !image_type_known(d->image_type) ||
	    d->num_mip_levels != 0 || d->num_samples != 0)
		return CL_INVALID_IMAGE_DESCRIPTOR;
	m->type = d->image_type;
	m->image.format = *format;
	m->image.element = image_format_size(format);
	if ((code = take_parent(m, d)) != CL_SUCCESS ||
	    (code = take_sizes(m, d)) != CL_SUCCESS ||
	    (code = take_pitches(m, d, host_ptr)) != CL_SUCCESS)
		return code;
	if (m->parent == NULL)
		return CL_SUCCESS;
	return mem_is_image(m->parent) ? check_in_image(m) :
	    check_in_buffer(m);
}
