/* SPDX-License-Identifier: ISC */
/*
 * image_format - formats of images: their sizes, and which the devices of a
 * context have.  The host is asked once for each kind of image.
 */
#ifndef VGPU_ICD_IMAGE_FORMAT_H
#define VGPU_ICD_IMAGE_FORMAT_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

#include "icd-vgpu/fork.h"

struct context;
struct image_formats;

/* Bytes of an element; 0: order and type don't go together. */
size_t image_format_size(const cl_image_format *);

/* Channels that a fill colour of this format has: 4, or 1 for depth. */
size_t image_format_color_size(const cl_image_format *);

/* Is it a type of image (not of a buffer or pipe)? */
bool image_type_known(cl_mem_object_type);

/*
 * CL_IMAGE_FORMAT_NOT_SUPPORTED when no device of the context has it; other
 * codes where the host could not be asked.
 */
cl_int image_format_check(struct context *, cl_mem_flags, cl_mem_object_type,
    const cl_image_format *);

/* The context is gone. */
void image_formats_free(struct image_formats *);

void image_formats_fork(enum fork_phase);

#endif
