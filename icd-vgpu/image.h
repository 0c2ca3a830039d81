/* SPDX-License-Identifier: ISC */
/*
 * image - the geometry of images: descriptors, regions, and where their
 * elements lie in the program's memory.
 */
#ifndef VGPU_ICD_IMAGE_H
#define VGPU_ICD_IMAGE_H

#include "icd-vgpu/mem.h"
#include "icd-vgpu/transfer.h"

/*
 * Check format and descriptor and fill in m's shape, size and, for an image in
 * another object, its parent.  CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
 * CL_INVALID_IMAGE_DESCRIPTOR, CL_INVALID_IMAGE_SIZE, CL_INVALID_OPERATION.
 */
cl_int image_take_desc(struct mem *, const cl_image_format *,
    const cl_image_desc *, bool host_ptr);

/* Elements in each direction; unused ones are 1, arrays come last. */
void image_extent(const struct mem *, size_t extent[3]);

/* CL_INVALID_VALUE: null, empty, or not within the image. */
cl_int image_check_region(const struct mem *, const size_t *origin,
    const size_t *region);

/*
 * Where the elements of a region lie in memory at base with these pitches (0:
 * computed).  CL_INVALID_VALUE: a pitch is too small.
 */
cl_int image_layout(const struct mem *, const size_t *region,
    size_t row_pitch, size_t slice_pitch, const void *base, struct layout *);

/* The region in the program's view of the whole image, which is at base. */
struct layout image_view(const struct mem *, const size_t *origin,
    const size_t *region, const void *base);

/* Do boxes of one size in the same image share an element? */
bool image_overlap(const size_t *a, const size_t *b, const size_t *region);

#endif
