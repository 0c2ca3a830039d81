/* SPDX-License-Identifier: ISC */
/*
 * twin - memory that is at one address in two processes and follows what
 * either of them writes.
 *
 * Both keep a copy of what they last agreed on.  What differs from it travels
 * as the exclusive or of the two, a record for each block that has a change;
 * the other side changes just those bytes, in its copy and in the memory.  So
 * what each side has written since then is kept, and as exclusive or commutes,
 * the copies agree again even where changes have crossed on the way.  What a
 * byte holds that both have changed is open, as it is in shared memory.
 *
 * The memory may change meanwhile; the copies may not: the caller locks.
 */
#ifndef VGPU_COMMON_TWIN_H
#define VGPU_COMMON_TWIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "common/err.h"

#define TWIN_BLOCK 512

struct twin {
	uint8_t *base;
	size_t size;
	uint8_t *agreed;	/* NULL: not a twin */
};

struct twin_record {
	uint64_t address;	/* of the block */
	uint8_t change[TWIN_BLOCK];
};

/* The memory holds zeros on both sides.  False: out of memory. */
bool twin_init(struct twin *, void *base, size_t size);
void twin_fini(struct twin *);

/*
 * Append a record for each block with changes, from *at on, until out holds
 * limit bytes or more; *at is where to go on.  True: there are no more.
 */
bool twin_collect(struct twin *, size_t *at, struct buf *out, size_t limit);

/* Take a record.  VGPU_EPROTO: it is of no block of this memory. */
enum vgpu_err twin_apply(struct twin *, const struct twin_record *);

#endif
