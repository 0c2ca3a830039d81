/* SPDX-License-Identifier: ISC */
#include "hostd/child_private.h"

#include <event2/event.h>
#include <string.h>
#include <unistd.h>

#include "hostd/regime.h"
#include "transport/sign.h"

#define MESSAGES_MAX 32		/* at one go, so that others get their turn */

static void
sign(struct child *c, const struct channel_msg *m)
{
	struct sign_request request;
	struct sign_reply reply = { .error = VGPU_EAUTH };

	if (c->signatures == 0) {
		child_kill(c, "asked for a signature without a handshake");
		return;
	}
	c->signatures--;
	memcpy(&request, m->bytes, sizeof(request));
	signer_sign(c->start.regime->signer, &request, &reply);
	child_send(c, CHANNEL_SIGNATURE, &reply, sizeof(reply), -1);
}

static void
identity(struct child *c, const struct channel_msg *m)
{
	char name[260];

	memcpy(name, m->bytes, m->size);
	name[m->size] = '\0';
	if (strlen(name) != m->size) {
		child_kill(c, "malformed name of its client");
		return;
	}
	c->start.events->identity(c->start.arg, c, name);
}

static void
load(struct child *c, const struct channel_msg *m)
{
	uint32_t device = channel_u32(m);
	int32_t change;

	memcpy(&change, m->bytes + sizeof(device), sizeof(change));
	if (c->start.events->load(c->start.arg, c, device, change) != VGPU_OK)
		child_kill(c, "reported the use of a device wrongly");
}

static void
place(struct child *c, const struct channel_msg *m)
{
	unsigned devices[POOL_DEVICES_MAX], chosen;
	unsigned n = (unsigned)(m->size / sizeof(devices[0]));

	memcpy(devices, m->bytes, n * sizeof(devices[0]));
	if (c->start.events->place(c->start.arg, c, devices, n, &chosen) ==
	    VGPU_OK)
		child_send(c, CHANNEL_PLACED, &chosen, sizeof(chosen), -1);
	else
		child_kill(c, "asked for a place on devices that are not "
		    "there");
}

static void
moved(struct child *c, const struct channel_msg *m)
{
	struct channel_moved what;

	memcpy(&what, m->bytes, sizeof(what));
	if (what.text[sizeof(what.text) - 1] == '\0')
		c->start.events->moved(c->start.arg, c, &what);
	else
		child_kill(c, "told of a move without an end");
}

static void
lost(struct child *c, const struct channel_msg *m)
{
	c->start.events->lost(c->start.arg, c, channel_u32(m));
}

static void
shown(struct child *c, const struct channel_msg *m)
{
	if (c->start.events->shown(c->start.arg, c, channel_u32(m)) !=
	    VGPU_OK)
		child_kill(c, "showed a device that it was not offered");
}

static void
become_warm(struct child *c)
{
	child_disarm(c);
	child_enter(c, CHILD_WARM);
	c->session = 0;
	c->signatures = 0;
	child_name(c, "warm session");
	c->start.events->warm(c->start.arg, c);
}

static void
give_back(struct child *c, const struct channel_msg *m)
{
	/* it says CHANNEL_READY when it waits again */
	c->start.events->give_back(c->start.arg, c, channel_u32(m), m->fd);
}

static void
lane_done(struct child *c, const struct channel_msg *m)
{
	(void)m;
	if (c->lanes == 0) {
		child_kill(c, "reported a lane that it was not given");
		return;
	}
	if (--c->lanes == 0)
		c->signatures = 0;
}

static void
build(struct child *c, const struct channel_msg *m)
{
	if (c->state_dir != NULL)
		c->start.events->build(c->start.arg, c, c->state_dir, m->fd);
	else
		close(m->fd);
}

static void
ready(struct child *c, const struct channel_msg *m)
{
	(void)m;
	become_warm(c);
}

/* Which message may come in which states. */
static const struct {
	uint32_t type;
	unsigned states;
	void (*fn)(struct child *, const struct channel_msg *);
} handlers[] = {
	{ CHANNEL_READY, 1 << CHILD_STARTING | 1 << CHILD_GREETING, ready },
	{ CHANNEL_SIGN, 1 << CHILD_GREETING | 1 << CHILD_SESSION, sign },
	{ CHANNEL_IDENTITY, 1 << CHILD_GREETING, identity },
	{ CHANNEL_GIVE_BACK, 1 << CHILD_GREETING, give_back },
	{ CHANNEL_LANE_DONE, 1 << CHILD_SESSION, lane_done },
	{ CHANNEL_LOAD, 1 << CHILD_SESSION, load },
	{ CHANNEL_BUILD, 1 << CHILD_SESSION, build },
	{ CHANNEL_PLACE, 1 << CHILD_SESSION, place },
	{ CHANNEL_MOVED, 1 << CHILD_SESSION, moved },
	{ CHANNEL_LOST, 1 << CHILD_SESSION, lost },
	{ CHANNEL_SHOWN, 1 << CHILD_SESSION, shown },
};

static void
dispatch(struct child *c, const struct channel_msg *m)
{
	size_t i;

	for (i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++)
		if (handlers[i].type == m->type &&
		    (handlers[i].states & 1u << c->state) != 0) {
			handlers[i].fn(c, m);
			return;
		}
	if (m->fd >= 0)
		close(m->fd);
	child_kill(c, "sent a message at a wrong time");
}

void
child_on_message(int fd, short what, void *arg)
{
	static struct channel_msg m;
	struct child *c = arg;
	struct err_text text;
	enum vgpu_err rc;
	int i;

	(void)what;
	for (i = 0; i < MESSAGES_MAX && c->state != CHILD_ENDING; i++) {
		rc = channel_recv(fd, false, &m, &text);
		if (rc == VGPU_EAGAIN)
			return;
		if (rc == VGPU_ECLOSED) {
			/* it ends, or will have to */
			event_del(c->event);
			child_arm(c, CHILD_STOP_S);
			return;
		}
		if (rc == VGPU_OK)
			dispatch(c, &m);
		else
			child_kill(c, text.s);
	}
}
