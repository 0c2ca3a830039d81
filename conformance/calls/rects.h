/* SPDX-License-Identifier: ISC */
/*
 * rects - wrong boxes for the commands that have two of them, each with an
 * origin and pitches, and one region.
 */
#ifndef VGPU_CONFORMANCE_CALLS_RECTS_H
#define VGPU_CONFORMANCE_CALLS_RECTS_H

#include "conformance/calls/calls.h"

/* One side of a command; the other is right, and fits any region here. */
struct side {
	const size_t *origin, *region;
	size_t row, slice;
};
typedef cl_int side_function(struct world *, const struct side *,
    cl_event *event);

/*
 * name is of the side, as "buffer".  Where it is a buffer it has WORLD_SIZE
 * bytes; the program's memory has no end that a call could know.
 */
void side_cases(struct world *, const char *name, bool is_buffer,
    side_function *);

#endif
