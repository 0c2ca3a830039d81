/* SPDX-License-Identifier: ISC */
#include "common/buf.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define BUF_MIN 4096

void
buf_init(struct buf *b)
{
	memset(b, 0, sizeof(*b));
}

void
buf_fini(struct buf *b)
{
	free(b->data);
	buf_init(b);
}

uint8_t *
buf_reserve(struct buf *b, size_t n)
{
	size_t len = buf_len(b), size;
	uint8_t *data;

	if (b->failed)
		return NULL;
	if (n <= b->size - b->end)
		return b->data + b->end;
	if (n > SIZE_MAX / 4 - len) {
		b->failed = true;
		return NULL;
	}
	if (b->start > 0) {
		memmove(b->data, b->data + b->start, len);
		b->start = 0;
		b->end = len;
		if (n <= b->size - len)
			return b->data + len;
	}
	for (size = b->size ? b->size : BUF_MIN; size - len < n;)
		size *= 2;
	if ((data = realloc(b->data, size)) == NULL) {
		b->failed = true;
		return NULL;
	}
	b->data = data;
	b->size = size;
	return data + len;
}

void
buf_commit(struct buf *b, size_t n)
{
	assert(n <= b->size - b->end);
	b->end += n;
}

void
buf_append(struct buf *b, const void *p, size_t n)
{
	uint8_t *to;

	if (n == 0 || (to = buf_reserve(b, n)) == NULL)
		return;
	memcpy(to, p, n);
	buf_commit(b, n);
}

void
buf_append_zero(struct buf *b, size_t n)
{
	uint8_t *to;

	if (n == 0 || (to = buf_reserve(b, n)) == NULL)
		return;
	memset(to, 0, n);
	buf_commit(b, n);
}

void
buf_take(struct buf *b, size_t n)
{
	assert(n <= buf_len(b));
	b->start += n;
	if (b->start == b->end)
		b->start = b->end = 0;
}
