/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/layout.h"

#include <string.h>

struct layout
layout_flat(const void *p, size_t n)
{
	return (struct layout){ .base = (uint8_t *)(uintptr_t)p, .row = n,
		.rows = 1, .slices = 1, .row_pitch = n, .slice_pitch = n };
}

uint64_t
layout_bytes(const struct layout *l)
{
	return (uint64_t)l->row * l->rows * l->slices;
}

bool
layout_is_flat(const struct layout *l)
{
	return (l->rows == 1 || l->row_pitch == l->row) &&
	    (l->slices == 1 || l->slice_pitch == l->row * l->rows);
}

uint8_t *
layout_place(const struct layout *l, uint64_t at, size_t *room)
{
	size_t row, slice, in_row;

	if (layout_is_flat(l)) {
		*room = layout_bytes(l) - at;
		return l->base + at;
	}
	in_row = at % l->row;
	row = at / l->row % l->rows;
	slice = at / l->row / l->rows;
	*room = l->row - in_row;
	return l->base + slice * l->slice_pitch + row * l->row_pitch + in_row;
}

void
layout_copy(const struct layout *to, const struct layout *from)
{
	uint64_t at, total = layout_bytes(to);
	size_t n, room;
	uint8_t *p, *q;

	for (at = 0; at < total; at += n) {
		p = layout_place(to, at, &n);
		q = layout_place(from, at, &room);
		n = n < room ? n : room;
		/* A program may read from one map into another. */
		memmove(p, q, n);
	}
}

void
layout_gather(const struct layout *l, uint8_t *packed)
{
	const struct layout flat = layout_flat(packed, layout_bytes(l));

	layout_copy(&flat, l);
}

void
layout_scatter(const struct layout *l, const uint8_t *packed)
{
	const struct layout flat = layout_flat(packed, layout_bytes(l));

	layout_copy(l, &flat);
}
