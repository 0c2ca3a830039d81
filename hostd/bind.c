/* SPDX-License-Identifier: ISC */
#include "hostd/bind.h"

#include <string.h>

#include "hostd/arena.h"
#include "hostd/channel.h"
#include "hostd/shared.h"

static uint8_t shut[POOL_DEVICES_MAX / 8];

void
bind_shut(const uint8_t bits[POOL_DEVICES_MAX / 8])
{
	memcpy(shut, bits, sizeof(shut));
}

bool
bind_is_shut(uint32_t i)
{
	return i < POOL_DEVICES_MAX && (shut[i / 8] & 1u << i % 8) != 0;
}

static bool
is_shut(const struct vdevice *d)
{
	return bind_is_shut(d->pool->index);
}

/* Can m be in a context with what may stand for d? */
static bool
can_share(const struct vdevice *m, const struct vdevice *d)
{
	unsigned i;

	for (i = 0; i < d->member_count; i++)
		if (d->member[i]->pool->vendor == m->pool->vendor)
			return true;
	return d->member_count == 0 && d->pool->vendor == m->pool->vendor;
}

static bool
fits(const struct vdevice *m, const struct span *list, unsigned i,
    struct vdevice *const *bound)
{
	uint64_t k;

	for (k = 0; k < list->n; k++)
		if (!can_share(m, k < i ? bound[k] : span_objects(list)[k]))
			return false;
	return true;
}

/* A part of it is named, too, so all of it is on the same card. */
static bool
has_part(const struct vdevice *m, const struct span *list)
{
	const struct vdevice *d;
	uint64_t k;

	for (k = 0; k < list->n; k++)
		for (d = span_objects(list)[k]; d != NULL; d = d->parent)
			if (d == m)
				return true;
	return false;
}

/* One of n, whose use is then counted. */
static struct vdevice *
choose(struct serve *s, struct vdevice *const *candidate, unsigned n)
{
	unsigned index[POOL_DEVICES_MAX], i, chosen;

	if (n <= 1 || s->start.place == NULL) {
		channel_report_device(candidate[0]->pool->index, 1);
		return candidate[0];
	}

	for (i = 0; i < n; i++)
		index[i] = candidate[i]->pool->index;
	chosen = s->start.place(index, n);
	for (i = 0; i < n; i++)
		if (index[i] == chosen)
			return candidate[i];
	return candidate[0];
}

static struct vdevice *
bind_class(struct serve *s, struct vdevice *d, const struct span *list,
    unsigned i, struct vdevice *const *bound)
{
	struct vdevice *candidate[POOL_DEVICES_MAX], *m = NULL;
	unsigned k, n = 0;

	/* Of one vendor, so that nothing has to be copied, if there is one. */
	for (k = 0; k < d->member_count; k++)
		if (fits(d->member[k], list, i, bound) &&
		    !is_shut(d->member[k]))
			candidate[n++] = d->member[k];
	if (n == 0)
		for (k = 0; k < d->member_count; k++)
			if (!is_shut(d->member[k]))
				candidate[n++] = d->member[k];
	if (n == 0)
		return NULL;
	for (k = 0; k < n; k++)
		if (has_part(candidate[k], list))
			m = candidate[k];
	d->bound = choose(s, m != NULL ? &m : candidate, m != NULL ? 1 : n);
	return d->bound;
}

struct vdevice *
bind_begin(struct serve *s, const struct span *list, unsigned i,
    struct vdevice *const *bound)
{
	struct vdevice *d = span_objects(list)[i];

	if (d->member_count > 0)
		return bind_class(s, d, list, i, bound);
	if (is_shut(d))
		return NULL;
	channel_report_device(d->pool->index, 1);
	return d;
}

/* ---- elsewhere ----------------------------------------------------------- */

struct others {
	const struct serve *serve;
	const struct vcontext *context;
	struct vdevice *device[POOL_DEVICES_MAX];
	unsigned count;
};

/*
 * What the client shares of its memory it shares for good: it was told once
 * that it can.
 */
static bool
can_stand_in(const struct serve *s, const struct vdevice *shown,
    const struct vdevice *d)
{
	return view_lacks(shown->pool, d->pool) == NULL &&
	    (!arena_is_open() || !shared_possible(s, shown) ||
	    shared_possible(s, d));
}

/* What is like the device that was shown needs no further look. */
static void
consider(struct others *o, struct vdevice *d)
{
	const struct vdevice *shown = o->context->shown[0];

	if (d != o->context->devices[0] && (d == shown || d->class == shown ||
	    can_stand_in(o->serve, shown, d)))
		o->device[o->count++] = d;
}

static void
consider_all(struct others *o, struct vdevice *d)
{
	unsigned i;

	for (i = 0; i < d->member_count; i++)
		consider(o, d->member[i]);
	if (d->member_count == 0)
		consider(o, d);
}

/* Devices of the class that was shown; or, with consent, of all others. */
static void
find_others(struct others *o, const struct serve *s,
    const struct vcontext *c, bool across)
{
	struct vdevice *shown = c->shown[0];
	unsigned i;

	o->serve = s;
	o->context = c;
	o->count = 0;
	if (!across) {
		if (shown->member_count > 0 || s->start.move_across)
			consider_all(o, shown);
		return;
	}
	for (i = 0; i < s->device_count; i++)
		if (s->devices[i] != shown)
			consider_all(o, s->devices[i]);
	for (i = 0; i < s->spare_count; i++)
		consider_all(o, s->spares[i]);
}

bool
bind_has_other(const struct serve *s, const struct vcontext *c)
{
	struct others o;

	find_others(&o, s, c, false);
	if (o.count == 0 && s->start.move_across)
		find_others(&o, s, c, true);
	return o.count > 0;
}

static struct vdevice *
choose_other(struct serve *s, struct others *o, uint32_t to)
{
	unsigned i, kept = 0;

	for (i = 0; i < o->count; i++)
		if (!is_shut(o->device[i]) && (to == MOVE_ANYWHERE ||
		    o->device[i]->pool->index == to))
			o->device[kept++] = o->device[i];
	return kept > 0 ? choose(s, o->device, kept) : NULL;
}

struct vdevice *
bind_elsewhere(struct serve *s, const struct vcontext *c, uint32_t to)
{
	struct vdevice *d;
	struct others o;

	find_others(&o, s, c, false);
	d = choose_other(s, &o, to);
	if (d == NULL && s->start.move_across) {
		find_others(&o, s, c, true);
		d = choose_other(s, &o, to);
	}
	return d;
}

void
bind_end(const struct vdevice *d)
{
	channel_report_device(d->pool->index, -1);
}

struct vdevice *
bind_find(const struct vcontext *c, struct vdevice *d)
{
	unsigned i;

	for (i = 0; i < c->device_count; i++)
		if (c->shown[i] == d)
			return c->devices[i];
	return d;
}
