/* SPDX-License-Identifier: ISC */
#include "common/buf.h"

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
buf_grow(struct buf *b, size_t n)
{
	size_t len = buf_len(b), size;
	uint8_t *data;

	if (b->failed)
		return NULL;
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
