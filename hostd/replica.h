/* SPDX-License-Identifier: ISC */
/*
 * replica - which members of a context have the valid content of a memory
 * object, byte by byte.
 *
 * A memory object of a context of several members lies in each of them, once
 * that uses it.  What a command writes is valid in its member alone; what is
 * copied becomes valid in one more.  The directory is a list of pieces, in
 * order and without gaps, each with the set of members where it is valid.
 * Content that was never written is valid anywhere, as any bytes will do.
 *
 * It only keeps account; coherence.c moves the bytes.  Nothing here locks.
 */
#ifndef VGPU_HOSTD_REPLICA_H
#define VGPU_HOSTD_REPLICA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct piece {
	size_t end;	/* it begins where the one before ends */
	uint8_t valid;	/* bit m: in member m; never 0 */
};

struct replica {
	size_t size;
	unsigned count, room;
	struct piece *piece;
};

#define REPLICA_ANYWHERE 0xff

/* Of size bytes, which are not none, valid in these members; false: ENOMEM. */
bool replica_init(struct replica *, size_t size, uint8_t valid);
void replica_fini(struct replica *);

/*
 * Have room for so many more ranges to be changed, so that changing them can't
 * fail.  False: out of memory.
 */
bool replica_reserve(struct replica *, unsigned ranges);

/*
 * The first part of [*at, end) that is not valid in the member: moves *at to
 * where it begins.  Returns its size, 0 when there is none; *valid: where it
 * is.
 */
size_t replica_missing(const struct replica *, unsigned member, size_t *at,
    size_t end, uint8_t *valid);

/* It was written in this member. */
void replica_written(struct replica *, unsigned member, size_t at,
    size_t size);

/*
 * It was copied from one member to another: valid there, too, where it still
 * is in the first.
 */
void replica_copied(struct replica *, unsigned from, unsigned to, size_t at,
    size_t size);

#endif
