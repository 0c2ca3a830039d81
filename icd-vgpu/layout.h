/* SPDX-License-Identifier: ISC */
/*
 * layout - where the rows of a body lie in memory.
 *
 * A body is named by its packed bytes, rows without gaps, as on the wire.
 */
#ifndef VGPU_ICD_LAYOUT_H
#define VGPU_ICD_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* rows x slices rows of row bytes, pitches apart (OpenCL 3.0, 5.2.2). */
struct layout {
	uint8_t *base;
	size_t row, rows, slices;
	size_t row_pitch, slice_pitch;
};

/* n bytes without gaps. */
struct layout layout_flat(const void *, size_t n);

/* Are there none between its rows? */
bool layout_is_flat(const struct layout *);

/* Bytes on the wire. */
uint64_t layout_bytes(const struct layout *);

/* Where packed byte at lies, and how many follow it there without a gap. */
uint8_t *layout_place(const struct layout *, uint64_t at, size_t *room);

/* Copy between two layouts of as many bytes. */
void layout_copy(const struct layout *to, const struct layout *from);

/* Copy between a packed body and its rows. */
void layout_gather(const struct layout *, uint8_t *packed);
void layout_scatter(const struct layout *, const uint8_t *packed);

#endif
