/* SPDX-License-Identifier: ISC */
#include "transport/link.h"

#include <assert.h>
#include <string.h>

#include "transport/link_private.h"

#define READ_MIN ((size_t)64 << 10)   /* bytes that one read asks for */
#define READ_MAX ((size_t)256 << 10)  /* so that senders get their turn */

void
link_set_exact(struct link *l)
{
	l->exact = true;
}

void
link_set_streamed(struct link *l, uint16_t type, size_t prefix_len)
{
	assert(prefix_len % 8 == 0 && l->streamed_n < LINK_STREAMED_MAX);
	l->streamed[l->streamed_n].type = type;
	l->streamed[l->streamed_n++].prefix_len = prefix_len;
}

static uint64_t
get(const uint8_t *p, int n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | p[n];
	return v;
}

/* Read from the transport; remembers whether there was anything. */
static enum vgpu_err
read_some(struct link *l, void *p, size_t n, size_t *got,
    struct err_text *err)
{
	struct err_text text = { "" };
	enum vgpu_err e;

	pthread_mutex_lock(&l->io_lock);
	e = l->transport->ops->read(l->transport, p, n, got, &text);
	pthread_mutex_unlock(&l->io_lock);
	l->starved = e != VGPU_OK;
	if (e == VGPU_EAGAIN)
		return e;
	if (e == VGPU_OK) {
		LINK_COUNT(l->reads, 1);
		return e;
	}
	link_end_set(l, &l->receive_end, e, &text);
	return link_end_get(&l->receive_end, err);
}

/*
 * Read behind what is in the buffer, which at most doubles.  lacks: bytes
 * until more is known of the frame.
 */
static enum vgpu_err
fill(struct link *l, size_t lacks, struct err_text *err)
{
	size_t n = buf_len(&l->in), got;
	enum vgpu_err e;
	uint8_t *p;

	if (n < READ_MIN)
		n = READ_MIN;
	if (n > READ_MAX)
		n = READ_MAX;
	if (l->exact && lacks < n)
		n = lacks;
	if (buf_len(&l->in) == 0 && l->in.size > LINK_KEEP_MAX)
		buf_fini(&l->in);
	if ((p = buf_reserve(&l->in, n)) == NULL) {
		l->in.failed = false;
		return err_set(err, VGPU_ENOMEM,
		    "no memory to receive a frame");
	}
	if ((e = read_some(l, p, n, &got, err)) == VGPU_OK)
		buf_commit(&l->in, got);
	return e;
}

static void
drop_taken(struct link *l)
{
	buf_take(&l->in, l->taken);
	l->taken = 0;
}

/*
 * Pass over what the caller did not read.  Reads no further than that, since
 * the buffer must begin with a frame for bodies to be aligned.
 */
static enum vgpu_err
skip_rest(struct link *l, struct err_text *err)
{
	size_t n, got;
	enum vgpu_err e;
	uint8_t *p;

	while (l->rest > 0) {
		n = buf_len(&l->in);
		if (n > 0) {
			got = n < l->rest ? n : l->rest;
			buf_take(&l->in, got);
			l->rest -= got;
			continue;
		}
		n = l->rest < READ_MIN ? l->rest : READ_MIN;
		if ((p = buf_reserve(&l->in, n)) == NULL) {
			l->in.failed = false;
			return err_set(err, VGPU_ENOMEM,
			    "no memory to receive a frame");
		}
		if ((e = read_some(l, p, n, &got, err)) != VGPU_OK)
			return e;
		l->rest -= got;
	}
	return VGPU_OK;
}

static enum vgpu_err
check_length(struct link *l, size_t len, unsigned type, struct err_text *err)
{
	size_t max = atomic_load_explicit(&l->frame_max,
	    memory_order_relaxed);
	struct err_text text;

	if (len < LINK_HEADER_LEN)
		err_set(&text, VGPU_EPROTO, "frame of type %u announces %zu "
		    "bytes, less than its header of %d", type, len,
		    LINK_HEADER_LEN);
	else if (len % 8 != 0)
		err_set(&text, VGPU_EPROTO, "frame of type %u announces %zu "
		    "bytes, not a multiple of 8", type, len);
	else if (len > max)
		err_set(&text, VGPU_EPROTO, "frame of type %u announces %zu "
		    "bytes, the limit is %zu", type, len, max);
	else
		return VGPU_OK;
	link_end_set(l, &l->receive_end, VGPU_EPROTO, &text);
	return link_end_get(&l->receive_end, err);
}

/* How much of a frame's body is to be there before it is given. */
static size_t
whole_or_prefix(const struct link *l, uint16_t type, size_t body)
{
	size_t i;

	for (i = 0; i < l->streamed_n; i++)
		if (l->streamed[i].type == type &&
		    body > l->streamed[i].prefix_len)
			return l->streamed[i].prefix_len;
	return body;
}

static void
read_header(const uint8_t *p, size_t body, struct frame *f)
{
	f->type = (uint16_t)get(p + 4, 2);
	f->flags = (uint16_t)get(p + 6, 2);
	f->serial = get(p + 8, 8);
	f->body = p + LINK_HEADER_LEN;
	f->len = body;
}

/* Give the frame at the front, once there is enough of it. */
static enum vgpu_err
parse(struct link *l, struct frame *f, bool *whole, size_t *lacks,
    struct err_text *err)
{
	size_t have = buf_len(&l->in), len, body, now;
	const uint8_t *p;
	enum vgpu_err e;
	uint16_t type;

	*whole = false;
	*lacks = LINK_HEADER_LEN - have;
	if (have < LINK_HEADER_LEN)
		return VGPU_OK;
	p = buf_front(&l->in);
	len = (size_t)get(p, 4);
	type = (uint16_t)get(p + 4, 2);
	if ((e = check_length(l, len, type, err)) != VGPU_OK)
		return e;
	body = len - LINK_HEADER_LEN;
	now = whole_or_prefix(l, type, body);
	*lacks = now + LINK_HEADER_LEN - have;
	if (have - LINK_HEADER_LEN < now)
		return VGPU_OK;
	*whole = true;
	read_header(p, now, f);
	f->rest = l->rest = body - now;
	l->taken = LINK_HEADER_LEN + now;
	LINK_COUNT(l->frames_received, 1);
	LINK_COUNT(l->bytes_received, len);
	if (l->observer != NULL)
		l->observer(false, len);
	return VGPU_OK;
}

enum vgpu_err
link_receive(struct link *l, struct frame *f, struct err_text *err)
{
	enum vgpu_err e;
	size_t lacks;
	bool whole;

	if ((e = link_end_get(&l->receive_end, err)) != VGPU_OK)
		return e;
	drop_taken(l);
	if ((e = skip_rest(l, err)) != VGPU_OK)
		return e;
	for (;;) {
		if ((e = parse(l, f, &whole, &lacks, err)) != VGPU_OK || whole)
			return e;
		if ((e = fill(l, lacks, err)) != VGPU_OK)
			return e;
	}
}

bool
link_peek(const struct link *l, struct frame *f)
{
	const uint8_t *p = buf_front(&l->in) + l->taken;
	size_t have = buf_len(&l->in) - l->taken, len;

	if (l->rest > 0 || have < LINK_HEADER_LEN)
		return false;
	len = (size_t)get(p, 4);
	if (len < LINK_HEADER_LEN || len > have)
		return false;
	read_header(p, len - LINK_HEADER_LEN, f);
	f->rest = 0;
	return true;
}

enum vgpu_err
link_receive_body(struct link *l, void *dst, size_t n, size_t *got,
    struct err_text *err)
{
	size_t buffered;
	enum vgpu_err e;

	assert(n > 0 && n <= l->rest);
	if ((e = link_end_get(&l->receive_end, err)) != VGPU_OK)
		return e;
	drop_taken(l);
	if ((buffered = buf_len(&l->in)) > 0) {
		*got = buffered < n ? buffered : n;
		memcpy(dst, buf_front(&l->in), *got);
		LINK_COUNT(l->bytes_copied_in, *got);
		buf_take(&l->in, *got);
		l->rest -= *got;
		return VGPU_OK;
	}
	if ((e = read_some(l, dst, n < READ_MAX ? n : READ_MAX, got, err)) ==
	    VGPU_OK)
		l->rest -= *got;
	return e;
}

bool
link_pending(struct link *l)
{
	bool pending;

	if (l->starved)
		return false;
	if (buf_len(&l->in) > l->taken)
		return true;
	pthread_mutex_lock(&l->io_lock);
	pending = l->transport->ops->pending(l->transport);
	pthread_mutex_unlock(&l->io_lock);
	return pending;
}
