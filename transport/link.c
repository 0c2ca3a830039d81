/* SPDX-License-Identifier: ISC */
#include "transport/link.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "common/clock.h"
#include "transport/link_private.h"

struct link *
link_new(struct transport *t, size_t frame_max)
{
	struct link *l = calloc(1, sizeof(*l));

	if (l == NULL)
		return NULL;
	l->transport = t;
	l->fd = t->ops->fd(t);
	atomic_init(&l->frame_max, frame_max);
	pthread_mutex_init(&l->queue_lock, NULL);
	pthread_mutex_init(&l->io_lock, NULL);
	pthread_mutex_init(&l->state_lock, NULL);
	l->queue_bulks_last = &l->queue_bulks;
	return l;
}

void
link_set_frame_max(struct link *l, size_t n)
{
	atomic_store(&l->frame_max, n);
}

void
link_free(struct link *l, bool orderly)
{
	if (l == NULL)
		return;
	if (orderly)
		link_flush(l, NULL);
	l->transport->ops->close(l->transport, orderly);
	buf_fini(&l->queue);
	buf_fini(&l->sending);
	buf_fini(&l->in);
	pthread_mutex_destroy(&l->queue_lock);
	pthread_mutex_destroy(&l->io_lock);
	pthread_mutex_destroy(&l->state_lock);
	free(l);
}

/* --- how a direction ends ------------------------------------------------- */

enum vgpu_err
link_end_set(struct link *l, struct link_end *end, enum vgpu_err e,
    const struct err_text *text)
{
	pthread_mutex_lock(&l->state_lock);
	if (atomic_load_explicit(&end->error, memory_order_relaxed) ==
	    VGPU_OK) {
		end->text = *text;
		atomic_store_explicit(&end->error, (int)e,
		    memory_order_release);
	}
	pthread_mutex_unlock(&l->state_lock);
	return e;
}

enum vgpu_err
link_end_get(const struct link_end *end, struct err_text *err)
{
	enum vgpu_err e = (enum vgpu_err)atomic_load_explicit(&end->error,
	    memory_order_acquire);

	if (e != VGPU_OK && err != NULL)
		*err = end->text;
	return e;
}

void
link_fail(struct link *l, enum vgpu_err e, const char *text)
{
	struct err_text err;

	err_set(&err, e, "%s", text);
	link_end_set(l, &l->send_end, e, &err);
	link_end_set(l, &l->receive_end, e, &err);
	(void)shutdown(l->fd, SHUT_RDWR);
}

enum vgpu_err
link_error(const struct link *l, struct err_text *err)
{
	enum vgpu_err e = link_end_get(&l->receive_end, err);

	return e != VGPU_OK ? e : link_end_get(&l->send_end, err);
}

/* --- queueing ------------------------------------------------------------- */

static void
put16(uint8_t *p, uint16_t v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
}

static void
put32(uint8_t *p, uint32_t v)
{
	put16(p, (uint16_t)v);
	put16(p + 2, (uint16_t)(v >> 16));
}

static void
put64(uint8_t *p, uint64_t v)
{
	put32(p, (uint32_t)v);
	put32(p + 4, (uint32_t)(v >> 32));
}

struct buf *
link_begin(struct link *l, uint16_t type, uint16_t flags, uint64_t serial)
{
	uint8_t header[LINK_HEADER_LEN];

	put32(header, 0); /* known at the end */
	put16(header + 4, type);
	put16(header + 6, flags);
	put64(header + 8, serial);
	pthread_mutex_lock(&l->queue_lock);
	l->begun = buf_len(&l->queue);
	buf_append(&l->queue, header, sizeof(header));
	return &l->queue;
}

/* Take back what was appended since link_begin. */
static void
drop_begun(struct link *l)
{
	l->queue.end = l->queue.start + l->begun;
	l->queue.failed = false;
}

void
link_cancel(struct link *l)
{
	drop_begun(l);
	pthread_mutex_unlock(&l->queue_lock);
}

static size_t
padding(size_t n)
{
	return (8 - n % 8) % 8;
}

/*
 * Count the frame begun as queued, with body bytes of the sender's own between
 * what was appended and its padding.
 */
static enum vgpu_err
enqueue(struct link *l, struct link_bulk *bulk, struct err_text *err)
{
	size_t body = bulk != NULL ? bulk->left : 0;
	size_t len = buf_len(&l->queue) - l->begun, pad, max, in_buffer;
	enum vgpu_err e;

	max = atomic_load_explicit(&l->frame_max, memory_order_relaxed);
	if (max > UINT32_MAX - 7)
		max = UINT32_MAX - 7;
	if ((e = link_end_get(&l->send_end, err)) != VGPU_OK)
		return e;
	if (len > max || body > max - len)
		return err_set(err, VGPU_EQUOTA, "a frame of %zu bytes is "
		    "longer than the limit of %zu", len + body, max);
	pad = padding(len + body);
	buf_append_zero(&l->queue, pad);
	if (l->queue.failed)
		return err_set(err, VGPU_ENOMEM, "no memory for a frame");
	if (bulk != NULL && body > 0) {
		bulk->at = l->enqueued + len;
		*l->queue_bulks_last = bulk;
		l->queue_bulks_last = &bulk->next;
	}
	in_buffer = len + pad;
	put32(buf_front(&l->queue) + l->begun, (uint32_t)(in_buffer + body));
	l->enqueued += in_buffer;
	atomic_fetch_add(&l->unsent, in_buffer + body);
	LINK_COUNT(l->frames_sent, 1);
	LINK_COUNT(l->bytes_sent, in_buffer + body);
	return VGPU_OK;
}

enum vgpu_err
link_end(struct link *l)
{
	enum vgpu_err e = enqueue(l, NULL, NULL);

	if (e != VGPU_OK)
		drop_begun(l);
	pthread_mutex_unlock(&l->queue_lock);
	return e;
}

/* --- writing -------------------------------------------------------------- */

/* Make what is queued what is being sent; false when there is nothing. */
static bool
take_queue(struct link *l)
{
	struct buf empty;
	bool some;

	if (l->sending.size > LINK_KEEP_MAX)
		buf_fini(&l->sending);
	pthread_mutex_lock(&l->queue_lock);
	if ((some = buf_len(&l->queue) > 0)) {
		empty = l->sending;
		l->sending = l->queue;
		l->queue = empty;
		/* Those of sending are out, as all its bytes are. */
		l->sending_bulks = l->queue_bulks;
		l->queue_bulks = NULL;
		l->queue_bulks_last = &l->queue_bulks;
	}
	pthread_mutex_unlock(&l->queue_lock);
	return some;
}

/* Write one piece; VGPU_OK and *done when there is none left. */
static enum vgpu_err
write_piece(struct link *l, bool *done, struct err_text *err)
{
	struct link_bulk *bulk = l->sending_bulks;
	bool in_body = bulk != NULL && bulk->at == l->written;
	size_t n = buf_len(&l->sending), put;
	const uint8_t *p;
	enum vgpu_err e;

	if (!in_body && n == 0) {
		*done = !take_queue(l);
		return VGPU_OK;
	}
	if (!in_body && bulk != NULL && n > bulk->at - l->written)
		n = (size_t)(bulk->at - l->written);
	if (in_body)
		n = bulk->left;
	p = in_body ? bulk->body : buf_front(&l->sending);
	e = l->transport->ops->write(l->transport, p, n, &put, err);
	if (e != VGPU_OK)
		return e;
	LINK_COUNT(l->writes, 1);
	atomic_fetch_sub(&l->unsent, put);
	if (!in_body) {
		buf_take(&l->sending, put);
		l->written += put;
		return VGPU_OK;
	}
	bulk->body += put;
	bulk->left -= put;
	if (bulk->left == 0)
		l->sending_bulks = bulk->next;
	return VGPU_OK;
}

/* With io_lock held. */
static enum vgpu_err
pump(struct link *l, struct err_text *err)
{
	struct err_text text = { "" };
	enum vgpu_err e = link_end_get(&l->send_end, err);
	bool done = false;

	if (e != VGPU_OK)
		return e;
	while (e == VGPU_OK && !done)
		e = write_piece(l, &done, &text);
	if (e == VGPU_OK)
		e = l->transport->ops->flush(l->transport, &text);
	atomic_store(&l->unflushed, e == VGPU_EAGAIN);
	if (e == VGPU_OK || e == VGPU_EAGAIN)
		return e;
	link_end_set(l, &l->send_end, e, &text);
	return link_end_get(&l->send_end, err);
}

enum vgpu_err
link_flush(struct link *l, struct err_text *err)
{
	enum vgpu_err e;

	pthread_mutex_lock(&l->io_lock);
	e = pump(l, err);
	pthread_mutex_unlock(&l->io_lock);
	return e;
}

/* Sleep until the descriptor is writable; false at the deadline. */
static bool
wait_writable(const struct link *l, int64_t deadline)
{
	struct pollfd p = { .fd = l->fd, .events = POLLOUT };
	int ms = clock_poll_ms(deadline);

	if (ms == 0)
		return false;
	(void)poll(&p, 1, ms);
	return true;
}

enum vgpu_err
link_flush_wait(struct link *l, int64_t deadline, struct err_text *err)
{
	enum vgpu_err e;

	while ((e = link_flush(l, err)) == VGPU_EAGAIN)
		if (!wait_writable(l, deadline))
			return err_set(err, VGPU_ETIME,
			    "the peer did not take %zu bytes in time",
			    link_unsent(l));
	return e;
}

static enum vgpu_err
write_bulk(struct link *l, const struct link_bulk *bulk, int64_t deadline,
    struct err_text *err)
{
	enum vgpu_err e;
	bool out;

	for (;;) {
		pthread_mutex_lock(&l->io_lock);
		e = pump(l, err);
		out = bulk->left == 0;
		pthread_mutex_unlock(&l->io_lock);
		if (out)
			return VGPU_OK;
		if (e != VGPU_EAGAIN)
			return e;
		if (wait_writable(l, deadline))
			continue;
		link_fail(l, VGPU_ETIME,
		    "the peer did not take a body in time");
		/* The next round sees the error, with nobody in the body. */
	}
}

enum vgpu_err
link_send_body(struct link *l, uint16_t type, uint16_t flags, uint64_t serial,
    const void *prefix, size_t prefix_len, const void *body, size_t body_len,
    int64_t deadline, struct err_text *err)
{
	struct link_bulk bulk = { .body = body, .left = body_len };
	struct buf *b = link_begin(l, type, flags, serial);
	enum vgpu_err e;

	buf_append(b, prefix, prefix_len);
	if ((e = enqueue(l, &bulk, err)) != VGPU_OK)
		drop_begun(l);
	pthread_mutex_unlock(&l->queue_lock);
	if (e != VGPU_OK)
		return e;
	if (body_len > 0)
		return write_bulk(l, &bulk, deadline, err);
	e = link_flush(l, err);
	return e == VGPU_EAGAIN ? VGPU_OK : e;
}

/* --- state ---------------------------------------------------------------- */

size_t
link_unsent(struct link *l)
{
	return atomic_load(&l->unsent);
}

bool
link_want_write(struct link *l)
{
	return atomic_load(&l->unsent) > 0 || atomic_load(&l->unflushed);
}

int
link_fd(const struct link *l)
{
	return l->fd;
}

struct transport *
link_transport(const struct link *l)
{
	return l->transport;
}

static uint64_t
count(const atomic_uint_fast64_t *n)
{
	return atomic_load_explicit(n, memory_order_relaxed);
}

void
link_get_stats(const struct link *l, struct link_stats *out)
{
	out->frames_sent = count(&l->frames_sent);
	out->bytes_sent = count(&l->bytes_sent);
	out->frames_received = count(&l->frames_received);
	out->bytes_received = count(&l->bytes_received);
	out->writes = count(&l->writes);
	out->reads = count(&l->reads);
}
