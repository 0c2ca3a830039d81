/* SPDX-License-Identifier: ISC */
#include "common/twin.h"

#include <stdlib.h>
#include <string.h>

bool
twin_init(struct twin *t, void *base, size_t size)
{
	t->base = base;
	t->size = size;
	t->agreed = calloc(1, size);
	return t->agreed != NULL;
}

void
twin_fini(struct twin *t)
{
	free(t->agreed);
	t->agreed = NULL;
}

/* Of n bytes: the change, which is agreed on then.  False: there is none. */
static bool
take_change(const uint8_t *now, uint8_t *agreed, uint8_t *change, size_t n)
{
	uint8_t copy[TWIN_BLOCK], any = 0;
	size_t i;

	if (memcmp(now, agreed, n) == 0)
		return false;
	/* It may change while we look. */
	memcpy(copy, now, n);
	for (i = 0; i < n; i++) {
		change[i] = copy[i] ^ agreed[i];
		any |= change[i];
	}
	memcpy(agreed, copy, n);
	return any != 0;
}

static size_t
block_size(const struct twin *t, size_t at)
{
	return t->size - at < TWIN_BLOCK ? t->size - at : TWIN_BLOCK;
}

bool
twin_collect(struct twin *t, size_t *at, struct buf *out, size_t limit)
{
	struct twin_record r = { 0 };
	size_t n;

	for (; *at < t->size; *at += TWIN_BLOCK) {
		if (buf_len(out) >= limit ||
		    buf_reserve(out, sizeof(r)) == NULL)
			return false;
		n = block_size(t, *at);
		if (!take_change(t->base + *at, t->agreed + *at, r.change, n))
			continue;
		memset(r.change + n, 0, TWIN_BLOCK - n);
		r.address = (uintptr_t)(t->base + *at);
		buf_append(out, &r, sizeof(r));
	}
	return true;
}

enum vgpu_err
twin_apply(struct twin *t, const struct twin_record *r)
{
	const uint64_t at = r->address - (uintptr_t)t->base;
	uint8_t *agreed, *now;
	size_t n, i;

	if (at >= t->size || at % TWIN_BLOCK != 0)
		return VGPU_EPROTO;
	agreed = t->agreed + at;
	now = t->base + at;
	n = block_size(t, at);
	for (i = 0; i < n; i++) {
		if (r->change[i] == 0)
			continue;
		agreed[i] ^= r->change[i];
		now[i] = agreed[i];
	}
	return VGPU_OK;
}
