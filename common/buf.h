/* SPDX-License-Identifier: ISC */
/*
 * buf - bytes that grow at the end and are taken from the front.
 *
 * Appending is sticky: after a failed allocation the buffer is marked failed,
 * further appends do nothing, and one check at the end is enough.
 */
#ifndef VGPU_COMMON_BUF_H
#define VGPU_COMMON_BUF_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/* buf_reserve where the buffer has to move or to grow. */
uint8_t *buf_grow(struct buf *, size_t n);

/*
 * Make room for n more bytes and return where they go, not yet counted; NULL
 * when there is no memory (the buffer is then failed).  Valid until the next
 * append.
 */
static inline uint8_t *
buf_reserve(struct buf *b, size_t n)
{
	if (b->failed || n > b->size - b->end)
		return buf_grow(b, n);
	return b->data + b->end;
}

/* Count n bytes written at what buf_reserve returned. */
static inline void
buf_commit(struct buf *b, size_t n)
{
	assert(n <= b->size - b->end);
	b->end += n;
}

static inline void
buf_append(struct buf *b, const void *p, size_t n)
{
	uint8_t *to;

	if (n == 0 || (to = buf_reserve(b, n)) == NULL)
		return;
	memcpy(to, p, n);
	buf_commit(b, n);
}

static inline void
buf_append_zero(struct buf *b, size_t n)
{
	uint8_t *to;

	if (n == 0 || (to = buf_reserve(b, n)) == NULL)
		return;
	memset(to, 0, n);
	buf_commit(b, n);
}

/* Drop n bytes from the front. */
static inline void
buf_take(struct buf *b, size_t n)
{
	assert(n <= buf_len(b));
	b->start += n;
	if (b->start == b->end)
		b->start = b->end = 0;
}

#endif
