/* SPDX-License-Identifier: ISC */
#include "hostd/parent_private.h"

#include <CL/cl.h>

#include <event2/event.h>
#include <stdio.h>
#include <string.h>

#include "common/log.h"
#include "hostd/dirs.h"
#include "hostd/offer.h"
#include "hostd/survey.h"

/* --- devices ------------------------------------------------------------- */

static void
log_device(const struct pool *pool, const struct pool_device *d)
{
	const char *name = infoset_text(&d->info, CL_DEVICE_NAME, "?");
	char escaped[128];

	log_debug("device %u vendor %s name %s%s%s", d->index,
	    pool->vendors[d->vendor].name,
	    log_escape(escaped, sizeof(escaped), name, strlen(name)),
	    d->fallback ? " (fallback)" : "",
	    d->simulator ? " (simulator)" : "");
}

static void
log_pool(const struct pool *pool)
{
	const struct pool_vendor *v;
	unsigned i, j, n;

	for (i = 0; i < pool->vendor_count; i++) {
		v = &pool->vendors[i];
		for (j = n = 0; j < pool->device_count; j++)
			n += pool->devices[j].vendor == i;
		if (v->usable)
			log_info("vendor %s devices %u", v->name, n);
		else
			log_warn("vendor %s (%s) not used: %s", v->name,
			    v->icd, v->reason);
	}
	for (i = 0; i < pool->device_count; i++)
		log_device(pool, &pool->devices[i]);
	if (pool->device_count == 0)
		log_warn("no device at all: clients will see none");
}

/* Names of all devices with their vendors, each once; cut to size. */
static void
list_devices(const struct pool *pool, char *out, size_t size)
{
	const struct pool_device *d, *last = NULL;
	const char *name, *before = "";
	char escaped[128];
	size_t at = 0;
	unsigned i;
	int n;

	out[0] = '\0';
	for (i = 0; i < pool->device_count && at < size; i++) {
		d = &pool->devices[i];
		name = infoset_text(&d->info, CL_DEVICE_NAME, "?");
		if (last != NULL && last->vendor == d->vendor &&
		    strcmp(name, before) == 0)
			continue;
		n = snprintf(out + at, size - at, "%s%s \"%s\"",
		    at > 0 ? ", " : "", pool->vendors[d->vendor].name,
		    log_escape(escaped, sizeof(escaped), name, strlen(name)));
		at += n > 0 ? (size_t)n : 0;
		before = name;
		last = d;
	}
}

/* A tenant whose devices are none of these would see an empty platform. */
static void
check_mask(const struct conf_tenant *t, const struct pool *pool)
{
	char name[128], pattern[128], all[512];
	const char *own = t->name != NULL ? t->name : "tenant-default";
	const char *first;
	unsigned i;

	if (t->devices.n == 0 || pool->device_count == 0)
		return;
	for (i = 0; i < pool->device_count; i++)
		if (offer_matches(&t->devices, pool, &pool->devices[i]))
			return;
	first = t->devices.v[0];
	list_devices(pool, all, sizeof(all));
	log_warn("tenant %s will see no device: its devices, \"%s\"%s, match "
	    "none of those here: %s",
	    log_escape(name, sizeof(name), own, strlen(own)),
	    log_escape(pattern, sizeof(pattern), first, strlen(first)),
	    t->devices.n > 1 ? " and others" : "", all);
}

static void
check_masks(const struct conf *c, const struct pool *pool)
{
	unsigned i;

	for (i = 0; i < c->tenant_count; i++)
		check_mask(&c->tenants[i], pool);
	check_mask(&c->others, pool);
}

static enum vgpu_err
number_devices(struct parent *p, struct pool *pool, struct err_text *text)
{
	enum vgpu_err rc = roster_number(p->roster, pool);

	if (rc == VGPU_OK)
		return rc;
	return err_set(text, rc, "devices: %s", rc == VGPU_ENOMEM ?
	    "out of memory" : "too many different ones since the daemon has "
	    "started");
}

enum vgpu_err
parent_take_pool(struct parent *p, struct regime *r, struct pool *pool,
    struct err_text *text)
{
	enum vgpu_err rc = number_devices(p, pool, text);

	if (rc != VGPU_OK) {
		pool_free(pool);
		return rc;
	}
	log_pool(pool);
	check_masks(r->conf, pool);
	return regime_set_pool(r, pool, text);
}

/* --- rescans ------------------------------------------------------------- */

void
parent_arm_rescan(struct parent *p)
{
	struct timeval t = { 0, 0 };

	evtimer_del(p->rescan);
	if (p->now == NULL || p->now->conf->rescan == 0)
		return;
	t.tv_sec = (time_t)p->now->conf->rescan;
	event_add(p->rescan, &t);
}

/* The configuration of now, with other devices. */
static enum vgpu_err
change_pool(struct parent *p, struct pool *pool, struct err_text *text)
{
	struct regime *r;
	enum vgpu_err rc;

	if ((rc = regime_again(&r, p->now)) != VGPU_OK) {
		pool_free(pool);
		return err_set(text, rc, "out of memory");
	}
	log_pool(pool);
	check_masks(r->conf, pool);
	if ((rc = regime_set_pool(r, pool, text)) != VGPU_OK) {
		regime_free(r);
		return rc;
	}
	r->listeners = p->now->listeners;
	p->now->listeners = NULL;
	log_info("rescan: devices have changed, now %u", pool->device_count);
	parent_switch(p, r);
	return VGPU_OK;
}

static void
on_survey(void *arg, struct pool *pool)
{
	struct parent *p = arg;
	struct err_text text;
	enum vgpu_err rc;

	p->survey = NULL;
	if ((rc = number_devices(p, pool, &text)) != VGPU_OK) {
		pool_free(pool);
	} else if (pool_same(p->now->pool, pool)) {
		/* but reasons and the like, which are for people, are newer */
		pool_free(p->now->pool);
		p->now->pool = pool;
		log_debug("rescan: the same devices");
		parent_looked(p, false);
	} else {
		rc = change_pool(p, pool, &text);
	}
	if (rc != VGPU_OK) {
		log_error("rescan: %s; everything stays as it was", text.s);
		parent_looked(p, true);
	}
	parent_arm_rescan(p);
}

enum parent_begun
parent_rescan(struct parent *p)
{
	const struct conf *c = p->now->conf;
	struct err_text text;

	if (p->survey != NULL)
		return PARENT_BUSY;
	dirs_probe(c->state_dir, p->probe_dir, sizeof(p->probe_dir));
	if (survey_start(&p->survey, p->base, c, &p->now->user, p->probe_dir,
	    on_survey, p, &text) == VGPU_OK)
		return PARENT_BEGUN;
	p->survey = NULL;
	log_error("rescan: %s", text.s);
	parent_arm_rescan(p);
	return PARENT_REFUSED;
}

void
parent_on_rescan(int fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	parent_rescan(arg);
}
