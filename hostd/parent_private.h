/* SPDX-License-Identifier: ISC */
/*
 * parent_private - what parent.c, the life of the parent, parent_pool.c, its
 * devices, and parent_admit.c, its answers to sessions, share.
 */
#ifndef VGPU_HOSTD_PARENT_PRIVATE_H
#define VGPU_HOSTD_PARENT_PRIVATE_H

#include <limits.h>

#include "hostd/alarms.h"
#include "hostd/balance.h"
#include "hostd/builders.h"
#include "hostd/channel.h"
#include "hostd/history.h"
#include "hostd/ledger.h"
#include "hostd/parent.h"
#include "hostd/regime.h"
#include "hostd/roster.h"
#include "hostd/warm.h"

struct child;
struct control;
struct event;
struct event_base;
struct survey;

#define PARENT_SIGNALS 3

struct parent {
	const struct parent_options *options;
	struct event_base *base;
	struct event *signals[PARENT_SIGNALS];
	struct ledger *ledger;
	struct history *history;
	struct roster *roster;	/* numbers the ledger's devices */
	struct warm *warm;
	struct builders *builders;
	struct regime *now;	/* NULL until the first survey ends */
	struct regime *next;	/* being surveyed */
	LIST_HEAD(, regime) old; /* whose keys sessions still use */
	struct survey *survey;	/* for next, or a rescan for now */
	struct event *rescan;	/* until the next one */
	struct event *balance;	/* until the next look */
	struct balance balanced;
	struct event *alarm;	/* until a look that sessions want */
	struct alarms alarms;
	struct control *control;	/* NULL: nobody can ask */
	int64_t started;
	char probe_dir[PATH_MAX];
	bool reload_again;	/* one was asked for while next was surveyed */
	bool failed;
};

/* What became of a wish that the vendors be asked again. */
enum parent_begun {
	PARENT_BEGUN,
	PARENT_BUSY,		/* something of the kind is in progress */
	PARENT_REFUSED		/* the log says why */
};

/* What sessions ask and tell; the arg is the parent. */
extern const struct warm_hooks parent_hooks;

/*
 * Read the configuration again.  While a reload is in progress that is
 * remembered, and done when it has ended; a rescan ends without a result.
 */
enum parent_begun parent_reload(struct parent *);

/*
 * Look for devices again, under the configuration of now: if there are others,
 * new sessions get them.  While something of the kind is in progress: not done.
 */
enum parent_begun parent_rescan(struct parent *);

/* After each survey: the time to the next rescan begins. */
void parent_arm_rescan(struct parent *);
void parent_on_rescan(int fd, short what, void *parent);

/* The time to the next look at the load begins; and that look. */
void parent_arm_balance(struct parent *);
void parent_on_balance(int fd, short what, void *parent);

/*
 * Whose context should leave a crowded device: of the sessions that work there
 * and have not said lately why they stay, one that was ordered to longest ago or
 * never, and has the least to be copied.  0: none.
 */
unsigned parent_mover(const struct parent *, unsigned device, int64_t now);

/* Complete a regime with its pool, which it takes also on failure. */
enum vgpu_err parent_take_pool(struct parent *, struct regime *,
    struct pool *, struct err_text *);

/* New sessions begin under this regime, the parent's from now on. */
void parent_switch(struct parent *, struct regime *);

/* Devices on which nothing new may run, to one session, or (NULL) to all. */
void parent_tell_shut(struct parent *, struct child *);

/* Have all contexts leave a device: it is drained, or has left. */
void parent_clear(struct parent *, unsigned device, enum move_why);

/* A session has begun to use a device: it leaves it at once if it is shut. */
void parent_clear_shut(struct parent *, struct child *, unsigned device);

void parent_clear_departed(struct parent *, const struct pool *before);

/* What a session tells of a move; one of parent_hooks. */
void parent_moved(void *parent, struct child *, const struct channel_moved *);

/*
 * A session says that a device is gone, one of parent_hooks; the time of the
 * look for it; and after each look: were there others than before?
 */
void parent_lost(void *parent, struct child *, unsigned device);
void parent_on_alarm(int fd, short what, void *parent);
void parent_looked(struct parent *, bool changed);

/* Free the regimes whose keys no session uses any more. */
void parent_free_unused(struct parent *);

#endif
