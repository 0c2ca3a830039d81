/* SPDX-License-Identifier: ISC */
/*
 * staging_memory - memory for bodies, which is used again.
 *
 * Memory that is fresh from the kernel costs a page fault and a cleared page
 * for each 4 KiB, more than receiving the body.  So blocks that are given
 * back are kept for the next body, as many bytes as a client has of credit,
 * until they were not needed for a while.  One process serves one tenant, so
 * no body is ever seen by another.
 *
 * Any thread.
 */
#ifndef VGPU_HOSTD_STAGING_MEMORY_H
#define VGPU_HOSTD_STAGING_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most bytes that are kept. */
#define STAGING_MEMORY_KEPT ((size_t)64 << 20)

/*
 * At least n bytes, for any OpenCL type; *room says how many.  NULL: none
 * left.
 */
void *staging_memory_take(size_t n, size_t *room);

/* Give back what was taken, with its room; p may be NULL. */
void staging_memory_give(void *p, size_t room);

/*
 * Free what was kept, unless some was taken since the last call.  False:
 * nothing is kept any more.
 */
bool staging_memory_trim(void);

/* Blocks that were asked of the system so far, and bytes kept now. */
struct staging_memory_stats {
	uint64_t fresh;
	size_t kept;
};
void staging_memory_get_stats(struct staging_memory_stats *);

#endif
