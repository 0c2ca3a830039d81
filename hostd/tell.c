/* SPDX-License-Identifier: ISC */
#include "hostd/tell.h"

#include <CL/cl.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log.h"
#include "hostd/offer.h"
#include "hostd/parent_private.h"

#define TEXT_MAX 512

static json_t *
text(const char *s)
{
	char escaped[TEXT_MAX];

	return json_string(log_escape(escaped, sizeof(escaped), s, strlen(s)));
}

static json_t *
number(uint64_t v)
{
	return json_integer((json_int_t)(v > INT64_MAX ? INT64_MAX : v));
}

static json_t *
error(const char *why)
{
	return json_pack("{s:o}", "error", text(why));
}

/* ---- devices --------------------------------------------------------------- */

static const char *
type_name(const struct pool_device *d)
{
	const uint64_t t = infoset_u64(&d->info, CL_DEVICE_TYPE, 0);

	if (d->simulator)
		return "simulator";
	if (t & CL_DEVICE_TYPE_GPU)
		return "gpu";
	if (t & CL_DEVICE_TYPE_ACCELERATOR)
		return "accelerator";
	return d->fallback ? "cpu, fallback" : "cpu";
}

static const char *
device_name(const struct pool_device *d)
{
	return infoset_text(&d->info, CL_DEVICE_NAME, "");
}

/* The sessions that use a device, or are going to, but for one. */
static json_t *
users(const struct parent *p, unsigned device, unsigned but)
{
	json_t *list = json_array();
	unsigned s = 0;

	while ((s = ledger_next(p->ledger, s)) != 0)
		if (s != but && ledger_is_user(p->ledger, s, device))
			json_array_append_new(list, number(s));
	return list;
}

static json_t *
one_device(const struct parent *p, const struct pool_device *d)
{
	return json_pack("{s:i, s:o, s:o, s:s, s:o, s:i, s:i, s:o, s:i, s:b, s:o}",
	    "device", (int)d->index,
	    "vendor", text(p->now->pool->vendors[d->vendor].name),
	    "name", text(device_name(d)),
	    "type", type_name(d),
	    "driver", text(infoset_text(&d->info, CL_DRIVER_VERSION, "")),
	    "units", (int)infoset_u32(&d->info, CL_DEVICE_MAX_COMPUTE_UNITS,
	    0),
	    "mhz", (int)infoset_u32(&d->info, CL_DEVICE_MAX_CLOCK_FREQUENCY,
	    0),
	    "memory", number(infoset_u64(&d->info, CL_DEVICE_GLOBAL_MEM_SIZE,
	    0)),
	    "card", (int)d->card,
	    "drained", ledger_is_drained(p->ledger, d->index),
	    "sessions", users(p, d->index, 0));
}

static json_t *
devices(const struct parent *p)
{
	const struct pool *pool = p->now->pool;
	json_t *list = json_array(), *vendors = json_array();
	json_t *aparts = json_array();
	const struct pool_vendor *v;
	unsigned i;

	for (i = 0; i < pool->device_count; i++)
		json_array_append_new(list, one_device(p, &pool->devices[i]));
	for (i = 0; i < pool->vendor_count; i++) {
		v = &pool->vendors[i];
		json_array_append_new(vendors, json_pack("{s:o, s:o, s:b, s:o}",
		    "vendor", text(v->name), "file", text(v->icd),
		    "usable", v->usable,
		    "reason", v->usable ? json_null() : text(v->reason)));
	}
	for (i = 0; i < pool->apart_count; i++)
		json_array_append_new(aparts, json_pack("{s:[o, o], s:o}",
		    "vendors", text(pool->vendors[pool->aparts[i].a].name),
		    text(pool->vendors[pool->aparts[i].b].name),
		    "reason", text(pool->aparts[i].reason)));
	return json_pack("{s:o, s:o, s:o}", "devices", list,
	    "vendors", vendors, "apart", aparts);
}

/* ---- sessions -------------------------------------------------------------- */

static bool
is_gone(const struct parent *p, unsigned index)
{
	return pool_find(p->now->pool, index) == NULL;
}

/*
 * The name of a device of a session, which has that of its own pool also when
 * it has left since; null: nobody knows it any more.
 */
static json_t *
name_of(const struct parent *p, unsigned session, unsigned index)
{
	const struct pool_device *d = pool_find(p->now->pool, index);
	const struct child *c = warm_find(p->warm, session);

	if (d == NULL && c != NULL)
		d = pool_find(child_regime(c)->pool, index);
	return d != NULL ? text(device_name(d)) : json_null();
}

/* The devices that a session has contexts on, also those that have left. */
static json_t *
used(const struct parent *p, unsigned session)
{
	const struct usage *u = ledger_usage(p->ledger, session);
	json_t *list = json_array();
	unsigned i, n;

	for (i = 0; i < POOL_DEVICES_MAX; i++) {
		n = ledger_mine(p->ledger, session, i);
		if (n > 0)
			json_array_append_new(list, json_pack(
			    "{s:i, s:o, s:b, s:i, s:f, s:f}",
			    "device", (int)i,
			    "name", name_of(p, session, i),
			    "gone", is_gone(p, i),
			    "contexts", (int)n,
			    "queued-ms", u == NULL ? 0 :
			    (double)usage_queued(u, i) / 1e6,
			    "run-ms", u == NULL ? 0 :
			    (double)usage_busy(u, i) / 1e6));
	}
	return list;
}

static json_t *
sessions(const struct parent *p)
{
	json_t *list = json_array();
	const struct child *c;
	unsigned s = 0;

	while ((s = ledger_next(p->ledger, s)) != 0) {
		c = warm_find(p->warm, s);
		json_array_append_new(list, json_pack("{s:i, s:o, s:i, s:i, s:o}",
		    "session", (int)s,
		    "tenant", text(ledger_tenant(p->ledger, s)),
		    "process", c == NULL ? 0 : (int)child_pid(c),
		    "seconds", c == NULL ? 0 : (int)(child_age(c) / 1000),
		    "devices", used(p, s)));
	}
	return json_pack("{s:o}", "sessions", list);
}

static json_t *
status(const struct parent *p)
{
	const struct pool *pool = p->now->pool;
	unsigned i, usable = 0;

	for (i = 0; i < pool->vendor_count; i++)
		usable += pool->vendors[i].usable;
	return json_pack("{s:s, s:i, s:i, s:o, s:s, s:i, s:i, s:i, s:i, s:i}",
	    "version", PACKAGE_VERSION,
	    "process", (int)getpid(),
	    "seconds", (int)((clock_ms() - p->started) / 1000),
	    "configuration", text(p->now->conf->file),
	    "placement", p->now->conf->placement->name,
	    "sessions", (int)ledger_count(p->ledger, NULL),
	    "max-sessions", (int)p->now->conf->max_sessions,
	    "devices", (int)pool->device_count,
	    "vendors", (int)usable,
	    "vendors-not-used", (int)(pool->vendor_count - usable));
}

/* ---- why -------------------------------------------------------------------- */

static json_t *
one_note(const struct parent *p, unsigned session,
    const struct ledger_note *n)
{
	static const char *const decided[] = {
		[NOTE_SHOWN] = "shown first", [NOTE_RUNS] = "runs a context",
		[NOTE_MOVED] = "a context has left",
		[NOTE_STAYS] = "a context stays",
		[NOTE_APART] = "not offered",
	};

	return json_pack("{s:i, s:o, s:b, s:s, s:i, s:o, s:o}",
	    "device", (int)n->device,
	    "name", name_of(p, session, n->device),
	    "gone", is_gone(p, n->device),
	    "decided", decided[n->what],
	    "seconds", (int)((clock_ms() - n->at) / 1000),
	    "reason", text(n->reason),
	    "shared-with", users(p, n->device, session));
}

static json_t *
explain(const struct parent *p, const char *which)
{
	const struct ledger_note *notes;
	json_t *list;
	unsigned long v;
	unsigned i, n;
	char *end;

	v = strtoul(which, &end, 10);
	if (which[0] < '0' || which[0] > '9' || *end != '\0' || v == 0 ||
	    v > UINT32_MAX || ledger_tenant(p->ledger, (unsigned)v)[0] == '\0')
		return error("there is no such session");
	list = json_array();
	n = ledger_notes(p->ledger, (unsigned)v, &notes);
	for (i = 0; i < n; i++)
		json_array_append_new(list, one_note(p, (unsigned)v,
		    &notes[i]));
	return json_pack("{s:i, s:o, s:s, s:o, s:o}",
	    "session", (int)v,
	    "tenant", text(ledger_tenant(p->ledger, (unsigned)v)),
	    "placement", p->now->conf->placement->name,
	    "devices", used(p, (unsigned)v),
	    "decisions", list);
}

/* ---- what is done ----------------------------------------------------------- */

/* Why sessions are still on a device that they were to leave. */
static json_t *
stay(const struct parent *p, unsigned device)
{
	json_t *list = json_array();
	const char *why;
	unsigned s = 0;

	while ((s = ledger_next(p->ledger, s)) != 0)
		if (ledger_mine(p->ledger, s, device) > 0 &&
		    (why = ledger_stays(p->ledger, s, device,
		    INT64_MIN)) != NULL)
			json_array_append_new(list, json_pack("{s:i, s:o}",
			    "session", (int)s, "reason", text(why)));
	return list;
}

static json_t *
drain(struct parent *p, const char *which, bool drained)
{
	unsigned long v;
	char *end;

	v = strtoul(which, &end, 10);
	if (which[0] < '0' || which[0] > '9' || *end != '\0' ||
	    v >= POOL_DEVICES_MAX || pool_find(p->now->pool, (unsigned)v) ==
	    NULL)
		return error("there is no such device; \"vgpuctl devices\" "
		    "shows the numbers");
	if (ledger_is_drained(p->ledger, (unsigned)v) != drained)
		log_info("device %lu %s", v, drained ? "is drained" :
		    "is used again");
	ledger_drain(p->ledger, (unsigned)v, drained);
	parent_tell_shut(p, NULL);
	if (drained)
		parent_clear(p, (unsigned)v, MOVE_DRAIN);
	return json_pack("{s:i, s:b, s:o, s:o}", "device", (int)v,
	    "drained", drained, "sessions", users(p, (unsigned)v, 0),
	    "stay", stay(p, (unsigned)v));
}

static json_t *
rescan(struct parent *p)
{
	switch (parent_rescan(p)) {
	case PARENT_BUSY:
		return error("vendors are being asked already, by a rescan or "
		    "a reload");
	case PARENT_REFUSED:
		return error("it could not begin; the log says why");
	default:
		return json_pack("{s:b}", "rescan", true);
	}
}

static json_t *
reload(struct parent *p)
{
	const enum parent_begun begun = parent_reload(p);

	if (begun == PARENT_REFUSED)
		return error("refused; the log says why");
	return json_pack("{s:b, s:b}", "reload", true, "later",
	    begun == PARENT_BUSY);
}

char *
tell(void *parent, const char *line)
{
	static const char explain_word[] = "explain ";
	static const char drain_word[] = "drain ", undrain_word[] = "undrain ";
	struct parent *p = parent;
	json_t *j;
	char *out;

	if (p->now == NULL)
		j = error("the daemon is still starting");
	else if (strcmp(line, "devices") == 0)
		j = devices(p);
	else if (strcmp(line, "sessions") == 0)
		j = sessions(p);
	else if (strcmp(line, "status") == 0)
		j = status(p);
	else if (strncmp(line, explain_word, sizeof(explain_word) - 1) == 0)
		j = explain(p, line + sizeof(explain_word) - 1);
	else if (strncmp(line, drain_word, sizeof(drain_word) - 1) == 0)
		j = drain(p, line + sizeof(drain_word) - 1, true);
	else if (strncmp(line, undrain_word, sizeof(undrain_word) - 1) == 0)
		j = drain(p, line + sizeof(undrain_word) - 1, false);
	else if (strcmp(line, "rescan") == 0)
		j = rescan(p);
	else if (strcmp(line, "reload") == 0)
		j = reload(p);
	else
		j = error("no such request");
	out = j == NULL ? NULL : json_dumps(j, JSON_COMPACT);
	json_decref(j);
	return out;
}
