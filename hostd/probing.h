/* SPDX-License-Identifier: ISC */
/*
 * probing - one probe, as the parent sees it: a process with a time limit.
 *
 * It asks one vendor what devices it has, or tries whether each of several can
 * make a context where all are in one process.  However it ends, one answer
 * comes back.
 */
#ifndef VGPU_HOSTD_PROBING_H
#define VGPU_HOSTD_PROBING_H

#include "common/err.h"
#include "common/log.h"
#include "hostd/pool.h"
#include "hostd/privsep.h"

struct event_base;
struct probing;

/* What all probes of a survey share; borrowed until each has answered. */
struct probing_rules {
	struct event_base *base;
	const struct privsep_user *user;
	const char *dir;		/* that this user can write */
	enum log_level log_level;
	unsigned timeout;		/* seconds */
};

enum probing_what {
	PROBING_DEVICES,	/* of one vendor */
	PROBING_CONTEXTS	/* of one or several, in one process */
};

/*
 * The answer, never from within probing_start: a pool, which is the callee's,
 * or NULL and why there is none.  Where contexts were tried it has no devices.
 */
typedef void probing_function(void *arg, struct pool *, const char *reason);

/*
 * Probe n vendors' .icd files in one process.  The texts are copied.
 * VGPU_ESYS, VGPU_ENOMEM: nothing was begun.
 */
enum vgpu_err probing_start(struct probing **, const struct probing_rules *,
    enum probing_what, const char *const *icds, unsigned n,
    probing_function *, void *arg, struct err_text *);

/* Kill it and forget it, without an answer.  NULL: does nothing. */
void probing_cancel(struct probing *);

#endif
