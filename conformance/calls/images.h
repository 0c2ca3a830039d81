/* SPDX-License-Identifier: ISC */
/*
 * images - an image of each kind, and wrong regions of it.
 */
#ifndef VGPU_CONFORMANCE_CALLS_IMAGES_H
#define VGPU_CONFORMANCE_CALLS_IMAGES_H

#include "conformance/calls/calls.h"

struct image_kind {
	const char *name;
	cl_mem_object_type type;
	size_t extent[3];	/* as origins and regions count it */
};

/* 2D comes first. */
#define IMAGE_KINDS 6
extern const struct image_kind image_kinds[IMAGE_KINDS];

/* What all images here are made of; an element has four bytes. */
extern const cl_image_format image_format;

/* The descriptor of a kind; a 1D image buffer still needs its buffer. */
cl_image_desc image_desc(const struct image_kind *);

/* A new one; a 1D image buffer keeps its own buffer. */
cl_mem image_of_kind(struct world *, const struct image_kind *, cl_mem_flags,
    void *host);

/* Are there no images?  Says so by skip. */
bool no_images(struct world *);

/*
 * Handles and regions, for a command on one image.  side is part of the cases'
 * names, as "source ".  crashes: the command is one that PoCL can't do with 1D
 * image buffers.
 */
typedef cl_int region_function(struct world *, cl_mem, const size_t *origin,
    const size_t *region, cl_event *event);
void region_cases(struct world *, const char *side, region_function *,
    bool crashes);

#endif
