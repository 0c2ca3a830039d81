/* SPDX-License-Identifier: ISC */
/*
 * child - one session process, as its parent sees it.
 *
 * Begins warm, without a client; greets one client, whose identity is unknown;
 * and if that client is admitted, is its session until it ends.  The process
 * is not trusted from its first byte from a client on: a message that does
 * not belong to its state, or one signature too many, ends it.
 */
#ifndef VGPU_HOSTD_CHILD_H
#define VGPU_HOSTD_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

#include "common/err.h"
#include "common/infoset.h"
#include "transport/peer.h"

struct channel_move;
struct channel_moved;
struct child;
struct event_base;
struct regime;

enum child_state {
	CHILD_STARTING,	/* sets itself up */
	CHILD_WARM,	/* waits for a connection */
	CHILD_GREETING,	/* has one: preamble, handshake, identity */
	CHILD_SESSION,	/* its client was admitted */
	CHILD_ENDING,	/* told to end */
	CHILD_STATES
};

/* What it tells.  Each gets the arg of child_start. */
struct child_events {
	/* It is warm now. */
	void (*warm)(void *arg, struct child *);
	/*
	 * Its client is name, or, where child_peer is local, who that says:
	 * answer with child_admit or child_refuse.
	 */
	void (*identity)(void *arg, struct child *, const char *name);
	/* Takes fd, a connection that wants to join that session. */
	void (*give_back)(void *arg, struct child *, unsigned session,
	    int fd);
	/* It uses a device or ceases to; other than OK ends it. */
	enum vgpu_err (*load)(void *arg, struct child *, unsigned device,
	    int change);
	/* Takes fd, a build order (build_order.h) for the tenant's folder. */
	void (*build)(void *arg, struct child *, const char *state_dir,
	    int fd);
	/*
	 * Which of n devices (at least one) is to run a context of its?
	 * Counts its use; other than OK ends it.
	 */
	enum vgpu_err (*place)(void *arg, struct child *,
	    const unsigned *devices, unsigned n, unsigned *chosen);
	/* A context of its has moved, or why it has not; for people. */
	void (*moved)(void *arg, struct child *, const struct channel_moved *);
	/* A vendor told it that a device is not available any more. */
	void (*lost)(void *arg, struct child *, unsigned device);
	/* Its client wants less, and sees this one first. */
	enum vgpu_err (*shown)(void *arg, struct child *, unsigned device);
	/*
	 * It has ended, and was in that state before it ended or was told to;
	 * freed afterwards.
	 */
	void (*gone)(void *arg, struct child *, enum child_state,
	    const char *how);
};

/* What all children of one configuration share. */
struct child_start {
	struct event_base *base;
	int setup;			/* made by setup_write */
	const struct regime *regime;	/* valid as long as the children */
	bool bare;			/* load no vendor ahead of time */
	unsigned greeting_s;		/* seconds until admitted, at most */
	const struct child_events *events;
	void *arg;
};

LIST_HEAD(child_list, child);

/* Each of a list, where none is freed in between. */
#define LIST_FOREACH_CHILD(c, list) \
	for ((c) = LIST_FIRST(list); (c) != NULL; (c) = child_next(c))

/*
 * Start one and put it in the list, where it stays until it is gone.
 * VGPU_ESYS, VGPU_ENOMEM.
 */
enum vgpu_err child_start(const struct child_start *, struct child_list *,
    struct err_text *);

enum child_state child_state(const struct child *);
unsigned child_session(const struct child *);
pid_t child_pid(const struct child *);
struct child *child_next(const struct child *);
const struct regime *child_regime(const struct child *);

/* Who the kernel says is at the other end of its connection. */
const struct peer *child_peer(const struct child *);

/* Whether it was told to end, by child_stop or child_kill. */
bool child_told_to_end(const struct child *);

/* The one that has this session; NULL. */
struct child *child_find(const struct child_list *, unsigned session);
/* Milliseconds since its state changed. */
int64_t child_age(const struct child *);

unsigned child_count(const struct child_list *, enum child_state);

/*
 * Give a warm one a connection, which will be that session; fd stays the
 * caller's.  Not VGPU_OK: it can't take it, and is being ended.
 */
enum vgpu_err child_connect(struct child *, unsigned session, int fd);

/*
 * Give a session one more connection; fd stays the caller's.  VGPU_EAUTH: it is
 * of another kind, or of another user.  VGPU_EQUOTA: too many at a time.
 */
enum vgpu_err child_lane(struct child *, int fd);

/* Answers to identity; usage, a descriptor (usage.h), stays the caller's. */
void child_admit(struct child *, const char *tenant,
    const struct infoset *admit, int usage);
void child_refuse(struct child *, enum vgpu_err, const char *reason);

/*
 * Tell a session on which devices nothing new may run, POOL_DEVICES_MAX bits;
 * and that contexts are to leave a device.
 */
void child_shut(struct child *, const uint8_t *bits);
void child_move(struct child *, const struct channel_move *);

/* Tell it to end (SIGTERM), or make it end (SIGKILL). */
void child_stop(struct child *);
void child_kill(struct child *, const char *why);

#endif
