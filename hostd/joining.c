/* SPDX-License-Identifier: ISC */
#include "hostd/joining.h"

#include <event2/event.h>
#include <stdlib.h>

#include "common/log.h"

#define PATIENCE_S 10

struct joining {
	struct serve *serve;
	void (*joined)(struct serve *, struct link *);
	struct link *link;
	struct event *event;
};

static void
joining_end(struct joining *j, bool keep)
{
	event_free(j->event);
	if (!keep)
		link_free(j->link, false);
	free(j);
}

static bool
token_matches(const struct serve *s, const struct frame *f)
{
	struct msg_join m;
	const uint8_t *p;
	uint8_t differ = 0;
	size_t i;

	if (f->type != MSG_join || codec_decode(f->body, f->len,
	    desc_join.fields, desc_join.field_count, &m, NULL) != VGPU_OK ||
	    m.token.n != sizeof(s->token))
		return false;
	p = m.token.p;
	for (i = 0; i < sizeof(s->token); i++)
		differ |= (uint8_t)(p[i] ^ s->token[i]);
	return differ == 0;
}

static void
on_joining(int fd, short what, void *arg)
{
	struct joining *j = arg;
	struct serve *s = j->serve;
	void (*joined)(struct serve *, struct link *) = j->joined;
	struct link *l = j->link;
	struct frame f;
	enum vgpu_err e = VGPU_ETIME;

	(void)fd;
	if (what & EV_READ)
		e = link_receive(l, &f, NULL);
	if (e == VGPU_EAGAIN)
		return;
	if (e != VGPU_OK || s->data != NULL || !token_matches(s, &f)) {
		log_warn("a lane without the session's token was refused");
		joining_end(j, false);
		return;
	}
	joining_end(j, true);
	joined(s, l);
}

void
joining_start(struct serve *s, struct transport *t,
    void (*joined)(struct serve *, struct link *))
{
	const struct timeval patience = { PATIENCE_S, 0 };
	struct joining *j = calloc(1, sizeof(*j));

	if (j == NULL || (j->link = link_new(t, FRAME_MAX_HELLO)) == NULL) {
		t->ops->close(t, false);
		free(j);
		return;
	}
	j->serve = s;
	j->joined = joined;
	j->event = event_new(s->base, link_fd(j->link), EV_READ | EV_PERSIST,
	    on_joining, j);
	if (j->event == NULL || event_add(j->event, &patience) != 0) {
		link_free(j->link, false);
		free(j);
		return;
	}
	event_active(j->event, EV_READ, 0);
}
