/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/rect.h"

#include <string.h>

cl_int
rect_init(struct rect *r, const size_t *origin, const size_t *region,
    size_t row_pitch, size_t slice_pitch)
{
	size_t least;

	if (origin == NULL || region == NULL ||
	    region[0] == 0 || region[1] == 0 || region[2] == 0)
		return CL_INVALID_VALUE;
	memcpy(r->origin, origin, sizeof(r->origin));
	memcpy(r->region, region, sizeof(r->region));
	r->row_pitch = row_pitch != 0 ? row_pitch : region[0];
	if (r->row_pitch < region[0] ||
	    __builtin_mul_overflow(r->row_pitch, region[1], &least))
		return CL_INVALID_VALUE;
	r->slice_pitch = slice_pitch != 0 ? slice_pitch : least;
	if (r->slice_pitch < least || r->slice_pitch % r->row_pitch != 0)
		return CL_INVALID_VALUE;
	return CL_SUCCESS;
}

/* x + y rows + z slices; false on overflow. */
static bool
place(const struct rect *r, const size_t at[3], size_t *offset)
{
	size_t rows, slices;

	return !__builtin_mul_overflow(at[1], r->row_pitch, &rows) &&
	    !__builtin_mul_overflow(at[2], r->slice_pitch, &slices) &&
	    !__builtin_add_overflow(at[0], rows, offset) &&
	    !__builtin_add_overflow(*offset, slices, offset);
}

bool
rect_range(const struct rect *r, size_t *begin, size_t *end)
{
	const size_t last[3] = { r->region[0], r->region[1] - 1,
		r->region[2] - 1 };
	size_t length;

	return place(r, r->origin, begin) && place(r, last, &length) &&
	    !__builtin_add_overflow(*begin, length, end);
}

bool
rect_fits(const struct rect *r, size_t size)
{
	size_t begin, end;

	return rect_range(r, &begin, &end) && end <= size;
}

struct layout
rect_layout(const struct rect *r, const void *base)
{
	size_t begin = 0;

	place(r, r->origin, &begin);
	return (struct layout){
		.base = (uint8_t *)(uintptr_t)base + begin,
		.row = r->region[0],
		.rows = r->region[1],
		.slices = r->region[2],
		.row_pitch = r->row_pitch,
		.slice_pitch = r->slice_pitch,
	};
}

/* Where row i of a box begins. */
static size_t
row_start(const struct rect *r, size_t i)
{
	const size_t p[3] = { r->origin[0],
		r->origin[1] + i % r->region[1],
		r->origin[2] + i / r->region[1] };
	size_t at = 0;

	place(r, p, &at);
	return at;
}

bool
rect_overlap(const struct rect *a, size_t a_at, const struct rect *b,
    size_t b_at)
{
	size_t n = a->region[1] * a->region[2], i = 0, j = 0, x, y;
	size_t a_begin, a_end, b_begin, b_end;

	rect_range(a, &a_begin, &a_end);
	rect_range(b, &b_begin, &b_end);
	if (a_at + a_end <= b_at + b_begin || b_at + b_end <= a_at + a_begin)
		return false;
	/* Rows of a box rise, so both lists are walked once, in step. */
	while (i < n && j < n) {
		x = a_at + row_start(a, i);
		y = b_at + row_start(b, j);
		if (x < y + b->region[0] && y < x + a->region[0])
			return true;
		if (x < y)
			i++;
		else
			j++;
	}
	return false;
}
