/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/image.h"

void
image_extent(const struct mem *m, size_t extent[3])
{
	const struct image_shape *s = &m->image;

	extent[0] = s->width;
	extent[1] = s->height != 0 ? s->height : 1;
	extent[2] = s->depth != 0 ? s->depth : s->array != 0 ? s->array : 1;
	if (m->type == CL_MEM_OBJECT_IMAGE1D_ARRAY) {
		extent[1] = s->array;
		extent[2] = 1;
	}
}

cl_int
image_check_region(const struct mem *m, const size_t *origin,
    const size_t *region)
{
	size_t extent[3];
	int i;

	if (origin == NULL || region == NULL)
		return CL_INVALID_VALUE;
	image_extent(m, extent);
	for (i = 0; i < 3; i++)
		if (region[i] == 0 || region[i] > extent[i] ||
		    origin[i] > extent[i] - region[i])
			return CL_INVALID_VALUE;
	return CL_SUCCESS;
}

cl_int
image_layout(const struct mem *m, const size_t *region, size_t row_pitch,
    size_t slice_pitch, const void *base, struct layout *l)
{
	size_t row = region[0] * m->image.element, least;
	bool lines = m->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;

	l->base = (uint8_t *)(uintptr_t)base;
	l->row = row;
	/* The images of a 1D array are a slice pitch apart. */
	l->rows = lines ? 1 : region[1];
	l->slices = lines ? region[1] : region[2];
	l->row_pitch = row_pitch != 0 ? row_pitch : row;
	if (l->row_pitch < row ||
	    __builtin_mul_overflow(l->row_pitch, l->rows, &least))
		return CL_INVALID_VALUE;
	l->slice_pitch = least;
	if (slice_pitch == 0 || (l->slices == 1 && !lines))
		return CL_SUCCESS;
	if (slice_pitch < least)
		return CL_INVALID_VALUE;
	l->slice_pitch = slice_pitch;
	return CL_SUCCESS;
}

struct layout
image_view(const struct mem *m, const size_t *origin, const size_t *region,
    const void *base)
{
	const struct image_shape *s = &m->image;
	bool lines = m->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
	size_t at = origin[0] * s->element;

	at += origin[1] * (lines ? s->slice_pitch : s->row_pitch);
	at += origin[2] * s->slice_pitch;
	return (struct layout){
		.base = (uint8_t *)(uintptr_t)base + at,
		.row = region[0] * s->element,
		.rows = lines ? 1 : region[1],
		.slices = lines ? region[1] : region[2],
		.row_pitch = s->row_pitch,
		.slice_pitch = s->slice_pitch,
	};
}

bool
image_overlap(const size_t *a, const size_t *b, const size_t *region)
{
	int i;

	for (i = 0; i < 3; i++)
		if (a[i] >= b[i] + region[i] || b[i] >= a[i] + region[i])
			return false;
	return true;
}
