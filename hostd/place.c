/* SPDX-License-Identifier: ISC */
#include "hostd/place.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define SECOND_NS 1000000000u

/* What decides, in this order; of each the lower is better. */
enum key {
	KEY_RANK,
	KEY_MEMORY,
	KEY_CARD,
	KEY_COST,
	KEY_THEN,
	KEY_SLOWNESS,
	KEY_HERE,
	KEY_NUMBER,
	KEYS
};

static const char *const key_names[KEYS] = {
	[KEY_RANK] = NULL,	/* the policy says which */
	[KEY_MEMORY] = "has the memory",
	[KEY_CARD] = "keeps the session's devices on different cards",
	[KEY_COST] = NULL,	/* the policy's */
	[KEY_THEN] = "fewer users",
	[KEY_SLOWNESS] = "faster",
	[KEY_HERE] = "fewer users on the same card",
	[KEY_NUMBER] = "found first",
};

struct candidate {
	unsigned place;
	uint64_t key[KEYS];
};

/*
 * What building again counts: it is done once for many runs to come, so among
 * devices that are about as good it decides, and no short program clings to
 * the first device that it ever ran on.
 */
static uint64_t
build_ns(const struct place_device *d, const struct place_job *j)
{
	const uint64_t speed = d->speed > 0 ? d->speed : 1;
	const double run = d->job_ns > 0 ? (double)d->job_ns :
	    (double)j->work / (double)speed * SECOND_NS;

	return (double)j->build_ns < run / 4 ? j->build_ns :
	    (uint64_t)(run / 4);
}

uint64_t
place_done_ns(const struct place_device *d, const struct place_job *j)
{
	const uint64_t speed = d->speed > 0 ? d->speed : 1;
	const double work = (double)d->waiting + (d->job_ns > 0 ? 0 :
	    (double)j->work);
	double ns = (double)d->queued_ns + (double)d->job_ns +
	    work / (double)speed * SECOND_NS;

	if (!d->built)
		ns += (double)build_ns(d, j);
	return ns < 1e18 ? (uint64_t)ns : (uint64_t)1e18;
}

static void
fill(struct candidate *c, const struct place_policy *p,
    const struct place_device *d, const struct place_job *j)
{
	const struct place_cost cost = p->cost(d, j);

	c->key[KEY_RANK] = d->rank;
	c->key[KEY_MEMORY] = d->free < j->memory;
	c->key[KEY_CARD] = d->mine;
	c->key[KEY_COST] = cost.first;
	c->key[KEY_THEN] = cost.then;
	c->key[KEY_SLOWNESS] = UINT64_MAX - d->speed;
	c->key[KEY_HERE] = d->here;
	c->key[KEY_NUMBER] = d->number;
}

/* The first key in which they differ. */
static enum key
decisive(const struct candidate *a, const struct candidate *b)
{
	enum key k;

	for (k = 0; k < KEY_NUMBER; k++)
		if (a->key[k] != b->key[k])
			break;
	return k;
}

static int
compare(const void *va, const void *vb)
{
	const struct candidate *a = va, *b = vb;
	enum key k = decisive(a, b);

	if (a->key[k] == b->key[k])
		return 0;
	return a->key[k] < b->key[k] ? -1 : 1;
}

/* On what the policy's numbers rest, and what made the difference. */
static const char *
basis(const struct place_device *first, const struct place_device *second,
    const struct place_job *j, const struct candidate *c)
{
	if (first->built && !second->built && c[1].key[KEY_COST] -
	    c[0].key[KEY_COST] <= build_ns(second, j))
		return ", as its programs are built there";
	return first->job_ns > 0 ? ", by what was learned" : "";
}

static void
explain(const struct place_policy *p, const struct place_device *all,
    const struct candidate *c, unsigned n, const struct place_job *j,
    char reason[PLACE_REASON_MAX])
{
	enum key k;

	if (n < 2) {
		snprintf(reason, PLACE_REASON_MAX, "the only one");
		return;
	}
	k = decisive(&c[0], &c[1]);
	if (k == KEY_COST)
		snprintf(reason, PLACE_REASON_MAX, "%s: %" PRIu64 " %s, where "
		    "device %u has %" PRIu64 "%s", p->name, c[0].key[k],
		    p->unit, all[c[1].place].number, c[1].key[k],
		    p->done ? basis(&all[c[0].place], &all[c[1].place], j, c) :
		    "");
	else
		snprintf(reason, PLACE_REASON_MAX, "%s: %s, before device %u",
		    p->name, k == KEY_RANK ? p->rank : key_names[k],
		    all[c[1].place].number);
}

void
place_order(const struct place_policy *p, const struct place_device *all,
    unsigned n, const struct place_job *j, unsigned *out,
    char reason[PLACE_REASON_MAX])
{
	struct candidate *c = calloc(n + 1, sizeof(*c));
	unsigned i;

	if (c == NULL)
		abort(); /* a few kilobytes, in the parent */
	for (i = 0; i < n; i++) {
		c[i].place = i;
		fill(&c[i], p, &all[i], j);
	}
	qsort(c, n, sizeof(*c), compare);
	for (i = 0; i < n; i++)
		out[i] = c[i].place;
	if (reason != NULL)
		explain(p, all, c, n, j, reason);
	free(c);
}
