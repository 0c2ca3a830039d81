/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/connect.h"

#include <poll.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/coding.h"
#include "icd-vgpu/arena.h"
#include "icd-vgpu/client.h"
#include "icd-vgpu/platform.h"
#include "icd-vgpu/trace.h"
#include "protocol/shared.h"
#include "transport/local.h"
#include "transport/preamble.h"
#include "transport/tcp.h"
#include "transport/tls.h"
#include "transport/unix.h"

#define PASSWD_MAX 4096
#define DEVICES_MAX 2048u	/* hosts take no more before hello */

#ifndef VGPU_VERSION
#define VGPU_VERSION "0"
#endif

/* The user who may be the host beside root and ourselves; -1: none. */
static enum vgpu_err
find_host_user(const struct client *c, uid_t *out, struct err_text *text)
{
	const char *name = c->settings.value[SETTINGS_HOST_USER];
	struct passwd p, *found = NULL;
	char bytes[PASSWD_MAX], *end;
	unsigned long v;

	*out = (uid_t)-1;
	if (name == NULL)
		return VGPU_OK;
	v = strtoul(name, &end, 10);
	if (name[0] >= '0' && name[0] <= '9' && *end == '\0' &&
	    v < UINT32_MAX) {
		*out = (uid_t)v;
		return VGPU_OK;
	}
	if (getpwnam_r(name, &p, bytes, sizeof(bytes), &found) != 0 ||
	    found == NULL)
		return err_set(text, VGPU_ECONF, "%s: host-user \"%s\": there "
		    "is no such user", c->settings.origin[SETTINGS_HOST_USER],
		    name);
	*out = p.pw_uid;
	return VGPU_OK;
}

static enum vgpu_err
begin_local(struct client *c, uint64_t session, int64_t deadline,
    struct transport **out, struct err_text *text)
{
	struct transport *t;
	enum vgpu_err e;
	int fd;

	if ((e = unix_connect(c->url.path, deadline, &fd, text)) != VGPU_OK)
		return e;
	/* whom we talk to is known before we say anything */
	if ((e = local_new_client(&t, fd, c->host_user, text)) != VGPU_OK) {
		close(fd);
		return e;
	}
	if ((e = preamble_send(fd, session, text)) == VGPU_OK)
		*out = t;
	else
		t->ops->close(t, false);
	return e;
}

static enum vgpu_err
begin_tls(struct client *c, uint64_t session, int64_t deadline,
    struct transport **out, struct err_text *text)
{
	enum vgpu_err e;
	int fd;

	if ((e = tcp_connect(&c->url, deadline, &fd, text)) != VGPU_OK)
		return e;
	if ((e = preamble_send(fd, session, text)) != VGPU_OK ||
	    (e = tls_new_client(out, c->tls, fd, c->url.host, text)) !=
	    VGPU_OK)
		close(fd);
	return e;
}

/* A connected, authenticated lane of a session (0: a new one). */
static enum vgpu_err
lane_open(struct client *c, uint64_t session, int64_t deadline,
    struct link **link, struct err_text *text)
{
	struct transport *t;
	enum vgpu_err e;

	e = c->url.kind == URL_UNIX ?
	    begin_local(c, session, deadline, &t, text) :
	    begin_tls(c, session, deadline, &t, text);
	if (e != VGPU_OK)
		return e;
	if ((e = transport_handshake_wait(t, deadline, text)) == VGPU_OK &&
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
	if ((e = link_end(l)) == VGPU_OK)
		e = link_flush_wait(l, deadline, text);
	/* A host that has closed already has perhaps said why. */
	if (e == VGPU_OK || e == VGPU_ECLOSED)
		e = receive_wait(l, deadline, f, text);
	if (e != VGPU_OK)
		return e;
	if (f->type == MSG_refuse)
		return refused(f, text);
	if (f->type != answer)
		return err_set(text, VGPU_EPROTO,
		    "the host answered with message %u where %u was expected",
		    f->type, answer);
	return VGPU_OK;
}

/* Without it everything works, but slower. */
static void
take_arena(struct client *c)
{
	struct err_text text;
	int fd = link_take_fd(c->control);

	if (fd < 0)
		trace_text("the host's memory did not come along");
	else if (arena_open(fd, &text) != VGPU_OK)
		trace_text(text.s);
}

/* Be shown less, where the settings say so; goes with hello. */
static enum vgpu_err
narrow(struct client *c, struct err_text *text)
{
	const char *view = c->settings.value[SETTINGS_VIEW];
	const char *devices = c->settings.value[SETTINGS_DEVICES];
	const struct msg_narrow m = {
		.view = { view, view != NULL ? strlen(view) : 0 },
		.devices = { devices, devices != NULL ? strlen(devices) : 0 },
	};

	if (view == NULL && devices == NULL)
		return VGPU_OK;
	if (m.devices.n > DEVICES_MAX)
		return err_set(text, VGPU_ECONF, "%s: devices: expected at "
		    "most %u bytes", c->settings.origin[SETTINGS_DEVICES],
		    DEVICES_MAX);
	codec_encode(link_begin(c->control, desc_narrow.number, 0, 0),
	    desc_narrow.fields, desc_narrow.field_count, &m);
	return link_end(c->control);
}

static enum vgpu_err
hello(struct client *c, int64_t deadline, struct err_text *text)
{
	struct transport *t = link_transport(c->control);
	const struct msg_hello h = {
		.version_min = PROTOCOL_VERSION_MIN,
		.version_max = PROTOCOL_VERSION_MAX,
		.features = FEATURE_CODED |
		    (t->ops->take_fd != NULL ? FEATURE_ARENA : 0),
		.software = { VGPU_VERSION, sizeof(VGPU_VERSION) - 1 },
	};
	struct msg_welcome w;
	struct frame f;
	enum vgpu_err e;

	if ((e = t->ops->token(t, c->token, text)) != VGPU_OK)
		return e;
	if ((e = narrow(c, text)) != VGPU_OK)
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
	if (w.features & FEATURE_ARENA)
		take_arena(c);
	c->coded = (w.features & FEATURE_CODED) != 0;
	if ((c->coding = coding_new()) == NULL)
		return err_set(text, VGPU_ENOMEM, "out of memory");
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
	if (c->url.kind == URL_VSOCK)
		return err_set(text, VGPU_ECONF, "%s: only vgpu:// and "
		    "vgpu+unix: addresses are supported yet",
		    c->settings.value[SETTINGS_HOST]);
	e = c->url.kind == URL_UNIX ?
	    find_host_user(c, &c->host_user, text) :
	    tls_ctx_new_client(&c->tls, &files, text);
	if (e != VGPU_OK ||
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
