/* SPDX-License-Identifier: ISC */
#include "hostd/pool.h"

#include <CL/cl.h>

#include <string.h>

static bool
same_set(const struct infoset *a, const struct infoset *b)
{
	size_t at_a = 0, at_b = 0, n_a, n_b;
	const void *p_a, *p_b;
	uint32_t key_a, key_b;

	for (;;) {
		p_a = infoset_next(a, &at_a, &key_a, &n_a);
		p_b = infoset_next(b, &at_b, &key_b, &n_b);
		if (p_a == NULL || p_b == NULL)
			return p_a == p_b;
		if (key_a != key_b)
			return false;
		if (key_a != CL_DEVICE_MAX_CLOCK_FREQUENCY && (n_a != n_b ||
		    memcmp(p_a, p_b, n_a) != 0))
			return false;
	}
}

static bool
same_device(const struct pool *a, const struct pool *b, unsigned i)
{
	const struct pool_device *d = &a->devices[i], *e = &b->devices[i];
	const struct pool_vendor *v = &a->vendors[d->vendor];
	const struct pool_vendor *w = &b->vendors[e->vendor];

	return strcmp(v->icd, w->icd) == 0 && v->apart == w->apart &&
	    d->index == e->index && d->platform == e->platform &&
	    d->device == e->device && d->fallback == e->fallback &&
	    d->simulator == e->simulator && d->card == e->card &&
	    same_set(&d->info, &e->info) &&
	    same_set(&d->platform_info, &e->platform_info);
}

bool
pool_same(const struct pool *a, const struct pool *b)
{
	unsigned i;

	if (a->device_count != b->device_count)
		return false;
	for (i = 0; i < a->device_count; i++)
		if (!same_device(a, b, i))
			return false;
	return true;
}
