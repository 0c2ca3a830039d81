/* SPDX-License-Identifier: ISC */
/*
 * map - the program's view of memory objects.
 *
 * A mapped pointer is the program's own memory where the object was made with
 * CL_MEM_USE_HOST_PTR.  Else it points into an area as large as the object,
 * which the root gets at its first map and keeps while it lives: overlapping
 * maps see the same bytes, and pages never touched cost nothing.
 */
#ifndef VGPU_ICD_MAP_H
#define VGPU_ICD_MAP_H

#include "icd-vgpu/mem.h"
#include "icd-vgpu/transfer.h"

struct map {
	struct map *next;
	void *ptr;
	cl_map_flags flags;
	uint64_t origin[3], region[3];
	struct layout layout;		/* of the region, at ptr */
};

/*
 * Where the first byte of the object lies in the program's memory, making the
 * area if need be; NULL: no memory.
 */
uint8_t *map_base(struct mem *);

/* Enter a map; the object counts it.  Takes map. */
void map_add(struct mem *, struct map *map);

/* Take out the youngest map with this pointer; NULL: none. */
struct map *map_take(struct mem *, const void *ptr);

/* Take out one that was added; its command was not sent. */
void map_cancel(struct mem *, struct map *);

/* CL_INVALID_VALUE for flags that do not go together. */
cl_int map_check_flags(cl_map_flags);

/* Is the content wanted, and will it be sent back? */
static inline bool
map_reads(cl_map_flags flags)
{
	return !(flags & CL_MAP_WRITE_INVALIDATE_REGION);
}

static inline bool
map_writes(cl_map_flags flags)
{
	return flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION);
}

/* The object is gone. */
void map_fini(struct mem *);

#endif
