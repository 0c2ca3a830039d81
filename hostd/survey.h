/* SPDX-License-Identifier: ISC */
/*
 * survey - finds all devices of all vendors, in the parent.
 *
 * Runs a probe for each vendor, all at the same time, and puts what they
 * report together in the order of the configuration.  A vendor whose probe
 * crashed, hung or found nothing is in the pool too, with the reason.  Of the
 * others, those that can't be in one process are found out (apart.h).
 */
#ifndef VGPU_HOSTD_SURVEY_H
#define VGPU_HOSTD_SURVEY_H

#include "common/err.h"
#include "hostd/conf.h"
#include "hostd/pool.h"
#include "hostd/privsep.h"

struct event_base;
struct survey;

/* Called once with the pool, which is the callee's.  Frees the survey. */
typedef void survey_function(void *arg, struct pool *);

/*
 * Begin.  conf and user are borrowed until the end; probe_dir is a folder that
 * this user can write.  VGPU_ESYS, VGPU_ENOMEM: nothing was begun.
 */
enum vgpu_err survey_start(struct survey **, struct event_base *,
    const struct conf *, const struct privsep_user *, const char *probe_dir,
    survey_function *, void *arg, struct err_text *);

/* Kill the probes and forget all, without calling back. */
void survey_cancel(struct survey *);

#endif
