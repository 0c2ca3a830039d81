/* SPDX-License-Identifier: ISC */
#include "hostd/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostd/pool.h"
#include "transport/transport.h"

#define SECOND_NS 1e9
#define RUN_NS_MAX 1e17
#define SELDOM 0.05	/* launches in a usual run that count for nothing */

/* One part of a usual run. */
struct part {
	uint64_t key;
	double launches;
	uint64_t age;		/* more: in a later run */
};

/* What a launch of a class takes on a device. */
struct known {
	uint64_t key;		/* 0: free */
	unsigned device;
	uint64_t ns;
	uint64_t speed;		/* the device's own word */
	uint64_t age;		/* more: known later */
};

/* Of what a run counts for the average of all, at most so many times that. */
#define WORK_MOST 4

struct tenant {
	char name[TRANSPORT_NAME_MAX];	/* "": free */
	uint64_t age;
	struct part mix[HISTORY_MIX];
	unsigned parts;
	struct known time[HISTORY_TIMES];
	uint64_t memory, build_ns;
	bool built[POOL_DEVICES_MAX];
};

struct history {
	struct tenant *tenant[HISTORY_TENANTS];
	uint64_t age;
	double work;
};

struct history *
history_new(void)
{
	return calloc(1, sizeof(struct history));
}

void
history_free(struct history *h)
{
	unsigned i;

	if (h == NULL)
		return;
	for (i = 0; i < HISTORY_TENANTS; i++)
		free(h->tenant[i]);
	free(h);
}

static struct tenant *
find(const struct history *h, const char *name)
{
	unsigned i;

	for (i = 0; i < HISTORY_TENANTS; i++)
		if (h->tenant[i] != NULL &&
		    strcmp(h->tenant[i]->name, name) == 0)
			return h->tenant[i];
	return NULL;
}

/* An empty one, or that which has not run for longest, emptied; or NULL. */
static struct tenant *
make(struct history *h, const char *name)
{
	struct tenant **oldest = &h->tenant[0], *t;
	unsigned i;

	for (i = 0; i < HISTORY_TENANTS && *oldest != NULL; i++)
		if (h->tenant[i] == NULL ||
		    h->tenant[i]->age < (*oldest)->age)
			oldest = &h->tenant[i];
	if (*oldest == NULL)
		*oldest = malloc(sizeof(**oldest));
	if ((t = *oldest) == NULL)
		return NULL;
	memset(t, 0, sizeof(*t));
	snprintf(t->name, sizeof(t->name), "%s", name);
	return t;
}

/* ---- times ----------------------------------------------------------------- */

/* What is known of that, or the place for it: free, or known for longest. */
static struct known *
place_of(struct tenant *t, uint64_t key, unsigned device)
{
	struct known *best = &t->time[0];
	unsigned i;

	for (i = 0; i < HISTORY_TIMES; i++) {
		if (t->time[i].key == key && t->time[i].device == device)
			return &t->time[i];
		if (t->time[i].age < best->age)
			best = &t->time[i];
	}
	return best;
}

/* Does that tell more of a device of the speed? */
static bool
tells_more(const struct known *k, const struct known *than, uint64_t speed)
{
	if (than == NULL || (k->speed == speed) != (than->speed == speed))
		return than == NULL || k->speed == speed;
	return k->age > than->age;
}

/*
 * Nanoseconds there; from another device, one that says the same of itself or
 * else the latest known; 0: unknown.
 */
static double
time_of(const struct tenant *t, uint64_t key, unsigned device, uint64_t speed)
{
	const struct known *best = NULL, *k;
	unsigned i;

	for (i = 0; i < HISTORY_TIMES; i++) {
		k = &t->time[i];
		if (k->key != key)
			continue;
		if (k->device == device)
			return (double)k->ns;
		if (tells_more(k, best, speed))
			best = k;
	}
	if (best == NULL)
		return 0;
	return (double)best->ns * (double)(best->speed > 0 ? best->speed : 1) /
	    (double)(speed > 0 ? speed : 1);
}

/* ---- learning -------------------------------------------------------------- */

/* A run, as it is gathered: launches of all devices, by class. */
struct run {
	struct part part[USAGE_CLASSES];
	double ns[USAGE_CLASSES];
	unsigned parts;
	double total_ns, work;
};

static void
add_launches(struct run *r, const struct usage_class *c, uint64_t speed)
{
	const double ns = (double)c->launches * (double)c->ns;
	unsigned i;

	for (i = 0; i < r->parts; i++)
		if (r->part[i].key == c->key)
			break;
	if (i == r->parts) {
		r->part[r->parts] = (struct part){ .key = c->key };
		r->ns[r->parts++] = 0;
	}
	r->part[i].launches += (double)c->launches;
	r->ns[i] += ns;
	r->total_ns += ns;
	r->work += ns * (double)speed / SECOND_NS;
}

/* A class that ran, and its device's speed; false: it did not. */
static bool
ran(const struct usage *u, const struct history_speeds *speeds, unsigned i,
    struct usage_class *c, uint64_t *speed)
{
	return usage_class_at(u, i, c) && c->launches > 0 && c->ns > 0 &&
	    (*speed = speeds->of(speeds->arg, c->device)) != 0;
}

static void
gather(const struct usage *u, const struct history_speeds *speeds,
    struct run *r)
{
	struct usage_class c;
	uint64_t speed;
	unsigned i;

	for (i = 0; i < USAGE_CLASSES; i++)
		if (ran(u, speeds, i, &c, &speed))
			add_launches(r, &c, speed);
}

static bool
is_in_mix(const struct tenant *t, uint64_t key)
{
	unsigned i;

	for (i = 0; i < t->parts; i++)
		if (t->mix[i].key == key)
			return true;
	return false;
}

/* Of what is in the mix, as there is no room for all. */
static void
learn_times(struct history *h, struct tenant *t, const struct usage *u,
    const struct history_speeds *speeds)
{
	struct usage_class c;
	uint64_t speed;
	unsigned i;

	for (i = 0; i < USAGE_CLASSES; i++)
		if (ran(u, speeds, i, &c, &speed) && is_in_mix(t, c.key))
			*place_of(t, c.key, c.device) = (struct known){ c.key,
				c.device, c.ns, speed, ++h->age };
}

/* The part of a run that took longest, and is taken out of it. */
static unsigned
longest(struct run *r)
{
	unsigned i, best = 0;

	for (i = 1; i < r->parts; i++)
		if (r->ns[i] > r->ns[best])
			best = i;
	return best;
}

static void
forget_seldom(struct tenant *t)
{
	unsigned i, kept = 0;

	for (i = 0; i < t->parts; i++)
		if (t->mix[i].launches >= SELDOM)
			t->mix[kept++] = t->mix[i];
	t->parts = kept;
}

/* The place of a class in the mix: of its own, a free one, or the oldest. */
static struct part *
in_mix(struct tenant *t, uint64_t key)
{
	struct part *p = t->mix;
	unsigned i;

	for (i = 0; i < t->parts; i++) {
		if (t->mix[i].key == key)
			return &t->mix[i];
		if (t->mix[i].age < p->age)
			p = &t->mix[i];
	}
	if (t->parts < HISTORY_MIX)
		p = &t->mix[t->parts++];
	*p = (struct part){ .key = key };
	return p;
}

/*
 * The usual run is half the last one, a quarter the one before, and so on.  Of
 * each those classes count that took longest, as much as all did.
 */
static void
blend(struct tenant *t, struct run *r)
{
	const bool first = t->parts == 0;
	const unsigned n = r->parts < HISTORY_MIX ? r->parts : HISTORY_MIX;
	unsigned order[HISTORY_MIX], i;
	double kept_ns = 0;
	struct part *p;

	for (i = 0; i < n; i++) {
		order[i] = longest(r);
		kept_ns += r->ns[order[i]];
		r->ns[order[i]] = -1;
	}
	for (i = 0; i < t->parts; i++)
		t->mix[i].launches /= 2;
	forget_seldom(t);
	for (i = 0; i < n; i++) {
		p = in_mix(t, r->part[order[i]].key);
		p->launches += r->part[order[i]].launches *
		    (r->total_ns / kept_ns) * (first ? 1 : 0.5);
		p->age = t->age;
	}
}

static void
learn_builds(struct tenant *t, const struct usage *u)
{
	const uint64_t ns = usage_build_ns(u);
	unsigned i;

	for (i = 0; i < usage_built_end(u); i++)
		t->built[i] |= usage_has_built(u, i);
	if (ns > 0)
		t->build_ns = ns;
}

void
history_learn(struct history *h, const char *name, const struct usage *u,
    const struct history_speeds *speeds)
{
	struct tenant *t = find(h, name);
	struct run *r = calloc(1, sizeof(*r));

	if (r == NULL || (t == NULL && (t = make(h, name)) == NULL)) {
		free(r);
		return;
	}
	gather(u, speeds, r);
	t->age = ++h->age;
	learn_builds(t, u);
	/* One that only looked around tells nothing of those that work. */
	if (r->parts > 0) {
		blend(t, r);
		learn_times(h, t, u, speeds);
		t->memory = usage_peak(u);
		if (h->work > 0 && r->work > WORK_MOST * h->work)
			r->work = WORK_MOST * h->work;
		h->work = h->work == 0 ? r->work : (h->work + r->work) / 2;
	}
	free(r);
}

void
history_teach(struct history *h, const char *name, struct usage *u)
{
	const struct tenant *t = find(h, name);
	const struct known *k;
	struct usage_slot *s;
	unsigned i;

	for (i = 0; t != NULL && i < HISTORY_TIMES; i++) {
		k = &t->time[i];
		if (k->key != 0 && (s = usage_class(u, k->key, k->device)) !=
		    NULL)
			usage_slot_set(s, k->ns);
	}
}

/* ---- estimates ------------------------------------------------------------- */

uint64_t
history_run_ns(const struct history *h, const char *name, unsigned device,
    uint64_t speed)
{
	const struct tenant *t = find(h, name);
	double ns = 0;
	unsigned i;

	for (i = 0; t != NULL && i < t->parts; i++)
		ns += t->mix[i].launches * time_of(t, t->mix[i].key, device,
		    speed);
	return ns < RUN_NS_MAX ? (uint64_t)ns : (uint64_t)RUN_NS_MAX;
}

uint64_t
history_memory(const struct history *h, const char *name)
{
	const struct tenant *t = find(h, name);

	return t == NULL ? 0 : t->memory;
}

uint64_t
history_build_ns(const struct history *h, const char *name)
{
	const struct tenant *t = find(h, name);

	return t == NULL ? 0 : t->build_ns;
}

bool
history_has_built(const struct history *h, const char *name, unsigned device)
{
	const struct tenant *t = find(h, name);

	return t != NULL && device < POOL_DEVICES_MAX && t->built[device];
}

uint64_t
history_work(const struct history *h)
{
	return h->work < RUN_NS_MAX ? (uint64_t)h->work :
	    (uint64_t)RUN_NS_MAX;
}
