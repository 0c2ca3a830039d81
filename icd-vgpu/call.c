/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/call.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/polling.h"
#include "icd-vgpu/client.h"
#include "icd-vgpu/incoming.h"
#include "icd-vgpu/pending.h"
#include "icd-vgpu/service.h"
#include "icd-vgpu/summary.h"
#include "icd-vgpu/trace.h"

/* Messages are sent on their own when this many bytes have gathered. */
#define FLUSH_BYTES (32u << 10)

static cl_int
link_status(enum vgpu_err e)
{
	return e == VGPU_OK ? CL_SUCCESS :
	    e == VGPU_ENOMEM || e == VGPU_EQUOTA ? CL_OUT_OF_HOST_MEMORY :
	    CL_DEVICE_NOT_AVAILABLE;
}

static cl_int
send_message(struct client *c, const struct message *m, const void *msg,
    unsigned flags, uint64_t serial)
{
	struct buf *b;
	cl_int status;

	b = link_begin(c->control, m->number, (uint16_t)flags, serial);
	codec_encode(b, m->fields, m->field_count, msg);
	status = link_status(link_end(c->control));
	trace_message(m, msg, serial);
	if (link_unsent(c->control) >= FLUSH_BYTES)
		service_flush(c);
	else
		service_note_unsent(c);
	return status;
}

cl_int
call_async(const struct message *m, const void *msg, unsigned flags)
{
	struct client *c = client_current();

	if (c == NULL || !atomic_load(&c->alive))
		return CL_DEVICE_NOT_AVAILABLE;
	return send_message(c, m, msg, flags, atomic_fetch_add(&c->serial, 1));
}

void
call_flush(void)
{
	struct client *c = client_current();

	if (c != NULL && atomic_load(&c->alive))
		service_flush(c);
}

cl_int
call_alive(void)
{
	struct client *c = client_current();

	return c != NULL && atomic_load(&c->alive) ? CL_SUCCESS :
	    CL_DEVICE_NOT_AVAILABLE;
}

void
call_lock(void)
{
	pthread_mutex_lock(&client_current()->lock);
}

void
call_unlock(void)
{
	pthread_mutex_unlock(&client_current()->lock);
}

void
call_changed(void)
{
	struct client *c = client_current();

	c->changed = true;
	if (c->followers > 0)
		pthread_cond_broadcast(&c->cond);
}

void
call_changed_here(void)
{
	struct client *c = client_current();
	const uint64_t one = 1;

	call_changed();
	if (c->leading && write(c->wake, &one, sizeof(one)) < 0)
		return;	/* the counter is full: it is awake */
}

void
call_expect(int more)
{
	struct client *c = client_current();

	if (c == NULL)
		return;
	atomic_fetch_add(&c->expected, more);
	if (more > 0)
		service_wake(c);
}

/*
 * Wait for so many ms, -1: until a lane has something or can take more of what
 * is unsent.  False: the time is over.
 */
static bool
poll_lanes(struct client *c, int ms)
{
	struct link *data = atomic_load(&c->data);
	struct pollfd p[3] = {
		{ .fd = link_fd(c->control), .events = POLLIN },
		{ .fd = data != NULL ? link_fd(data) : -1, .events = POLLIN },
		{ .fd = c->wake, .events = POLLIN },
	};
	uint64_t count;
	int n;

	if (link_want_write(c->control))
		p[0].events |= POLLOUT;
	if (data != NULL && link_want_write(data))
		p[1].events |= POLLOUT;
	if ((n = poll(p, 3, ms)) < 0 && errno != EINTR)
		client_die(c, "poll failed");
	if (n <= 0)
		return n < 0;
	if ((p[2].revents & POLLIN) &&
	    read(c->wake, &count, sizeof(count)) < 0)
		return true;	/* another leader's turn took it */
	if (p[0].revents & POLLOUT)
		link_flush(c->control, NULL);
	if (p[1].revents & POLLOUT)
		link_flush(data, NULL);
	return true;
}

/*
 * One turn as leader: take what has arrived; when nothing has, look for a
 * while and then sleep.  The lock is not held.
 */
static void
lead(struct client *c)
{
	bool some;

	if (incoming_receive(c))
		return;
	polling_start(&c->polling);
	while ((some = poll_lanes(c, 0)) == false && polling_more(&c->polling))
		;
	if (!some)
		poll_lanes(c, -1);
	polling_news(&c->polling);
	incoming_receive(c);
}

/* counted: the wait is in the statistics already. */
static cl_int
wait_until(bool (*done)(void *), void *arg, bool counted)
{
	struct client *c = client_current();
	int64_t start;
	bool ok;

	if (c == NULL)
		return CL_DEVICE_NOT_AVAILABLE;
	start = summary_wait_start();
	/* Followers, too: the leader may be asleep already. */
	if (atomic_load(&c->dirty))
		service_flush(c);
	pthread_mutex_lock(&c->lock);
	while (!(ok = done(arg)) && atomic_load(&c->alive)) {
		if (!counted) {
			atomic_fetch_add(&c->waits, 1);
			counted = true;
		}
		if (c->leading) {
			c->followers++;
			pthread_cond_wait(&c->cond, &c->lock);
			c->followers--;
			continue;
		}
		c->leading = true;
		atomic_fetch_add(&c->leads, 1);
		pthread_mutex_unlock(&c->lock);
		lead(c);
		pthread_mutex_lock(&c->lock);
		c->leading = false;
	}
	if (c->followers > 0)
		pthread_cond_broadcast(&c->cond);
	pthread_mutex_unlock(&c->lock);
	if (counted)
		summary_wait_end(start);
	/* It may rest, deaf, since this thread has read for it. */
	if (counted && (atomic_load(&c->expected) > 0 ||
	    atomic_load(&c->asleep) == SERVICE_RESTS))
		service_wake(c);
	return ok ? CL_SUCCESS : CL_DEVICE_NOT_AVAILABLE;
}

cl_int
call_wait(bool (*done)(void *), void *arg)
{
	return wait_until(done, arg, false);
}

cl_int
call_wait_answer(bool (*done)(void *), void *arg)
{
	struct client *c = client_current();

	if (c != NULL && atomic_load(&c->alive))
		atomic_fetch_add(&c->waits, 1);
	return wait_until(done, arg, true);
}

static bool
pending_done(void *arg)
{
	const struct pending *p = arg;

	return p->done;
}

/* Enter the call in the list before its reply can come. */
static cl_int
send_pending(struct client *c, struct pending *p, const void *msg,
    unsigned flags)
{
	cl_int status;

	p->serial = atomic_fetch_add(&c->serial, 1);
	pthread_mutex_lock(&c->lock);
	TAILQ_INSERT_TAIL(&c->pending, p, entry);
	pthread_mutex_unlock(&c->lock);
	status = send_message(c, p->message, msg, flags, p->serial);
	if (status != CL_SUCCESS)
		pending_remove(c, p);
	return status;
}

/*
 * Send a call, run sent(arg) unless it is NULL, and wait for the reply, whose
 * bytes go to p->body, or its status to p->status.
 */
static cl_int
exchange(struct pending *p, const void *msg, unsigned flags,
    void (*sent)(void *), void *arg)
{
	struct client *c = client_current();
	cl_int code;

	if (p->body != NULL)
		buf_init(p->body);
	if ((code = call_alive()) != CL_SUCCESS ||
	    (code = send_pending(c, p, msg, flags)) != CL_SUCCESS)
		return code;
	if (sent != NULL)
		sent(arg);
	if (call_wait_answer(pending_done, p) != CL_SUCCESS)
		pending_remove(c, p);
	return p->done && !p->lost ? CL_SUCCESS : CL_DEVICE_NOT_AVAILABLE;
}

cl_int
call_sync(const struct message *m, const void *msg, void *reply,
    struct buf *body)
{
	struct pending p = { .message = m, .body = body };
	int64_t *status = reply;
	cl_int code;

	if ((code = exchange(&p, msg, 0, NULL, NULL)) != CL_SUCCESS)
		return code;
	if (codec_decode(buf_front(body), buf_len(body), m->reply,
	    m->reply_count, reply, NULL) != VGPU_OK) {
		client_die(client_current(),
		    "the host's reply does not decode");
		return CL_DEVICE_NOT_AVAILABLE;
	}
	return (cl_int)*status;
}

cl_int
call_status_after(const struct message *m, const void *msg, unsigned flags,
    void (*sent)(void *), void *arg)
{
	struct pending p = { .message = m };
	cl_int code = exchange(&p, msg, flags, sent, arg);

	return code == CL_SUCCESS ? (cl_int)p.status : code;
}

cl_int
call_status(const struct message *m, const void *msg, unsigned flags)
{
	return call_status_after(m, msg, flags, NULL, NULL);
}

cl_int
call_then(const struct message *m, const void *msg, call_then_function *then,
    void *arg)
{
	struct client *c = client_current();
	struct pending *p;
	cl_int code;

	if ((code = call_alive()) != CL_SUCCESS)
		return code;
	if ((p = calloc(1, sizeof(*p))) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	p->message = m;
	p->then = then;
	p->arg = arg;
	call_expect(1);
	if ((code = send_pending(c, p, msg, 0)) != CL_SUCCESS) {
		call_expect(-1);
		free(p);
		return code;
	}
	call_flush();
	return CL_SUCCESS;
}
