/* SPDX-License-Identifier: ISC */
/*
 * parent_private - what parent.c, the life of the parent, and parent_admit.c,
 * its answers to sessions, share.
 */
#ifndef VGPU_HOSTD_PARENT_PRIVATE_H
#define VGPU_HOSTD_PARENT_PRIVATE_H

#include <limits.h>

#include "hostd/builders.h"
#include "hostd/ledger.h"
#include "hostd/parent.h"
#include "hostd/regime.h"
#include "hostd/roster.h"
#include "hostd/warm.h"

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
	struct roster *roster;	/* numbers the ledger's devices */
	struct warm *warm;
	struct builders *builders;
	struct regime *now;	/* NULL until the first survey ends */
	struct regime *next;	/* being surveyed */
	LIST_HEAD(, regime) old; /* whose keys sessions still use */
	struct survey *survey;
	struct control *control;	/* NULL: nobody can ask */
	int64_t started;
	char probe_dir[PATH_MAX];
	bool failed;
};

/* What sessions ask and tell; the arg is the parent. */
extern const struct warm_hooks parent_hooks;

/* Read the configuration again; false: it is refused, or can't be now. */
bool parent_reload(struct parent *);

/* Free the regimes whose keys no session uses any more. */
void parent_free_unused(struct parent *);

#endif
