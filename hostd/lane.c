/* SPDX-License-Identifier: ISC */
#include "hostd/lane.h"

#include <event2/event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log.h"
#include "transport/local.h"
#include "transport/peer.h"

struct lane {
	const struct lane_rules *rules;
	struct transport *transport;
	struct event *event;
	int64_t deadline;
};

enum vgpu_err
lane_transport(struct transport **out, struct tls_ctx *tls, int fd,
    struct err_text *text)
{
	struct peer peer;

	peer_get(fd, &peer);
	if (peer.local)
		return local_new_host(out, fd, text);
	if (tls == NULL)
		return err_set(text, VGPU_ETLS, "this host has no "
		    "certificates");
	return tls_new_host(out, tls, fd, text);
}

/* The transport has gone to the serving part, or is closed here. */
static void
finish(struct lane *l, struct transport *unproven)
{
	if (unproven != NULL)
		unproven->ops->close(unproven, false);
	if (l->event != NULL)
		event_free(l->event);
	l->rules->done();
	free(l);
}

static void
prove(struct lane *l)
{
	uint8_t digest[TRANSPORT_DIGEST_LEN];
	struct transport *t = l->transport;
	struct err_text text;

	if (t->ops->digest(t, digest, &text) != VGPU_OK ||
	    memcmp(digest, l->rules->digest, sizeof(digest)) != 0) {
		log_warn("a lane with another certificate or user was refused");
		finish(l, t);
		return;
	}
	l->rules->proven(t);
	finish(l, NULL);
}

static void
go_on(struct lane *l)
{
	struct timeval rest;
	struct err_text text;
	enum transport_want want = TRANSPORT_WANT_READ;
	enum vgpu_err rc;
	int64_t left = l->deadline - clock_ns();

	rc = l->transport->ops->handshake(l->transport, &want, &text);
	if (rc == VGPU_OK) {
		prove(l);
		return;
	}
	if (rc == VGPU_EAGAIN && left <= 0)
		rc = err_set(&text, VGPU_ETIME, "handshake took too long");
	if (rc != VGPU_EAGAIN) {
		log_info("a lane was not accepted: %s", text.s);
		finish(l, l->transport);
		return;
	}
	rest.tv_sec = left / 1000000000;
	rest.tv_usec = left % 1000000000 / 1000;
	event_assign(l->event, l->rules->base,
	    l->transport->ops->fd(l->transport),
	    want == TRANSPORT_WANT_READ ? EV_READ : EV_WRITE, event_get_callback(
	    l->event), l);
	event_add(l->event, &rest);
}

static void
on_event(int fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	go_on(arg);
}

void
lane_start(const struct lane_rules *rules, int fd)
{
	struct lane *l = calloc(1, sizeof(*l));
	struct err_text text = { "out of memory" };

	if (l == NULL || lane_transport(&l->transport, rules->tls, fd,
	    &text) != VGPU_OK) {
		log_warn("a lane could not begin: %s", text.s);
		close(fd);
		free(l);
		rules->done();
		return;
	}
	l->rules = rules;
	l->deadline = clock_after_ms(rules->timeout_ms);
	l->event = event_new(rules->base, -1, 0, on_event, l);
	if (l->event == NULL)
		finish(l, l->transport);
	else
		go_on(l);
}
