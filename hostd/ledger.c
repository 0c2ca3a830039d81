/* SPDX-License-Identifier: ISC */
#include "hostd/ledger.h"

#include <CL/cl.h>

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#include "transport/transport.h"

struct entry {
	LIST_ENTRY(entry) entry;
	unsigned session;
	char tenant[TRANSPORT_NAME_MAX];
	unsigned pool;		/* which pool uses counts devices of */
	unsigned uses[POOL_DEVICES_MAX];
};

struct ledger {
	LIST_HEAD(, entry) entries;
	unsigned pool;
};

struct ledger *
ledger_new(void)
{
	struct ledger *l = calloc(1, sizeof(*l));

	if (l != NULL)
		LIST_INIT(&l->entries);
	return l;
}

void
ledger_free(struct ledger *l)
{
	struct entry *e;

	if (l == NULL)
		return;
	while ((e = LIST_FIRST(&l->entries)) != NULL) {
		LIST_REMOVE(e, entry);
		free(e);
	}
	free(l);
}

static struct entry *
find(const struct ledger *l, unsigned session)
{
	struct entry *e;

	LIST_FOREACH(e, &l->entries, entry)
		if (e->session == session)
			return e;
	return NULL;
}

unsigned
ledger_count(const struct ledger *l, const char *tenant)
{
	const struct entry *e;
	unsigned n = 0;

	LIST_FOREACH(e, &l->entries, entry)
		n += tenant == NULL || strcmp(e->tenant, tenant) == 0;
	return n;
}

static enum vgpu_err
may_enter(const struct ledger *l, const struct conf *conf,
    const struct conf_tenant *t, const char *tenant, struct err_text *text)
{
	unsigned n;

	if ((n = ledger_count(l, NULL)) >= conf->max_sessions)
		return err_set(text, VGPU_EQUOTA, "this host has %u sessions "
		    "already, its max-sessions", n);
	n = ledger_count(l, tenant);
	if (t->max_sessions != 0 && n >= t->max_sessions)
		return err_set(text, VGPU_EQUOTA, "tenant \"%s\" has %u "
		    "sessions already, its max-sessions", tenant, n);
	return VGPU_OK;
}

enum vgpu_err
ledger_enter(struct ledger *l, const struct conf *conf,
    const struct conf_tenant *t, unsigned session, const char *tenant,
    struct err_text *text)
{
	struct entry *e;
	enum vgpu_err rc;

	if (find(l, session) != NULL)
		return err_set(text, VGPU_EHANDLE, "session %u is there "
		    "already", session);
	if ((rc = may_enter(l, conf, t, tenant, text)) != VGPU_OK)
		return rc;
	if ((e = calloc(1, sizeof(*e))) == NULL)
		return err_set(text, VGPU_ENOMEM, "out of memory");
	e->session = session;
	snprintf(e->tenant, sizeof(e->tenant), "%s", tenant);
	e->pool = l->pool;
	LIST_INSERT_HEAD(&l->entries, e, entry);
	return VGPU_OK;
}

void
ledger_leave(struct ledger *l, unsigned session)
{
	struct entry *e = find(l, session);

	if (e == NULL)
		return;
	LIST_REMOVE(e, entry);
	free(e);
}

enum vgpu_err
ledger_use(struct ledger *l, unsigned session, unsigned device, int change)
{
	struct entry *e = find(l, session);

	if (e == NULL || device >= POOL_DEVICES_MAX ||
	    (change != 1 && change != -1) ||
	    (change < 0 && e->uses[device] == 0))
		return VGPU_EPROTO;
	e->uses[device] += (unsigned)change;
	return VGPU_OK;
}

void
ledger_loads(const struct ledger *l, unsigned *out, unsigned n)
{
	const struct entry *e;
	unsigned i;

	memset(out, 0, n * sizeof(*out));
	LIST_FOREACH(e, &l->entries, entry) {
		if (e->pool != l->pool)
			continue;
		for (i = 0; i < n; i++)
			out[i] += e->uses[i] > 0;
	}
}

void
ledger_new_pool(struct ledger *l)
{
	l->pool++;
}

/* Patterns match the device's name or that of the vendor's .icd file. */
static bool
allowed(const struct conf_tenant *t, const struct pool *p,
    const struct pool_device *d)
{
	const char *name = infoset_text(&d->info, CL_DEVICE_NAME, "");
	const char *vendor = p->vendors[d->vendor].name;
	unsigned i;

	for (i = 0; i < t->devices.n; i++)
		if (fnmatch(t->devices.v[i], name, FNM_CASEFOLD) == 0 ||
		    fnmatch(t->devices.v[i], vendor, FNM_CASEFOLD) == 0)
			return true;
	return t->devices.n == 0;
}

unsigned
ledger_order(const struct ledger *l, const struct pool *p,
    const struct conf_tenant *t, unsigned *out)
{
	unsigned loads[POOL_DEVICES_MAX], i, n = 0;

	ledger_loads(l, loads, p->device_count);
	pool_order(p, loads, out);
	for (i = 0; i < p->device_count; i++)
		if (allowed(t, p, &p->devices[out[i]]))
			out[n++] = out[i];
	return n;
}
