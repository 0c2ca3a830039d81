/* SPDX-License-Identifier: ISC */
/*
 * arena - memory that this process and a host on the same machine both have.
 *
 * A sparse file that the host made (protocol/shared.h), of which places are
 * given out here: powers of two, each size from a stock of its own, so a place
 * that comes back is found at once and nothing moves.  What is known about
 * places is kept outside of the arena, where the host can't change it.
 *
 * A place may be used again only when the host no longer uses it: of what it
 * was told, arena_returned; the rest goes back by arena_free.
 */
#ifndef VGPU_ICD_ARENA_H
#define VGPU_ICD_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "icd-vgpu/fork.h"

/* What is limited together: buffers live long, bodies are on their way. */
enum arena_use { ARENA_BUFFERS, ARENA_BODIES, ARENA_USES };

/* Bodies under way take no more memory than this. */
#define ARENA_BODIES_MAX ((size_t)256 << 20)

/*
 * Map the host's file, taking it.  VGPU_EPROTO: it could shrink, or is no such
 * file.  VGPU_ESYS.  VGPU_ENOMEM.  After an error there is just no arena.
 */
enum vgpu_err arena_open(int fd, struct err_text *);

/* Memory for n bytes, aligned to 256; NULL: there is none. */
uint8_t *arena_new(enum arena_use, size_t n);
void arena_free(uint8_t *);

/* What messages say in place of an address. */
uint64_t arena_offset(const uint8_t *);

/* The host gives a place back.  False: it has no such place. */
bool arena_returned(uint64_t offset);

/* In a child after fork what lies there is the child's own. */
void arena_fork(enum fork_phase);

#endif
