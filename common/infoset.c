/* SPDX-License-Identifier: ISC */
#include "common/infoset.h"

#include <stdlib.h>
#include <string.h>

#define ENTRY_HEAD 8
/* More would be strange, and numbers chosen to collide would take for ever. */
#define INDEX_MAX 4096
#define PAD(n) (((n) + 7) & ~(size_t)7)

struct entry {
	uint32_t param;
	uint32_t size;
};

/* Where an entry is: the offset of its bytes, which is never 0. */
struct infoset_slot {
	uint32_t param;
	uint32_t at;
};

void
infoset_init(struct infoset *s)
{
	buf_init(&s->buf);
	s->index = NULL;
}

static void
drop_index(struct infoset *s)
{
	free(s->index);
	s->index = NULL;
}

void
infoset_fini(struct infoset *s)
{
	buf_fini(&s->buf);
	drop_index(s);
}

const void *
infoset_bytes(const struct infoset *s)
{
	return s->buf.data;
}

size_t
infoset_size(const struct infoset *s)
{
	return s->buf.end;
}

bool
infoset_failed(const struct infoset *s)
{
	return s->buf.failed;
}

void
infoset_put(struct infoset *s, uint32_t param, const void *p, size_t size)
{
	struct entry e = { param, (uint32_t)size };

	drop_index(s);
	if (size > INFOSET_BYTES_MAX ||
	    infoset_size(s) + PAD(size) + ENTRY_HEAD > INFOSET_BYTES_MAX ||
	    buf_reserve(&s->buf, ENTRY_HEAD + PAD(size)) == NULL) {
		s->buf.failed = true;
		return;
	}
	buf_append(&s->buf, &e, sizeof(e));
	buf_append(&s->buf, p, size);
	buf_append_zero(&s->buf, PAD(size) - size);
}

void
infoset_put_u32(struct infoset *s, uint32_t param, uint32_t v)
{
	infoset_put(s, param, &v, sizeof(v));
}

void
infoset_put_u64(struct infoset *s, uint32_t param, uint64_t v)
{
	infoset_put(s, param, &v, sizeof(v));
}

void
infoset_put_text(struct infoset *s, uint32_t param, const char *text)
{
	infoset_put(s, param, text, strlen(text) + 1);
}

void
infoset_put_set(struct infoset *s, uint32_t param, const struct infoset *set)
{
	infoset_put(s, param, infoset_bytes(set), infoset_size(set));
}

const void *
infoset_next(const struct infoset *s, size_t *at, uint32_t *param,
    size_t *size)
{
	struct entry e;
	const uint8_t *p;

	if (*at >= s->buf.end)
		return NULL;
	p = s->buf.data + *at;
	memcpy(&e, p, sizeof(e));
	*param = e.param;
	*size = e.size;
	*at += ENTRY_HEAD + PAD((size_t)e.size);
	return p + ENTRY_HEAD;
}

/* ---- finding ----------------------------------------------------------- */

/* The slot with a number, or the free one where it would be. */
static struct infoset_slot *
probe(const struct infoset *s, uint32_t param)
{
	uint32_t i = param * UINT32_C(0x9e3779b1) >> 7;

	for (;; i++) {
		i &= s->index_mask;
		if (s->index[i].at == 0 || s->index[i].param == param)
			return &s->index[i];
	}
}

void
infoset_index(struct infoset *s)
{
	struct infoset_slot *slot;
	const uint8_t *p;
	uint32_t param, size = 8;
	size_t at = 0, n, count = 0;

	drop_index(s);
	while (infoset_next(s, &at, &param, &n) != NULL)
		count++;
	if (count > INDEX_MAX)
		return;
	while (size < 2 * count + 2)
		size *= 2;
	if ((s->index = calloc(size, sizeof(*s->index))) == NULL)
		return;
	s->index_mask = size - 1;
	at = 0;
	while ((p = infoset_next(s, &at, &param, &n)) != NULL) {
		slot = probe(s, param);
		if (slot->at == 0)
			*slot = (struct infoset_slot){ param,
				(uint32_t)(p - s->buf.data) };
	}
}

static const void *
find_indexed(const struct infoset *s, uint32_t param, size_t *size)
{
	const struct infoset_slot *slot = probe(s, param);
	struct entry e;

	if (slot->at == 0)
		return NULL;
	memcpy(&e, s->buf.data + slot->at - ENTRY_HEAD, sizeof(e));
	*size = e.size;
	return s->buf.data + slot->at;
}

const void *
infoset_find(const struct infoset *s, uint32_t param, size_t *size)
{
	const void *p;
	uint32_t found;
	size_t at = 0, n;

	if (s->index != NULL)
		return find_indexed(s, param, size);
	while ((p = infoset_next(s, &at, &found, &n)) != NULL)
		if (found == param) {
			*size = n;
			return p;
		}
	return NULL;
}

uint32_t
infoset_u32(const struct infoset *s, uint32_t param, uint32_t otherwise)
{
	const void *p;
	size_t n;

	if ((p = infoset_find(s, param, &n)) == NULL || n != sizeof(otherwise))
		return otherwise;
	memcpy(&otherwise, p, n);
	return otherwise;
}

uint64_t
infoset_u64(const struct infoset *s, uint32_t param, uint64_t otherwise)
{
	const void *p;
	size_t n;

	if ((p = infoset_find(s, param, &n)) == NULL || n != sizeof(otherwise))
		return otherwise;
	memcpy(&otherwise, p, n);
	return otherwise;
}

const char *
infoset_text(const struct infoset *s, uint32_t param, const char *otherwise)
{
	const char *p;
	size_t n;

	p = infoset_find(s, param, &n);
	if (p == NULL || n == 0 || p[n - 1] != '\0')
		return otherwise;
	return p;
}

/* Every entry lies within the bytes and ends where the next one begins. */
static bool
well_formed(const uint8_t *p, size_t n)
{
	struct entry e;
	size_t at = 0;

	while (at < n) {
		if (n - at < ENTRY_HEAD)
			return false;
		memcpy(&e, p + at, sizeof(e));
		if (PAD((size_t)e.size) > n - at - ENTRY_HEAD)
			return false;
		at += ENTRY_HEAD + PAD((size_t)e.size);
	}
	return true;
}

enum vgpu_err
infoset_load(struct infoset *s, const void *p, size_t n,
    struct err_text *text)
{
	infoset_fini(s);
	if (n > INFOSET_BYTES_MAX)
		return err_set(text, VGPU_EPROTO,
		    "information of %zu bytes, at most %zu expected", n,
		    INFOSET_BYTES_MAX);
	if (!well_formed(p, n))
		return err_set(text, VGPU_EPROTO,
		    "information of %zu bytes is cut off or malformed", n);
	buf_append(&s->buf, p, n);
	if (s->buf.failed) {
		infoset_fini(s);
		return err_set(text, VGPU_ENOMEM, "out of memory");
	}
	return VGPU_OK;
}
