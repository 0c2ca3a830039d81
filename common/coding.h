/* SPDX-License-Identifier: ISC */
/*
 * coding - shorter spellings of bodies, where they pay.
 *
 * Bytes that repeat every eight, zeros above all, are told by those eight:
 * finding that costs less than encrypting them.  Others are compressed (zstd,
 * level 1) where the connection is slower than compressing, by as much as
 * this gains: both are measured, and what does not become shorter is tried
 * ever more seldom.
 *
 * Each piece is coded by itself, and a coding belongs to one session: no byte
 * of one body, let alone of another tenant, tells on the length of the next.
 */
#ifndef VGPU_COMMON_CODING_H
#define VGPU_COMMON_CODING_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/* The longest piece, and so the most that a receiver has to hold. */
#define CODING_MAX ((size_t)1 << 20)

enum coding_kind { CODING_PLAIN, CODING_PATTERN, CODING_PACKED };

struct coding;

/* How a piece is spelled. */
struct coded {
	enum coding_kind kind;
	uint64_t pattern;	/* little-endian: the first byte is the lowest */
	const void *packed;	/* until coding_done */
	size_t packed_n;
};

/* Small until it is first used.  NULL: no memory. */
struct coding *coding_new(void);
void coding_free(struct coding *);

/*
 * Choose the spelling of n bytes for a connection that takes rate bytes a
 * second (0: not known).  Any thread; followed by coding_done in the same one
 * when the spelling is not needed any more.  c may be NULL: plain.
 */
void coding_encode(struct coding *c, const void *p, size_t n, uint64_t rate,
    struct coded *);
void coding_done(struct coding *c, const struct coded *);

/* Write the n bytes of a pattern that follow its first at bytes. */
void coding_fill(void *dst, size_t n, uint64_t at, uint64_t pattern);

/*
 * Unpack exactly n bytes into dst.  VGPU_EPROTO: these are not n packed
 * bytes.  VGPU_ENOMEM.  One thread at a time.
 */
enum vgpu_err coding_unpack(struct coding *, void *dst, size_t n,
    const void *packed, size_t packed_n, struct err_text *);

/* CODING_MAX bytes of memory for coding_unpack's thread; NULL: none. */
void *coding_scratch(struct coding *);

#endif
