/* SPDX-License-Identifier: ISC */
#include "protocol/codec.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

#if __BYTE_ORDER != __LITTLE_ENDIAN
#error "messages are copied as they lie: only little-endian machines"
#endif

#define SLOT 8

/* ---- encoding ---------------------------------------------------------- */

static void
put_u64(struct buf *b, uint64_t v)
{
	uint8_t *p = buf_reserve(b, SLOT);

	if (p == NULL)
		return;
	memcpy(p, &v, SLOT);
	buf_commit(b, SLOT);
}

/* The zeros behind n bytes; at least one, so that strings end. */
static size_t
padding(uint64_t n)
{
	return SLOT - n % SLOT;
}

static void
put_bytes(struct buf *b, const void *p, uint64_t n)
{
	put_u64(b, n);
	buf_append(b, p, n);
	buf_append_zero(b, padding(n));
}

static void
put_list(struct buf *b, const struct span *list)
{
	const struct span *element = list->p;
	uint64_t i;

	put_u64(b, list->n);
	for (i = 0; i < list->n; i++)
		put_bytes(b, element[i].p, element[i].n);
}

static bool
arg_has_value(uint32_t kind)
{
	return kind != ARG_LOCAL;
}

static void
put_args(struct buf *b, const struct span *args)
{
	const struct arg *arg = args->p;
	uint64_t i;

	put_u64(b, args->n);
	for (i = 0; i < args->n; i++) {
		put_u64(b, arg[i].index | (uint64_t)arg[i].kind << 32);
		put_u64(b, arg[i].size);
		if (!arg_has_value(arg[i].kind))
			continue;
		buf_append(b, arg[i].value, arg[i].size);
		buf_append_zero(b, padding(arg[i].size));
	}
}

static void
put_field(struct buf *b, const struct field *f, const uint8_t *at)
{
	const struct span *span = (const void *)at;

	switch ((enum field_kind)f->kind) {
	case FIELD_U64:
	case FIELD_U32:
	case FIELD_I32:
	case FIELD_ID:
		put_u64(b, *(const uint64_t *)(const void *)at);
		break;
	case FIELD_STRING:
	case FIELD_BYTES:
		put_bytes(b, span->p, span->n);
		break;
	case FIELD_U64S:
	case FIELD_IDS:
		put_u64(b, span->n);
		buf_append(b, span->p, span->n * SLOT);
		break;
	case FIELD_LIST:
	case FIELD_STRINGS:
		put_list(b, span);
		break;
	case FIELD_ARGS:
		put_args(b, span);
		break;
	}
}

void
codec_encode(struct buf *b, const struct field *f, unsigned count,
    const void *msg)
{
	unsigned i;

	for (i = 0; i < count; i++)
		put_field(b, &f[i], (const uint8_t *)msg + f[i].offset);
}

/* ---- decoding ---------------------------------------------------------- */

/*
 * The reader is sticky: after the first mistake nothing more is taken, and
 * one look at reason tells.
 */
struct reader {
	const uint8_t *at;
	const uint8_t *end;
	const char *reason;
};

static void
refuse(struct reader *r, const char *reason)
{
	if (r->reason == NULL)
		r->reason = reason;
	r->at = r->end;
}

static uint64_t
take_u64(struct reader *r)
{
	uint64_t v;

	if ((size_t)(r->end - r->at) < SLOT) {
		refuse(r, "cut short");
		return 0;
	}
	memcpy(&v, r->at, SLOT);
	r->at += SLOT;
	return v;
}

/* n bytes and their padding; the padding must be zero. */
static const uint8_t *
take_padded(struct reader *r, uint64_t n)
{
	const uint8_t *p = r->at;
	size_t i;

	if (n > (uint64_t)(r->end - r->at) ||
	    padding(n) > (uint64_t)(r->end - r->at) - n) {
		refuse(r, "longer than the message");
		return NULL;
	}
	for (i = 0; i < padding(n); i++)
		if (p[n + i] != 0)
			r->reason = "padding is not zero";
	r->at += n + padding(n);
	return p;
}

static void
take_bytes(struct reader *r, struct span *span, bool string)
{
	span->n = take_u64(r);
	span->p = take_padded(r, span->n);
	if (span->p == NULL)
		span->n = 0;
	else if (string && memchr(span->p, '\0', span->n) != NULL)
		r->reason = "NUL in a string";
}

static void
take_array(struct reader *r, struct span *span)
{
	span->n = take_u64(r);
	span->p = r->at;
	if (span->n > CODEC_ARRAY_MAX ||
	    span->n * SLOT > (uint64_t)(r->end - r->at)) {
		refuse(r, "more elements than the message holds");
		span->n = 0;
		return;
	}
	r->at += span->n * SLOT;
}

/* The number of elements whose lengths differ. */
static uint64_t
take_count(struct reader *r)
{
	uint64_t n = take_u64(r);

	if (n > CODEC_ARRAY_MAX)
		refuse(r, "too many elements");
	return n;
}

static void
take_list(struct reader *r, struct span *list, bool strings)
{
	struct span element;
	uint64_t i;

	list->n = take_count(r);
	list->p = r->at;
	for (i = 0; i < list->n && r->reason == NULL; i++)
		take_bytes(r, &element, strings);
	if (r->reason != NULL)
		list->n = 0;
}

/* An id, an address or a sampler takes one slot; only values have a size. */
static bool
arg_size_ok(uint32_t kind, uint64_t size)
{
	if (kind == ARG_VALUE || kind == ARG_LOCAL)
		return size > 0;
	return kind < ARG_KIND_COUNT && size == SLOT;
}

static void
take_args(struct reader *r, struct span *args)
{
	uint64_t i, head, size;

	args->n = take_count(r);
	args->p = r->at;
	for (i = 0; i < args->n && r->reason == NULL; i++) {
		head = take_u64(r);
		size = take_u64(r);
		if (r->reason == NULL &&
		    !arg_size_ok((uint32_t)(head >> 32), size))
			r->reason = "kernel argument of wrong kind or size";
		if (r->reason == NULL && arg_has_value((uint32_t)(head >> 32)))
			take_padded(r, size);
	}
	if (r->reason != NULL)
		args->n = 0;
}

static void
take_field(struct reader *r, const struct field *f, uint8_t *at)
{
	uint64_t *scalar = (void *)at;
	struct span *span = (void *)at;

	switch ((enum field_kind)f->kind) {
	case FIELD_U64:
		*scalar = take_u64(r);
		break;
	case FIELD_U32:
		if ((*scalar = take_u64(r)) > UINT32_MAX)
			r->reason = "above 32 bits";
		break;
	case FIELD_I32:
		*scalar = take_u64(r);
		if ((int64_t)*scalar != (int32_t)*scalar)
			r->reason = "outside of 32 bits";
		break;
	case FIELD_ID:
		if ((*scalar = take_u64(r)) == 0 &&
		    !(f->flags & FIELD_MAY_NULL) && r->reason == NULL)
			r->reason = "null";
		break;
	case FIELD_STRING:
	case FIELD_BYTES:
		take_bytes(r, span, f->kind == FIELD_STRING);
		break;
	case FIELD_U64S:
	case FIELD_IDS:
		take_array(r, span);
		break;
	case FIELD_LIST:
	case FIELD_STRINGS:
		take_list(r, span, f->kind == FIELD_STRINGS);
		break;
	case FIELD_ARGS:
		take_args(r, span);
		break;
	}
}

/* Does an array have as many elements as the description asks for? */
static bool
length_ok(const struct field *f, unsigned i, const uint8_t *msg)
{
	const struct span *span = (const void *)(msg + f[i].offset);
	uint64_t want;

	if (f[i].kind != FIELD_U64S && f[i].kind != FIELD_IDS)
		return true;
	if (f[i].length_field >= 0)
		want = *(const uint64_t *)(const void *)(msg +
		    f[f[i].length_field].offset);
	else if (f[i].length > 0)
		want = f[i].length;
	else
		return true;
	return span->n == want ||
	    (span->n == 0 && (f[i].flags & FIELD_MAY_NULL));
}

enum vgpu_err
codec_decode(const void *body, size_t len, const struct field *f,
    unsigned count, void *msg, struct err_text *text)
{
	struct reader r = { .at = body, .end = (const uint8_t *)body + len };
	unsigned i;

	for (i = 0; i < count; i++) {
		take_field(&r, &f[i], (uint8_t *)msg + f[i].offset);
		if (r.reason == NULL && !length_ok(f, i, msg))
			r.reason = "wrong number of elements";
		if (r.reason != NULL)
			return err_set(text, VGPU_EPROTO, "%s: %s", f[i].name,
			    r.reason);
	}
	if (r.at != r.end)
		return err_set(text, VGPU_EPROTO, "%zu bytes left over",
		    (size_t)(r.end - r.at));
	return VGPU_OK;
}

struct span
span_text(const char *s)
{
	return (struct span){ s != NULL ? s : "", s != NULL ? strlen(s) : 0 };
}

bool
list_next(struct span *list, struct span *element)
{
	const uint8_t *p = list->p;

	if (list->n == 0)
		return false;
	memcpy(&element->n, p, SLOT);
	element->p = p + SLOT;
	list->p = p + SLOT + element->n + padding(element->n);
	list->n--;
	return true;
}

bool
args_next(struct span *args, struct arg *arg)
{
	const uint8_t *p = args->p;

	if (args->n == 0)
		return false;
	memcpy(&arg->index, p, 4);
	memcpy(&arg->kind, p + 4, 4);
	memcpy(&arg->size, p + SLOT, SLOT);
	arg->value = NULL;
	p += 2 * SLOT;
	if (arg_has_value(arg->kind)) {
		arg->value = p;
		p += arg->size + padding(arg->size);
	}
	args->p = p;
	args->n--;
	return true;
}

/* ---- traces ------------------------------------------------------------ */

static int
print_field(char *out, size_t size, const struct field *f, const uint8_t *at)
{
	const struct span *span = (const void *)at;
	uint64_t v = *(const uint64_t *)(const void *)at;

	switch ((enum field_kind)f->kind) {
	case FIELD_I32:
		return snprintf(out, size, " %s %lld", f->name, (long long)v);
	case FIELD_ID:
		return snprintf(out, size, " %s %u.%u", f->name, (uint32_t)v,
		    (uint32_t)(v >> 32));
	case FIELD_U64:
	case FIELD_U32:
		return snprintf(out, size, " %s %llu", f->name,
		    (unsigned long long)v);
	default:
		return snprintf(out, size, " %s[%llu]", f->name,
		    (unsigned long long)span->n);
	}
}

void
codec_print(char *out, size_t size, const struct message *m, const void *msg)
{
	size_t at;
	unsigned i;
	int n;

	if ((n = snprintf(out, size, "%s", m->name)) < 0)
		return;
	at = (size_t)n;
	for (i = 0; i < m->field_count && at < size; i++) {
		n = print_field(out + at, size - at, &m->fields[i],
		    (const uint8_t *)msg + m->fields[i].offset);
		if (n < 0)
			return;
		at += (size_t)n;
	}
}
