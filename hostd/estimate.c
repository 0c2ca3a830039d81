/* SPDX-License-Identifier: ISC */
#include "hostd/estimate.h"

#include <CL/cl.h>

#include <string.h>

#include "hostd/history.h"

#define USUAL_WORK 1000u
#define SECOND_NS 1000000000u

static uint64_t
usual_work(const struct offer *o)
{
	const uint64_t work = o->history == NULL ? 0 :
	    history_work(o->history);

	return work > 0 ? work : USUAL_WORK;
}

static uint64_t
run_ns(const struct offer *o, unsigned session, const struct pool_device *d)
{
	return o->history == NULL ? 0 : history_run_ns(o->history,
	    ledger_tenant(o->ledger, session), d->index, pool_speed(d));
}

/*
 * What a session that uses a device has still to do there: what is left of its
 * usual run, and a quarter of that where it does more than usual; at least what
 * is queued.
 */
static void
add_rest(const struct offer *o, unsigned session, const struct pool_device *d,
    struct place_device *out)
{
	const struct usage *u = ledger_usage(o->ledger, session);
	const uint64_t queued = u == NULL ? 0 : usage_queued(u, d->index);
	const uint64_t busy = u == NULL ? 0 : usage_busy(u, d->index);
	const uint64_t run = run_ns(o, session, d);
	uint64_t rest = run / 4;

	if (run == 0 && queued == 0) {
		out->waiting += usual_work(o);
		return;
	}
	if (run > busy && run - busy > rest)
		rest = run - busy;
	if (run == 0)
		rest = (uint64_t)((double)usual_work(o) * SECOND_NS /
		    (double)(pool_speed(d) > 0 ? pool_speed(d) : 1));
	out->queued_ns += queued > rest ? queued : rest;
}

/* Those of other sessions on any device of its card. */
static void
add_others(const struct offer *o, const struct pool_device *d,
    struct place_device *out)
{
	const struct usage *u;
	unsigned s = 0;
	uint64_t used;

	while ((s = ledger_next(o->ledger, s)) != 0) {
		if (s == o->session)
			continue;
		u = ledger_usage(o->ledger, s);
		if (!ledger_is_user(o->ledger, s, d->index))
			continue;
		used = u == NULL ? 0 : usage_memory(u, d->index);
		out->free -= used < out->free ? used : out->free;
		add_rest(o, s, d, out);
	}
}

/*
 * Are programs that were built for one found for the other?  What a build
 * depends on (build_key.c) says so where both are of one kind.
 */
static bool
share_builds(const struct pool_device *a, const struct pool_device *b)
{
	static const uint32_t params[] = { CL_DEVICE_NAME, CL_DRIVER_VERSION,
		CL_DEVICE_VERSION };
	unsigned i;

	for (i = 0; i < sizeof(params) / sizeof(params[0]); i++)
		if (strcmp(infoset_text(&a->info, params[i], ""),
		    infoset_text(&b->info, params[i], "")) != 0)
			return false;
	return a->vendor == b->vendor && infoset_u32(&a->info,
	    CL_DEVICE_MAX_COMPUTE_UNITS, 0) == infoset_u32(&b->info,
	    CL_DEVICE_MAX_COMPUTE_UNITS, 0);
}

static bool
is_built(const struct offer *o, const struct pool_device *d)
{
	const char *tenant = ledger_tenant(o->ledger, o->session);
	const struct pool_device *other;
	unsigned i;

	if (o->history == NULL || o->conf->build_cache == 0)
		return true;
	for (i = 0; i < o->pool->device_count; i++) {
		other = &o->pool->devices[i];
		if (history_has_built(o->history, tenant, other->index) &&
		    share_builds(d, other))
			return true;
	}
	return false;
}

void
estimate_job(const struct offer *o, struct place_job *j)
{
	const char *tenant = ledger_tenant(o->ledger, o->session);

	*j = (struct place_job){ .work = usual_work(o) };
	if (o->history == NULL)
		return;
	j->memory = history_memory(o->history, tenant);
	j->build_ns = history_build_ns(o->history, tenant);
}

void
estimate_device(const struct offer *o, const struct pool_device *d,
    struct place_device *out)
{
	const struct pool_device *other;
	unsigned i;

	out->free = infoset_u64(&d->info, CL_DEVICE_GLOBAL_MEM_SIZE, 0);
	out->built = is_built(o, d);
	out->job_ns = run_ns(o, o->session, d);
	for (i = 0; i < o->pool->device_count; i++) {
		other = &o->pool->devices[i];
		if (other->card == d->card)
			add_others(o, other, out);
	}
}
