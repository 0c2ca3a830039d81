/* SPDX-License-Identifier: ISC */
#include "hostd/builders.h"

#include <event2/event.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>
#include <unistd.h>

#include "hostd/builder.h"
#include "hostd/reap.h"
#include "hostd/relay.h"
#include "hostd/setup.h"
#include "hostd/spawn.h"

#define ORDERS_MAX 64		/* that wait; of one tenant, a quarter */
#define BUILD_S 120		/* for one */
#define DELAY_S 1		/* who has ordered it runs its kernels now */

struct order {
	STAILQ_ENTRY(order) entry;
	struct privsep_user user;
	enum log_level log_level;
	uint64_t build_cache;
	char state_dir[PATH_MAX];
	int fd;
};

struct builders {
	struct event_base *base;
	struct event *timer;	/* of the one at work */
	struct event *delay;	/* until one begins */
	STAILQ_HEAD(, order) orders;
	unsigned count;
	pid_t pid;		/* 0: none is at work */
	struct relay *relay;
};

static void
order_free(struct order *o)
{
	close(o->fd);
	free(o);
}

static void
on_timer(int fd, short what, void *arg)
{
	struct builders *b = arg;

	(void)fd;
	(void)what;
	log_warn("a builder was killed: not done within %d s", BUILD_S);
	spawn_kill(b->pid, SIGKILL);
}

static void
wait_for_next(struct builders *b)
{
	const struct timeval t = { DELAY_S, 0 };

	if (b->pid == 0 && b->count > 0 && !evtimer_pending(b->delay, NULL))
		event_add(b->delay, &t);
}

static void
on_end(void *arg, int status)
{
	struct builders *b = arg;
	char how[64];

	spawn_kill(b->pid, SIGKILL); /* what it may have started */
	event_del(b->timer);
	relay_free(b->relay);
	b->relay = NULL;
	b->pid = 0;
	log_debug("builder ended: %s", reap_text(status, how, sizeof(how)));
	wait_for_next(b);
}

static int
make_setup(const struct order *o, struct err_text *text)
{
	struct infoset setup;
	int fd;

	infoset_init(&setup);
	infoset_put(&setup, SETUP_USER, &o->user, sizeof(o->user));
	infoset_put_u32(&setup, SETUP_LOG_LEVEL, o->log_level);
	infoset_put_text(&setup, SETUP_STATE_DIR, o->state_dir);
	infoset_put_u64(&setup, SETUP_BUILD_CACHE, o->build_cache);
	fd = setup_write(&setup, text);
	infoset_fini(&setup);
	return fd;
}

static void
start(struct builders *b, const struct order *o)
{
	const struct timeval limit = { BUILD_S, 0 };
	struct err_text text;
	int setup, log;
	pid_t pid = -1;

	if ((setup = make_setup(o, &text)) >= 0) {
		pid = spawn(BUILDER_ROLE, o->fd, setup, &log, &text);
		close(setup);
	}
	if (pid <= 0) {
		log_warn("cannot start a builder: %s", text.s);
		return;
	}
	b->pid = pid;
	b->relay = relay_new(b->base, log, "builder");
	reap_watch(pid, on_end, b);
	event_add(b->timer, &limit);
}

static void
on_delay(int fd, short what, void *arg)
{
	struct builders *b = arg;
	struct order *o;

	(void)fd;
	(void)what;
	while (b->pid == 0 && (o = STAILQ_FIRST(&b->orders)) != NULL) {
		STAILQ_REMOVE_HEAD(&b->orders, entry);
		b->count--;
		start(b, o);
		order_free(o);
	}
}

struct builders *
builders_new(struct event_base *base)
{
	struct builders *b = calloc(1, sizeof(*b));

	if (b == NULL)
		return NULL;
	b->base = base;
	STAILQ_INIT(&b->orders);
	b->timer = evtimer_new(base, on_timer, b);
	b->delay = evtimer_new(base, on_delay, b);
	if (b->timer != NULL && b->delay != NULL)
		return b;
	builders_free(b);
	return NULL;
}

static bool
has_room(const struct builders *b, const char *state_dir)
{
	const struct order *o;
	unsigned same = 0;

	STAILQ_FOREACH(o, &b->orders, entry)
		same += strcmp(o->state_dir, state_dir) == 0;
	return b->count < ORDERS_MAX && same < ORDERS_MAX / 4;
}

void
builders_add(struct builders *b, const struct builders_order *from, int fd)
{
	struct order *o = NULL;

	if (has_room(b, from->state_dir))
		o = calloc(1, sizeof(*o));
	if (o == NULL) {
		log_debug("a build order was dropped");
		close(fd);
		return;
	}
	o->user = *from->user;
	o->log_level = from->log_level;
	o->build_cache = from->build_cache;
	snprintf(o->state_dir, sizeof(o->state_dir), "%s", from->state_dir);
	o->fd = fd;
	STAILQ_INSERT_TAIL(&b->orders, o, entry);
	b->count++;
	wait_for_next(b);
}

void
builders_free(struct builders *b)
{
	struct order *o;

	if (b == NULL)
		return;
	while ((o = STAILQ_FIRST(&b->orders)) != NULL) {
		STAILQ_REMOVE_HEAD(&b->orders, entry);
		order_free(o);
	}
	if (b->pid > 0) {
		reap_forget(b->pid);
		spawn_kill(b->pid, SIGKILL);
	}
	relay_free(b->relay);
	if (b->timer != NULL)
		event_free(b->timer);
	if (b->delay != NULL)
		event_free(b->delay);
	free(b);
}
