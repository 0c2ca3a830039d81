/* SPDX-License-Identifier: ISC */
#include "hostd/child_private.h"

#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log.h"
#include "hostd/pool.h"
#include "hostd/reap.h"
#include "hostd/relay.h"
#include "hostd/session.h"
#include "hostd/spawn.h"

#define LANES_MAX 16		/* of one session, in handshake */

enum child_state
child_state(const struct child *c)
{
	return c->state;
}

unsigned
child_session(const struct child *c)
{
	return c->session;
}

pid_t
child_pid(const struct child *c)
{
	return c->pid;
}

struct child *
child_next(const struct child *c)
{
	return LIST_NEXT(c, entry);
}

const struct regime *
child_regime(const struct child *c)
{
	return c->start.regime;
}

const struct peer *
child_peer(const struct child *c)
{
	return &c->peer;
}

bool
child_told_to_end(const struct child *c)
{
	return c->told;
}

int64_t
child_age(const struct child *c)
{
	return clock_ms() - c->since;
}

struct child *
child_find(const struct child_list *list, unsigned session)
{
	struct child *c;

	LIST_FOREACH(c, list, entry)
		if (c->session == session && c->state == CHILD_SESSION)
			return c;
	return NULL;
}

unsigned
child_count(const struct child_list *list, enum child_state state)
{
	const struct child *c;
	unsigned n = 0;

	LIST_FOREACH(c, list, entry)
		n += c->state == state;
	return n;
}

void
child_name(struct child *c, const char *name)
{
	if (c->relay != NULL)
		relay_set_name(c->relay, name);
}

void
child_enter(struct child *c, enum child_state state)
{
	c->state = state;
	c->since = clock_ms();
}

void
child_arm(struct child *c, unsigned seconds)
{
	struct timeval t = { (time_t)seconds, 0 };

	event_add(c->timer, &t);
}

void
child_disarm(struct child *c)
{
	evtimer_del(c->timer);
}

static void
end(struct child *c, int sig)
{
	if (c->state != CHILD_ENDING) {
		c->before = c->state;
		child_enter(c, CHILD_ENDING);
	}
	c->told = true;
	event_del(c->event);
	spawn_kill(c->pid, sig);
}

void
child_stop(struct child *c)
{
	if (c->state == CHILD_ENDING)
		return;
	end(c, SIGTERM);
	child_arm(c, CHILD_STOP_S);
}

void
child_kill(struct child *c, const char *why)
{
	if (why != NULL)
		log_warn("session %u (process %d) killed: %s", c->session,
		    (int)c->pid, why);
	child_disarm(c);
	end(c, SIGKILL);
}

static void
on_timer(int fd, short what, void *arg)
{
	struct child *c = arg;

	(void)fd;
	(void)what;
	if (c->state == CHILD_ENDING)
		child_kill(c, NULL);
	else
		child_kill(c, c->state == CHILD_STARTING ?
		    "not ready in time" : "client not greeted in time");
}

static void
child_free(struct child *c)
{
	LIST_REMOVE(c, entry);
	relay_free(c->relay);
	if (c->event != NULL)
		event_free(c->event);
	if (c->timer != NULL)
		event_free(c->timer);
	close(c->channel);
	free(c->state_dir);
	free(c);
}

static void
on_end(void *arg, int status)
{
	struct child *c = arg;
	char how[64];

	spawn_kill(c->pid, SIGKILL); /* what it may have started */
	if (c->state != CHILD_ENDING)
		c->before = c->state;
	c->state = CHILD_ENDING;
	reap_text(status, how, sizeof(how));
	c->start.events->gone(c->start.arg, c, c->before, how);
	child_free(c);
}

enum vgpu_err
child_send(struct child *c, enum channel_type type, const void *p, size_t n,
    int fd)
{
	struct err_text text;
	enum vgpu_err rc;

	rc = channel_send(c->channel, type, p, n, fd, &text);
	if (rc != VGPU_OK && rc != VGPU_ECLOSED && type != CHANNEL_LANE)
		child_kill(c, text.s);
	return rc;
}

/* --- what it is told ----------------------------------------------------- */

enum vgpu_err
child_start(const struct child_start *start, struct child_list *list,
    struct err_text *text)
{
	struct child *c = calloc(1, sizeof(*c));
	int pair[2], log;
	enum vgpu_err rc;

	if (c == NULL)
		return err_set(text, VGPU_ENOMEM, "out of memory");
	if ((rc = channel_pair(pair, text)) != VGPU_OK) {
		free(c);
		return rc;
	}
	c->start = *start;
	c->since = clock_ms();
	c->channel = pair[0];
	LIST_INSERT_HEAD(list, c, entry);
	c->event = event_new(start->base, pair[0], EV_READ | EV_PERSIST,
	    child_on_message, c);
	c->timer = evtimer_new(start->base, on_timer, c);
	c->pid = -1;
	if (c->event != NULL && c->timer != NULL)
		c->pid = spawn(start->bare ? SESSION_ROLE_BARE :
		    SESSION_ROLE, pair[1], start->setup, &log,
		    text);
	else
		err_set(text, VGPU_ENOMEM, "out of memory");
	close(pair[1]);
	if (c->pid < 0) {
		child_free(c);
		return VGPU_ESYS;
	}
	c->relay = relay_new(start->base, log, "warm session");
	reap_watch(c->pid, on_end, c);
	event_add(c->event, NULL);
	child_arm(c, start->greeting_s + CHILD_STOP_S);
	return VGPU_OK;
}

enum vgpu_err
child_connect(struct child *c, unsigned session, int fd)
{
	uint32_t number = session;
	char name[RELAY_NAME_MAX];

	child_enter(c, CHILD_GREETING);
	c->session = session;
	peer_get(fd, &c->peer);
	c->signatures = !c->peer.local;
	snprintf(name, sizeof(name), "session %u", session);
	child_name(c, name);
	child_arm(c, c->start.greeting_s + CHILD_STOP_S);
	return child_send(c, CHANNEL_CONNECTION, &number, sizeof(number), fd);
}

enum vgpu_err
child_lane(struct child *c, int fd)
{
	struct peer peer;
	enum vgpu_err rc;

	peer_get(fd, &peer);
	if (peer.local != c->peer.local || peer.uid != c->peer.uid)
		return VGPU_EAUTH;
	if (c->lanes == LANES_MAX)
		return VGPU_EQUOTA;
	rc = child_send(c, CHANNEL_LANE, NULL, 0, fd);
	if (rc == VGPU_OK) {
		c->lanes++;
		c->signatures += !peer.local;
	}
	return rc;
}

void
child_admit(struct child *c, const char *tenant, const struct infoset *admit,
    int usage)
{
	char escaped[64], name[RELAY_NAME_MAX];

	log_escape(escaped, sizeof(escaped), tenant, strlen(tenant));
	snprintf(name, sizeof(name), "session %u tenant %s", c->session,
	    escaped);
	child_name(c, name);
	c->state_dir = strdup(infoset_text(admit, ADMIT_STATE_DIR, "/"));
	child_disarm(c);
	child_enter(c, CHILD_SESSION);
	c->signatures = 0;
	child_send(c, CHANNEL_ADMIT, infoset_bytes(admit), infoset_size(admit),
	    usage);
}

void
child_shut(struct child *c, const uint8_t *bits)
{
	child_send(c, CHANNEL_SHUT, bits, POOL_DEVICES_MAX / 8, -1);
}

void
child_move(struct child *c, const struct channel_move *m)
{
	child_send(c, CHANNEL_MOVE, m, sizeof(*m), -1);
}

void
child_refuse(struct child *c, enum vgpu_err e, const char *reason)
{
	struct {
		uint32_t error;
		char reason[ERR_TEXT_MAX];
	} refuse = { .error = e };
	size_t n;

	n = (size_t)snprintf(refuse.reason, sizeof(refuse.reason), "%s",
	    reason);
	if (n >= sizeof(refuse.reason))
		n = sizeof(refuse.reason) - 1;
	child_send(c, CHANNEL_REFUSE, &refuse, sizeof(refuse.error) + n + 1,
	    -1);
	c->signatures = 0;
}
