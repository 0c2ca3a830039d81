/* SPDX-License-Identifier: ISC */
/*
 * rect - boxes of bytes in linear memory (OpenCL 3.0, 5.2.2), as
 * clEnqueueReadBufferRect and its kin describe them.
 */
#ifndef VGPU_ICD_RECT_H
#define VGPU_ICD_RECT_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

#include "icd-vgpu/transfer.h"

/* x in bytes, y in rows, z in slices; pitches in bytes. */
struct rect {
	size_t origin[3], region[3];
	size_t row_pitch, slice_pitch;
};

/*
 * Fill a rect from a call's arguments, with pitches of 0 computed.
 * CL_INVALID_VALUE: origin or region null, an empty region, a pitch too small
 * or no multiple of the row's.
 */
cl_int rect_init(struct rect *, const size_t *origin, const size_t *region,
    size_t row_pitch, size_t slice_pitch);

/* The first byte and the one after the last; false: beyond size_t. */
bool rect_range(const struct rect *, size_t *begin, size_t *end);

/* Does it lie within size bytes? */
bool rect_fits(const struct rect *, size_t size);

/* Its rows in the program's memory from base on. */
struct layout rect_layout(const struct rect *, const void *base);

/*
 * Do two boxes of the same size share a byte?  Both have passed rect_fits;
 * each lies at an offset of its own in the same memory.
 */
bool rect_overlap(const struct rect *, size_t at, const struct rect *,
    size_t other_at);

#endif
