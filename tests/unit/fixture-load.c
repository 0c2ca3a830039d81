/* SPDX-License-Identifier: ISC */
#include "tests/unit/fixture-load.h"

#define NEVER 1e9

static uint64_t state;

void
draw_from(uint64_t seed)
{
	state = seed;
}

uint64_t
draw(uint64_t from, uint64_t to)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return from + state % (to - from + 1);
}

double
load_bound(const struct load *l)
{
	double total = 0, fastest = 0, left = 0, bound = 0, end;
	unsigned i;

	for (i = 0; i < l->devices; i++) {
		total += l->speed[i];
		if (l->speed[i] > fastest)
			fastest = l->speed[i];
	}
	for (i = l->jobs; i-- > 0;) {
		left += l->work[i];
		end = l->at[i] + left / total;
		if (end > bound)
			bound = end;
		end = l->at[i] + l->work[i] / fastest;
		if (end > bound)
			bound = end;
	}
	return bound;
}

/* With this job and those behind it, if that is sooner than best. */
static double
best_from(const struct load *l, unsigned job, double *until, double best)
{
	double last = 0, before;
	unsigned k;

	if (job == l->jobs) {
		for (k = 0; k < l->devices; k++)
			if (until[k] > last)
				last = until[k];
		return last < best ? last : best;
	}
	for (k = 0; k < l->devices; k++) {
		before = until[k];
		until[k] = (before > l->at[job] ? before : l->at[job]) +
		    l->work[job] / l->speed[k];
		if (until[k] < best)
			best = best_from(l, job + 1, until, best);
		until[k] = before;
	}
	return best;
}

double
load_best(const struct load *l)
{
	double until[LOAD_DEVICES_MAX] = { 0 };

	return best_from(l, 0, until, NEVER);
}
