/* SPDX-License-Identifier: ISC */
#include "hostd/balance.h"

#include <stddef.h>

static bool
is_gross(const struct balance_device *from, const struct balance_device *to)
{
	return !from->shut && !to->shut && from->class == to->class &&
	    from->card != to->card &&
	    from->working >= 2 * (to->working + 1);
}

/* The most crowded device, and of those that it could go to the emptiest. */
static bool
find(const struct balance_device *d, unsigned n, struct balance_pair *out)
{
	const struct balance_device *from = NULL, *to = NULL;
	unsigned i, k;

	for (i = 0; i < n; i++)
		for (k = 0; k < n; k++)
			if (is_gross(&d[i], &d[k]) && (from == NULL ||
			    d[i].working > from->working ||
			    (d[i].working == from->working &&
			    d[k].working < to->working))) {
				from = &d[i];
				to = &d[k];
			}
	if (from == NULL)
		return false;
	*out = (struct balance_pair){ from->device, to->device };
	return true;
}

bool
balance_look(struct balance *b, const struct balance_device *d, unsigned n,
    struct balance_pair *out)
{
	struct balance_pair found;

	if (b->rest > 0) {
		b->rest--;
		return false;
	}
	if (!find(d, n, &found)) {
		b->looks = 0;
		return false;
	}
	if (b->looks == 0 || found.from != b->last.from ||
	    found.to != b->last.to)
		b->looks = 0;
	b->last = found;
	if (++b->looks < BALANCE_LOOKS)
		return false;
	b->looks = 0;
	b->rest = BALANCE_REST;
	*out = found;
	return true;
}
