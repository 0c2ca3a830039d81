/* SPDX-License-Identifier: ISC */
#include "hostd/lobby.h"

#include <event2/event.h>
#include <stdlib.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/log.h"
#include "transport/peer.h"
#include "transport/preamble.h"

struct guest {
	TAILQ_ENTRY(guest) entry;
	struct lobby *lobby;
	struct event *event;
	int fd;
};

TAILQ_HEAD(guests, guest);

struct lobby {
	struct event_base *base;
	struct guests silent, ready;
	unsigned count, ready_count;
	unsigned max, seconds;
	lobby_function *fn;
	void *arg;
};

struct lobby *
lobby_new(struct event_base *base, unsigned max, unsigned seconds,
    lobby_function *fn, void *arg)
{
	struct lobby *l = calloc(1, sizeof(*l));

	if (l == NULL)
		return NULL;
	l->base = base;
	l->fn = fn;
	l->arg = arg;
	TAILQ_INIT(&l->silent);
	TAILQ_INIT(&l->ready);
	lobby_limit(l, max, seconds);
	return l;
}

void
lobby_limit(struct lobby *l, unsigned max, unsigned seconds)
{
	l->max = max;
	l->seconds = seconds;
}

/* Out of its list and freed; the descriptor is the caller's. */
static int
leave(struct guest *g, struct guests *from)
{
	int fd = g->fd;

	TAILQ_REMOVE(from, g, entry);
	g->lobby->count--;
	g->lobby->ready_count -= from == &g->lobby->ready;
	event_free(g->event);
	free(g);
	return fd;
}

static void
drop(struct guest *g, struct guests *from, const char *why)
{
	char peer[PEER_NAME_MAX];

	log_info("connection from %s dropped: %s", peer_name(g->fd, peer), why);
	close(leave(g, from));
}

void
lobby_free(struct lobby *l)
{
	struct guest *g;

	if (l == NULL)
		return;
	while ((g = TAILQ_FIRST(&l->silent)) != NULL)
		close(leave(g, &l->silent));
	while ((g = TAILQ_FIRST(&l->ready)) != NULL)
		close(leave(g, &l->ready));
	free(l);
}

static void
on_guest(int fd, short what, void *arg)
{
	struct guest *g = arg;
	struct lobby *l = g->lobby;
	int one = 1;

	if ((what & EV_READ) == 0) {
		drop(g, &l->silent, "silent");
		return;
	}
	setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &one, sizeof(one));
	TAILQ_REMOVE(&l->silent, g, entry);
	TAILQ_INSERT_TAIL(&l->ready, g, entry);
	l->ready_count++;
	l->fn(l->arg);
}

static void
make_room(struct lobby *l)
{
	if (l->count < l->max)
		return;
	if (!TAILQ_EMPTY(&l->silent))
		drop(TAILQ_FIRST(&l->silent), &l->silent,
		    "too many connections, and it was silent longest");
	else
		drop(TAILQ_FIRST(&l->ready), &l->ready,
		    "too many connections");
}

void
lobby_put(struct lobby *l, int fd)
{
	struct timeval limit = { (time_t)l->seconds, 0 };
	struct guest *g = calloc(1, sizeof(*g));
	int low = PREAMBLE_LEN;

	make_room(l);
	if (g != NULL)
		g->event = event_new(l->base, fd, EV_READ, on_guest, g);
	if (g == NULL || g->event == NULL ||
	    setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &low, sizeof(low)) != 0) {
		log_warn("a connection was dropped: no memory");
		if (g != NULL && g->event != NULL)
			event_free(g->event);
		free(g);
		close(fd);
		return;
	}
	g->lobby = l;
	g->fd = fd;
	TAILQ_INSERT_TAIL(&l->silent, g, entry);
	l->count++;
	event_add(g->event, &limit);
}

int
lobby_take(struct lobby *l)
{
	struct guest *g = TAILQ_FIRST(&l->ready);

	return g == NULL ? -1 : leave(g, &l->ready);
}

unsigned
lobby_ready(const struct lobby *l)
{
	return l->ready_count;
}
