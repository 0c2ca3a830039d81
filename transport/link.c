/* SPDX-License-Identifier: ISC */
#include "transport/link.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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
link_set_observer(struct link *l, link_observer *f)
{
	l->observer = f;
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

void
link_abandon(struct link *l)
{
	close(l->fd);
	l->fd = -1;
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

/* With the queue locked; on failure the frame stays begun. */
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
	pad = padding(len + body);
	if (len > max || body > max - len || pad > max - len - body)
		return err_set(err, VGPU_EQUOTA, "a frame of %zu bytes is "
		    "longer than the limit of %zu", len + body, max);
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
	LINK_COUNT(l->bytes_copied_out, in_buffer);
	if (l->observer != NULL)
		l->observer(true, in_buffer + body);
	return VGPU_OK;
}

enum vgpu_err
link_end_body(struct link *l, struct link_bulk *bulk, struct err_text *err)
{
	enum vgpu_err e = enqueue(l, bulk, err);

	if (e != VGPU_OK)
		drop_begun(l);
	pthread_mutex_unlock(&l->queue_lock);
	return e;
}

enum vgpu_err
link_end(struct link *l)
{
	return link_end_body(l, NULL, NULL);
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

enum vgpu_err
link_send_fd(struct link *l, int fd, struct err_text *err)
{
	struct transport *t = l->transport;
	enum vgpu_err e;

	if (t->ops->send_fd == NULL)
		return err_set(err, VGPU_ESYS, "a transport of kind %s takes "
		    "no descriptors", t->ops->name);
	pthread_mutex_lock(&l->io_lock);
	e = t->ops->send_fd(t, fd, err);
	pthread_mutex_unlock(&l->io_lock);
	return e;
}

int
link_take_fd(struct link *l)
{
	struct transport *t = l->transport;
	int fd;

	if (t->ops->take_fd == NULL)
		return -1;
	pthread_mutex_lock(&l->io_lock);
	fd = t->ops->take_fd(t);
	pthread_mutex_unlock(&l->io_lock);
	return fd;
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
	out->bytes_copied_out = count(&l->bytes_copied_out);
	out->bytes_copied_in = count(&l->bytes_copied_in);
}
