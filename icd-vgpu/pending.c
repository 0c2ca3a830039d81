/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/pending.h"

#include <stdlib.h>
#include <string.h>

/* Take the call with a serial off the list and mark it; lock held. */
static struct pending *
pending_take(struct client *c, uint64_t serial)
{
	struct pending *p;

	TAILQ_FOREACH(p, &c->pending, entry)
		if (p->serial == serial) {
			TAILQ_REMOVE(&c->pending, p, entry);
			return p;
		}
	return NULL;
}

void
pending_remove(struct client *c, struct pending *p)
{
	struct pending *q;

	pthread_mutex_lock(&c->lock);
	TAILQ_FOREACH(q, &c->pending, entry)
		if (q == p) {
			TAILQ_REMOVE(&c->pending, p, entry);
			break;
		}
	pthread_mutex_unlock(&c->lock);
}

/* Run a continuation with a decoded reply, in a buffer that fits any. */
static enum vgpu_err
pending_run(struct pending *p, const struct frame *f, struct err_text *text)
{
	const struct message *m = p->message;
	enum vgpu_err e = VGPU_OK;
	int64_t *reply = NULL;

	if (m->reply_size > 0 && (reply = calloc(1, m->reply_size)) == NULL)
		e = VGPU_ENOMEM;
	else
		e = codec_decode(f->body, f->len, m->reply, m->reply_count,
		    reply, text);
	if (e == VGPU_OK)
		p->then(p->arg, (cl_int)reply[0], reply);
	else
		p->then(p->arg, CL_DEVICE_NOT_AVAILABLE, NULL);
	call_expect(-1);
	free(reply);
	free(p);
	return e;
}

/* With the lock held: what the waiter wants of the reply. */
static bool
pending_keep(struct pending *p, const struct frame *f)
{
	if (p->body != NULL) {
		buf_append(p->body, f->body, f->len);
		return !p->body->failed;
	}
	/* The status is the first slot of each reply. */
	if (f->len < sizeof(p->status))
		return false;
	memcpy(&p->status, f->body, sizeof(p->status));
	return true;
}

enum vgpu_err
pending_reply(struct client *c, const struct frame *f, struct err_text *text)
{
	struct pending *p;
	bool waited;

	pthread_mutex_lock(&c->lock);
	p = pending_take(c, f->serial);
	waited = p != NULL && p->then == NULL;
	if (waited) {
		p->lost = !pending_keep(p, f);
		p->done = true;
		call_changed();
	}
	pthread_mutex_unlock(&c->lock);
	if (p == NULL)
		return err_set(text, VGPU_EPROTO,
		    "reply to call %llu, which waits for none",
		    (unsigned long long)f->serial);
	return waited ? VGPU_OK : pending_run(p, f, text);
}

void
pending_lose(struct client *c)
{
	struct pending *p;
	bool waited;

	for (;;) {
		pthread_mutex_lock(&c->lock);
		p = TAILQ_FIRST(&c->pending);
		waited = p != NULL && p->then == NULL;
		if (p != NULL) {
			TAILQ_REMOVE(&c->pending, p, entry);
			p->lost = p->done = true;
		}
		call_changed();
		pthread_mutex_unlock(&c->lock);
		if (p == NULL)
			return;
		if (!waited) {	/* else it is on another thread's stack */
			p->then(p->arg, CL_DEVICE_NOT_AVAILABLE, NULL);
			call_expect(-1);
			free(p);
		}
	}
}
