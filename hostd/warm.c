/* SPDX-License-Identifier: ISC */
#include "hostd/warm.h"

#include <event2/event.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log.h"
#include "hostd/lobby.h"

#define LOBBY_MAX 1024		/* each costs a descriptor and no more */
#define LOBBY_S 10		/* before there is a configuration */
#define CROWD_MS 2000		/* in which one greeting should end */
#define BURST_MAX 8		/* started beyond warm-sessions, at a time */
#define PAUSE_MIN_MS 100u
#define PAUSE_DOUBLINGS_MAX 8	/* 25.6 s */

struct warm {
	struct event_base *base;
	const struct warm_hooks *hooks;
	void *arg;
	const struct regime *regime;
	struct child_list children;
	struct lobby *lobby;
	struct event *pause;	/* until the next try */
	struct event *crowd;	/* until a slow greeting makes room */
	int64_t greeted;	/* when a greeting ended last, either way */
	unsigned failures;	/* in a row */
	uint32_t last_session;
	bool bare;		/* some did not survive to be greeted */
	bool stopping;
};

static void settle(struct warm *);
static enum vgpu_err
on_place(void *arg, struct child *c, const unsigned *devices, unsigned n,
    unsigned *chosen)
{
	struct warm *w = arg;

	return w->hooks->place(w->arg, c, devices, n, chosen);
}

static const struct child_events events;

static void
on_lobby(void *arg)
{
	settle(arg);
}

static void
on_timer(int fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	settle(arg);
}

struct warm *
warm_new(struct event_base *base, const struct warm_hooks *hooks, void *arg)
{
	struct warm *w = calloc(1, sizeof(*w));

	if (w == NULL)
		return NULL;
	w->base = base;
	w->hooks = hooks;
	w->arg = arg;
	LIST_INIT(&w->children);
	w->lobby = lobby_new(base, LOBBY_MAX, LOBBY_S, on_lobby, w);
	w->pause = evtimer_new(base, on_timer, w);
	w->crowd = evtimer_new(base, on_timer, w);
	if (w->lobby != NULL && w->pause != NULL && w->crowd != NULL)
		return w;
	warm_free(w);
	return NULL;
}

void
warm_free(struct warm *w)
{
	struct child *c;

	if (w == NULL)
		return;
	LIST_FOREACH_CHILD(c, &w->children)
		child_kill(c, NULL);
	lobby_free(w->lobby);
	if (w->pause != NULL)
		event_free(w->pause);
	if (w->crowd != NULL)
		event_free(w->crowd);
	free(w);
}

/* --- starting ------------------------------------------------------------ */

static void
pause_starts(struct warm *w)
{
	unsigned doublings = w->failures < PAUSE_DOUBLINGS_MAX ? w->failures :
	    PAUSE_DOUBLINGS_MAX;
	unsigned ms = PAUSE_MIN_MS << doublings;
	struct timeval t = { ms / 1000, ms % 1000 * 1000 };

	w->failures++;
	log_warn("next session process in %u ms", ms);
	event_add(w->pause, &t);
}

static void
start_one(struct warm *w)
{
	const struct child_start start = {
		.base = w->base,
		.setup = w->regime->setup,
		.regime = w->regime,
		.bare = w->bare,
		.greeting_s = w->regime->conf->handshake_timeout,
		.events = &events,
		.arg = w,
	};
	struct err_text text;

	if (child_start(&start, &w->children, &text) == VGPU_OK)
		return;
	log_warn("cannot start a session process: %s", text.s);
	pause_starts(w);
}

static unsigned
wanted(const struct warm *w)
{
	unsigned waiting = lobby_ready(w->lobby);

	return w->regime->conf->warm_sessions +
	    (waiting < BURST_MAX ? waiting : BURST_MAX);
}

static void
start_missing(struct warm *w)
{
	unsigned have = child_count(&w->children, CHILD_STARTING) +
	    child_count(&w->children, CHILD_WARM);

	while (have++ < wanted(w) && !evtimer_pending(w->pause, NULL))
		start_one(w);
}

/* --- connections --------------------------------------------------------- */

static struct child *
find_warm(const struct warm *w)
{
	struct child *c;

	LIST_FOREACH_CHILD(c, &w->children)
		if (child_state(c) == CHILD_WARM)
			return c;
	return NULL;
}

static uint32_t
next_session(struct warm *w)
{
	do
		w->last_session++;
	while (w->last_session == 0 ||
	    child_find(&w->children, w->last_session) != NULL);
	return w->last_session;
}

static void
hand_over(struct warm *w)
{
	unsigned greeting = child_count(&w->children, CHILD_GREETING);
	struct child *c;
	int fd;

	while (greeting < w->regime->conf->max_handshakes &&
	    lobby_ready(w->lobby) > 0 && (c = find_warm(w)) != NULL) {
		fd = lobby_take(w->lobby);
		child_connect(c, next_session(w), fd);
		close(fd);
		greeting++;
	}
}

/*
 * All places are taken by clients that take their time, and others wait: where
 * nobody gets on, the slowest one has to go.  On a machine that is merely busy
 * greetings do end, and all are left alone.
 */
static void
make_room(struct warm *w)
{
	struct child *c, *slowest = NULL;
	struct timeval t;
	int64_t left, quiet = clock_ms() - w->greeted;

	LIST_FOREACH_CHILD(c, &w->children)
		if (child_state(c) == CHILD_GREETING && (slowest == NULL ||
		    child_age(c) > child_age(slowest)))
			slowest = c;
	if (slowest == NULL)
		return;
	if (child_age(slowest) < quiet)
		quiet = child_age(slowest);
	if ((left = CROWD_MS - quiet) <= 0) {
		child_kill(slowest, "too slow while others wait");
		left = 1; /* and maybe one more, after this one's end */
	}
	t.tv_sec = left / 1000;
	t.tv_usec = left % 1000 * 1000;
	event_add(w->crowd, &t);
}

/* Whatever has changed: connections to those who wait, and enough of them. */
static void
settle(struct warm *w)
{
	if (w->stopping || w->regime == NULL)
		return;
	hand_over(w);
	if (lobby_ready(w->lobby) > 0 && child_count(&w->children,
	    CHILD_GREETING) >= w->regime->conf->max_handshakes)
		make_room(w);
	start_missing(w);
}

void
warm_connection(struct warm *w, int fd)
{
	lobby_put(w->lobby, fd);
}

void
warm_use(struct warm *w, const struct regime *regime)
{
	struct child *c;

	LIST_FOREACH_CHILD(c, &w->children)
		if (child_state(c) == CHILD_WARM ||
		    child_state(c) == CHILD_STARTING)
			child_stop(c);
	w->regime = regime;
	w->failures = 0;
	w->bare = false;
	evtimer_del(w->pause);
	lobby_limit(w->lobby, LOBBY_MAX, regime->conf->handshake_timeout);
	settle(w);
}

void
warm_stop(struct warm *w)
{
	struct child *c;

	w->stopping = true;
	evtimer_del(w->pause);
	evtimer_del(w->crowd);
	if (LIST_FIRST(&w->children) == NULL) {
		w->hooks->empty(w->arg);
		return;
	}
	LIST_FOREACH_CHILD(c, &w->children)
		child_stop(c);
}

bool
warm_needs(const struct warm *w, const struct regime *regime)
{
	struct child *c;

	LIST_FOREACH_CHILD(c, &w->children)
		if (child_regime(c) == regime)
			return true;
	return false;
}

/* --- what the processes tell --------------------------------------------- */

static void
on_warm(void *arg, struct child *c)
{
	struct warm *w = arg;

	(void)c;
	w->greeted = clock_ms();
	w->failures = 0;
	settle(w);
}

static void
on_identity(void *arg, struct child *c, const char *name)
{
	struct warm *w = arg;

	w->greeted = clock_ms();
	w->hooks->identity(w->arg, c, name);
}

static enum vgpu_err
on_load(void *arg, struct child *c, unsigned device, int change)
{
	struct warm *w = arg;

	return w->hooks->load(w->arg, c, device, change);
}

static void
on_build(void *arg, struct child *c, const char *state_dir, int fd)
{
	struct warm *w = arg;

	w->hooks->build(w->arg, c, state_dir, fd);
}

static void
on_give_back(void *arg, struct child *from, unsigned session, int fd)
{
	struct warm *w = arg;
	struct child *c = child_find(&w->children, session);
	enum vgpu_err e = VGPU_EHANDLE;

	(void)from;
	if (c != NULL)
		e = child_lane(c, fd);
	if (e != VGPU_OK)
		log_info("connection that wants to join session %u dropped: "
		    "%s", session, e == VGPU_EHANDLE ? "there is none" :
		    e == VGPU_EAUTH ? "its client is another" :
		    "it takes no more at once");
	close(fd);
}

static void
on_gone(void *arg, struct child *c, enum child_state state, const char *how)
{
	struct warm *w = arg;
	bool last = LIST_FIRST(&w->children) == c && child_next(c) == NULL;

	w->hooks->gone(w->arg, c, state == CHILD_SESSION);
	if (state == CHILD_SESSION)
		log_info("session %u ended: %s", child_session(c), how);
	else
		log_debug("process of session %u ended: %s",
		    child_session(c), how);
	if (w->stopping) {
		if (last)
			w->hooks->empty(w->arg);
		return;
	}
	if ((state == CHILD_STARTING || state == CHILD_WARM) &&
	    !child_told_to_end(c)) {
		log_warn("a session process ended at its start: %s", how);
		/* perhaps of a vendor that it has loaded ahead of time */
		w->bare = true;
		pause_starts(w);
	}
	settle(w);
}

static void
on_moved(void *arg, struct child *c, const struct channel_moved *m)
{
	struct warm *w = arg;

	w->hooks->moved(w->arg, c, m);
}

static void
on_lost(void *arg, struct child *c, unsigned device)
{
	struct warm *w = arg;

	w->hooks->lost(w->arg, c, device);
}

static enum vgpu_err
on_shown(void *arg, struct child *c, unsigned device)
{
	struct warm *w = arg;

	return w->hooks->shown(w->arg, c, device);
}

static const struct child_events events = {
	.warm = on_warm,
	.identity = on_identity,
	.give_back = on_give_back,
	.load = on_load,
	.build = on_build,
	.place = on_place,
	.moved = on_moved,
	.lost = on_lost,
	.shown = on_shown,
	.gone = on_gone,
};

struct child *
warm_find(const struct warm *w, unsigned session)
{
	return child_find(&w->children, session);
}

void
warm_each(const struct warm *w, void (*fn)(void *arg, struct child *),
    void *arg)
{
	struct child *c, *next;

	for (c = LIST_FIRST(&w->children); c != NULL; c = next) {
		next = child_next(c);
		if (child_state(c) == CHILD_SESSION)
			fn(arg, c);
	}
}
