/* SPDX-License-Identifier: ISC */
/*
 * buf - bytes that grow at the end and are taken from the front.
 *
 * Appending is sticky: after a failed allocation the buffer is marked failed,
 * further appends do nothing, and one check at the end is enough.
 */
#ifndef VGPU_COMMON_BUF_H
#define VGPU_COMMON_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf {
	uint8_t *data;
	size_t start;	/* first byte not yet taken */
	size_t end;	/* one past the last byte */
	size_t size;	/* bytes allocated */
	bool failed;
};

void buf_init(struct buf *);
void buf_fini(struct buf *);

/* Bytes between front and end. */
static inline size_t
buf_len(const struct buf *b)
{
	return b->end - b->start;
}

static inline uint8_t *
buf_front(const struct buf *b)
{
	return b->data + b->start;
}

/*
 * Make room for n more bytes and return where they go, not yet counted; NULL
 * when there is no memory (the buffer is then failed).  Valid until the next
 * append.
 */
uint8_t *buf_reserve(struct buf *, size_t n);

/* Count n bytes written at what buf_reserve returned. */
void buf_commit(struct buf *, size_t n);

void buf_append(struct buf *, const void *, size_t n);
void buf_append_zero(struct buf *, size_t n);

/* Drop n bytes from the front. */
void buf_take(struct buf *, size_t n);

#endif
