/* SPDX-License-Identifier: ISC */
#include "tests/wire/seed.h"

#include <assert.h>
#include <string.h>

#define ARENA_BYTES (4u << 20)

static _Alignas(16) uint8_t arena[ARENA_BYTES];
static size_t arena_used;

void
seed_forget(void)
{
	arena_used = 0;
}

static void *
arena_take(size_t n)
{
	void *p = arena + arena_used;

	n = (n + 15) & ~(size_t)15;
	assert(n <= sizeof(arena) - arena_used);
	arena_used += n;
	return p;
}

static uint64_t *
scalar_at(uint64_t *msg, const struct field *f)
{
	return (uint64_t *)(void *)((uint8_t *)msg + f->offset);
}

static struct span *
span_at(uint64_t *msg, const struct field *f)
{
	return (struct span *)(void *)((uint8_t *)msg + f->offset);
}

/* ---- filling ----------------------------------------------------------- */

/* Letters, so that it is a string, too; n is what tells them apart. */
static struct span
letters(size_t n)
{
	char *p = arena_take(n);
	size_t i;

	for (i = 0; i < n; i++)
		p[i] = (char)('a' + (n + i) % 26);
	return (struct span){ p, n };
}

static uint64_t
scalar(const struct field *f, enum seed_variant variant)
{
	static const uint64_t extreme[] = {
		[FIELD_U64] = UINT64_MAX,
		[FIELD_U32] = UINT32_MAX,
		[FIELD_I32] = (uint64_t)INT32_MIN,
		[FIELD_ID] = UINT64_MAX,
	};
	uint64_t id = (uint64_t)1 << 32 | f->offset;

	if (variant == SEED_EXTREME)
		return extreme[f->kind];
	if (f->kind == FIELD_ID)
		return variant == SEED_LEAST && (f->flags & FIELD_MAY_NULL) ?
		    0 : id;
	return variant == SEED_LEAST ? 0 : 100u + f->offset;
}

/* Elements of an array whose number the description leaves open. */
static uint64_t
open_count(enum seed_variant variant)
{
	static const uint64_t n[] = { 0, 3, 17 };

	return n[variant];
}

static struct span
numbers(uint64_t n, enum seed_variant variant)
{
	uint64_t *p = arena_take(n * sizeof(*p)), i;

	for (i = 0; i < n; i++)
		p[i] = variant == SEED_EXTREME ? UINT64_MAX - i :
		    (uint64_t)1 << 32 | (i + 1);
	return (struct span){ p, n };
}

/* Elements of 0, 7, 14, ... bytes: each length modulo 8 is among them. */
static struct span
list(enum seed_variant variant)
{
	uint64_t n = open_count(variant), i;
	struct span *p = arena_take(n * sizeof(*p));

	for (i = 0; i < n; i++)
		p[i] = letters(7 * i);
	return (struct span){ p, n };
}

/* One of each kind, then values of other sizes. */
static struct span
args(enum seed_variant variant)
{
	uint64_t n = variant == SEED_LEAST ? 0 : ARG_KIND_COUNT +
	    open_count(variant), i;
	struct arg *p = arena_take(n * sizeof(*p));

	for (i = 0; i < n; i++) {
		p[i].index = (uint32_t)i;
		p[i].kind = i < ARG_KIND_COUNT ? (uint32_t)i : ARG_VALUE;
		p[i].size = p[i].kind == ARG_VALUE ? i + 1 : 8;
		p[i].value = p[i].kind == ARG_LOCAL ? NULL :
		    letters(p[i].size).p;
	}
	return (struct span){ p, n };
}

static uint64_t
array_count(const struct field *f, unsigned i, uint64_t *msg,
    enum seed_variant variant)
{
	if (variant == SEED_LEAST && (f[i].flags & FIELD_MAY_NULL))
		return 0;
	if (f[i].length_field >= 0)
		return *scalar_at(msg, &f[f[i].length_field]);
	return f[i].length > 0 ? f[i].length : open_count(variant);
}

static void
fill_field(const struct field *f, unsigned i, uint64_t *msg,
    enum seed_variant variant)
{
	struct span *span = span_at(msg, &f[i]);

	switch ((enum field_kind)f[i].kind) {
	case FIELD_U64:
	case FIELD_U32:
	case FIELD_I32:
	case FIELD_ID:
		*scalar_at(msg, &f[i]) = scalar(&f[i], variant);
		break;
	case FIELD_STRING:
	case FIELD_BYTES:
		*span = letters(variant == SEED_LEAST ? 0 :
		    variant == SEED_TYPICAL ? 5 + i : 64 + i);
		break;
	case FIELD_U64S:
	case FIELD_IDS:
		*span = numbers(array_count(f, i, msg, variant), variant);
		break;
	case FIELD_LIST:
	case FIELD_STRINGS:
		*span = list(variant);
		break;
	case FIELD_ARGS:
		*span = args(variant);
		break;
	}
}

/* A scalar that is another field's length has to be a small number. */
static void
fill_lengths(const struct field *f, unsigned count, uint64_t *msg,
    enum seed_variant variant)
{
	unsigned i;

	for (i = 0; i < count; i++)
		if (f[i].length_field >= 0)
			*scalar_at(msg, &f[f[i].length_field]) =
			    open_count(variant);
}

void
seed_fill(uint64_t *msg, const struct field *f, unsigned count,
    enum seed_variant variant)
{
	unsigned i, j;
	bool is_length;

	memset(msg, 0, SEED_SLOTS * sizeof(*msg));
	fill_lengths(f, count, msg, variant);
	for (i = 0; i < count; i++) {
		is_length = false;
		for (j = 0; j < count; j++)
			if (f[j].length_field == (int)i)
				is_length = true;
		if (!is_length)
			fill_field(f, i, msg, variant);
	}
}

/* ---- from the decoder's form to the encoder's ---------------------------- */

static bool
inside(const struct span *s, size_t element, const uint8_t *body, size_t len)
{
	const uint8_t *p = s->p;

	return s->n == 0 || (p >= body && p <= body + len &&
	    s->n * element <= (size_t)(body + len - p));
}

static bool
list_as_sent(struct span *s, const uint8_t *body, size_t len)
{
	struct span *p = arena_take(s->n * sizeof(*p));
	uint64_t n = 0;

	while (list_next(s, &p[n]))
		if (!inside(&p[n++], 1, body, len))
			return false;
	*s = (struct span){ p, n };
	return true;
}

static bool
args_as_sent(struct span *s, const uint8_t *body, size_t len)
{
	struct arg *p = arena_take(s->n * sizeof(*p));
	struct span value;
	uint64_t n = 0;

	while (args_next(s, &p[n])) {
		value = (struct span){ p[n].value, p[n].size };
		if (p[n++].value != NULL && !inside(&value, 1, body, len))
			return false;
	}
	*s = (struct span){ p, n };
	return true;
}

static bool
field_as_sent(const struct field *f, struct span *s, const uint8_t *body,
    size_t len)
{
	switch ((enum field_kind)f->kind) {
	case FIELD_STRING:
	case FIELD_BYTES:
		return inside(s, 1, body, len);
	case FIELD_U64S:
	case FIELD_IDS:
		return inside(s, 8, body, len);
	case FIELD_LIST:
	case FIELD_STRINGS:
		return list_as_sent(s, body, len);
	case FIELD_ARGS:
		return args_as_sent(s, body, len);
	default:
		return true;
	}
}

bool
seed_as_sent(uint64_t *msg, const struct field *f, unsigned count,
    const void *body, size_t len)
{
	unsigned i;

	for (i = 0; i < count; i++)
		if (!field_as_sent(&f[i], span_at(msg, &f[i]), body, len))
			return false;
	return true;
}

/* ---- comparing ----------------------------------------------------------- */

static bool
bytes_equal(const struct span *a, const struct span *b, size_t element)
{
	return a->n == b->n &&
	    (a->n == 0 || memcmp(a->p, b->p, a->n * element) == 0);
}

static bool
lists_equal(const struct span *a, const struct span *b)
{
	const struct span *p = a->p, *q = b->p;
	uint64_t i;

	for (i = 0; a->n == b->n && i < a->n; i++)
		if (!bytes_equal(&p[i], &q[i], 1))
			return false;
	return a->n == b->n;
}

static bool
args_equal(const struct span *a, const struct span *b)
{
	const struct arg *p = a->p, *q = b->p;
	uint64_t i;

	for (i = 0; a->n == b->n && i < a->n; i++)
		if (p[i].index != q[i].index || p[i].kind != q[i].kind ||
		    p[i].size != q[i].size ||
		    (p[i].value == NULL) != (q[i].value == NULL) ||
		    (p[i].value != NULL &&
		    memcmp(p[i].value, q[i].value, p[i].size) != 0))
			return false;
	return a->n == b->n;
}

static bool
field_equal(const struct field *f, const void *a, const void *b)
{
	switch ((enum field_kind)f->kind) {
	case FIELD_STRING:
	case FIELD_BYTES:
		return bytes_equal(a, b, 1);
	case FIELD_U64S:
	case FIELD_IDS:
		return bytes_equal(a, b, 8);
	case FIELD_LIST:
	case FIELD_STRINGS:
		return lists_equal(a, b);
	case FIELD_ARGS:
		return args_equal(a, b);
	default:
		return *(const uint64_t *)a == *(const uint64_t *)b;
	}
}

bool
seed_equal(const uint64_t *a, const uint64_t *b, const struct field *f,
    unsigned count)
{
	unsigned i;

	for (i = 0; i < count; i++)
		if (!field_equal(&f[i], (const uint8_t *)a + f[i].offset,
		    (const uint8_t *)b + f[i].offset))
			return false;
	return true;
}
