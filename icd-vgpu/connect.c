/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/connect.h"

#include <poll.h>
#include <unistd.h>

#include "common/clock.h"
#include "icd-vgpu/client.h"
#include "icd-vgpu/platform.h"
#include "transport/preamble.h"
#include "transport/tcp.h"
#include "transport/tls.h"

#ifndef VGPU_VERSION
#define VGPU_VERSION "0"
#endif

/* A connected, authenticated lane of a session (0: a new one). */
static enum vgpu_err
lane_open(struct client *c, uint64_t session, int64_t deadline,
    struct link **link, struct err_text *text)
{
	struct transport *t;
	enum vgpu_err e;
	int fd;

	if ((e = tcp_connect(&c->url, deadline, &fd, text)) != VGPU_OK)
		return e;
	if ((e = preamble_send(fd, session, text)) != VGPU_OK ||
	    (e = tls_new_client(&t, c->tls, fd, c->url.host, text)) !=
	    VGPU_OK) {
		close(fd);
		return e;
	}
	if ((e = tls_handshake_wait(t, deadline, text)) == VGPU_OK &&
	    (*link = link_new(t, FRAME_MAX)) == NULL)
		e = err_set(text, VGPU_ENOMEM, "out of memory");
	if (e != VGPU_OK)
		t->ops->close(t, false);
	return e;
}

/* Wait for the next whole frame. */
static enum vgpu_err
receive_wait(struct link *l, int64_t deadline, struct frame *f,
    struct err_text *text)
{
	struct pollfd p = { .fd = link_fd(l), .events = POLLIN };
	enum vgpu_err e;

	while ((e = link_receive(l, f, text)) == VGPU_EAGAIN) {
		if (clock_ns() >= deadline)
			return err_set(text, VGPU_ETIME,
			    "the host accepted the connection, but does not"
			    " answer");
		poll(&p, 1, clock_poll_ms(deadline));
	}
	return e;
}

static enum vgpu_err
refused(const struct frame *f, struct err_text *text)
{
	struct msg_refuse m;
	enum vgpu_err e;

	e = codec_decode(f->body, f->len, desc_refuse.fields,
	    desc_refuse.field_count, &m, text);
	if (e != VGPU_OK)
		return e;
	e = m.error < VGPU_ERR_COUNT && m.error != VGPU_OK ?
	    (enum vgpu_err)m.error : VGPU_EPROTO;
	return err_set(text, e, "the host refused: %.*s", (int)m.reason.n,
	    (const char *)m.reason.p);
}

/* Send a message and wait for the one that answers it. */
static enum vgpu_err
exchange(struct link *l, const struct message *m, const void *msg,
    unsigned answer, struct frame *f, int64_t deadline, struct err_text *text)
{
	struct buf *b = link_begin(l, m->number, 0, 0);
	enum vgpu_err e;

	codec_encode(b, m->fields, m->field_count, msg);
	if ((e = link_end(l)) != VGPU_OK ||
	    (e = link_flush_wait(l, deadline, text)) != VGPU_OK ||
	    (e = receive_wait(l, deadline, f, text)) != VGPU_OK)
		return e;
	if (f->type == MSG_refuse)
		return refused(f, text);
	if (f->type != answer)
		return err_set(text, VGPU_EPROTO,
		    "the host answered with message %u where %u was expected",
		    f->type, answer);
	return VGPU_OK;
}

static enum vgpu_err
hello(struct client *c, int64_t deadline, struct err_text *text)
{
	const struct msg_hello h = {
		.version_min = PROTOCOL_VERSION_MIN,
		.version_max = PROTOCOL_VERSION_MAX,
		.software = { VGPU_VERSION, sizeof(VGPU_VERSION) - 1 },
	};
	struct msg_welcome w;
	struct frame f;
	struct transport *t = link_transport(c->control);
	enum vgpu_err e;

	if ((e = t->ops->token(t, c->token, text)) != VGPU_OK)
		return e;
	e = exchange(c->control, &desc_hello, &h, MSG_welcome, &f, deadline,
	    text);
	if (e == VGPU_OK)
		e = codec_decode(f.body, f.len, desc_welcome.fields,
		    desc_welcome.field_count, &w, text);
	if (e != VGPU_OK)
		return e;
	c->session = w.session;
	c->eager_max = w.eager_max;
	c->inline_max = w.inline_max;
	return platform_open(&w, text);
}

enum vgpu_err
connect_open(struct client *c, struct err_text *text)
{
	int64_t deadline = clock_after_ms(c->settings.timeout_ms);
	const struct tls_files files = {
		.ca = c->settings.value[SETTINGS_CA],
		.cert = c->settings.value[SETTINGS_CERT],
		.key = c->settings.value[SETTINGS_KEY],
	};
	enum vgpu_err e;

	e = url_parse(&c->url, c->settings.value[SETTINGS_HOST], text);
	if (e != VGPU_OK)
		return e;
	if (c->url.kind != URL_TLS)
		return err_set(text, VGPU_ECONF, "%s: only vgpu:// addresses"
		    " are supported yet", c->settings.value[SETTINGS_HOST]);
	if ((e = tls_ctx_new_client(&c->tls, &files, text)) != VGPU_OK ||
	    (e = lane_open(c, 0, deadline, &c->control, text)) != VGPU_OK)
		return e;
	return hello(c, deadline, text);
}

enum vgpu_err
connect_lane(struct client *c, struct link **link, struct err_text *text)
{
	int64_t deadline = clock_after_ms(c->settings.timeout_ms);
	const struct msg_join m = { .token = { c->token, sizeof(c->token) } };
	struct frame f;
	enum vgpu_err e;

	e = lane_open(c, c->session, deadline, link, text);
	if (e != VGPU_OK)
		return e;
	e = exchange(*link, &desc_join, &m, MSG_joined, &f, deadline, text);
	if (e != VGPU_OK) {
		link_free(*link, false);
		*link = NULL;
	}
	return e;
}
