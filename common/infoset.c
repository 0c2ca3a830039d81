/* SPDX-License-Identifier: ISC */
#include "common/infoset.h"

#include <string.h>

#define ENTRY_HEAD 8
#define PAD(n) (((n) + 7) & ~(size_t)7)

struct entry {
	uint32_t param;
	uint32_t size;
};

void
infoset_init(struct infoset *s)
{
	buf_init(&s->buf);
}

void
infoset_fini(struct infoset *s)
{
	buf_fini(&s->buf);
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

const void *
infoset_find(const struct infoset *s, uint32_t param, size_t *size)
{
	const void *p;
	uint32_t found;
	size_t at = 0, n;

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
