/* SPDX-License-Identifier: ISC */
#include "transport/link.h"

#include <poll.h>

#include "common/clock.h"
#include "transport/link_private.h"

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
	LINK_COUNT(l->written_out, put);
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
	if ((e = link_end_body(l, &bulk, err)) != VGPU_OK)
		return e;
	if (body_len > 0)
		return write_bulk(l, &bulk, deadline, err);
	e = link_flush(l, err);
	return e == VGPU_EAGAIN ? VGPU_OK : e;
}
