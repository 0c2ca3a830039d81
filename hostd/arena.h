/* SPDX-License-Identifier: ISC */
/*
 * arena - memory that this session and its client both have.
 *
 * A file that is as large as anybody could want and takes only the memory that
 * is written to.  The client gives out its places; here it is only looked
 * whether they lie inside.  What lies there are bodies and the contents of
 * buffers, bytes that mean nothing to the host; the client may change them at
 * any time.
 */
#ifndef VGPU_HOSTD_ARENA_H
#define VGPU_HOSTD_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct serve;

/* Make it and give it to the client, once.  False: there is none. */
bool arena_open(struct serve *);

/* Is there one? */
bool arena_is_open(void);

/* The memory of size bytes at offset; NULL: not inside. */
void *arena_at(uint64_t offset, size_t size);

/* A buffer will lie there. */
void arena_prepare(void *, size_t size);

/* A place is the client's again; any thread.  large: tell it now. */
void arena_give_back(struct serve *, uint64_t offset, bool large);

#endif
