/* SPDX-License-Identifier: ISC */
#include "hostd/bind.h"

#include <string.h>

#include "hostd/channel.h"

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

/* The devices that could run it instead, to out. */
static unsigned
others(const struct serve *s, const struct vdevice *d, struct vdevice **out)
{
	const struct vdevice *class = d->class;
	unsigned i, n = 0;

	(void)s;
	for (i = 0; class != NULL && i < class->member_count; i++)
		if (class->member[i] != d)
			out[n++] = class->member[i];
	return n;
}

bool
bind_has_other(const struct serve *s, const struct vdevice *d)
{
	struct vdevice *other[POOL_DEVICES_MAX];

	return others(s, d, other) > 0;
}

struct vdevice *
bind_elsewhere(struct serve *s, const struct vdevice *d, uint32_t to)
{
	struct vdevice *other[POOL_DEVICES_MAX];
	unsigned i, kept = 0, n = others(s, d, other);

	for (i = 0; i < n; i++)
		if (!is_shut(other[i]) && (to == MOVE_ANYWHERE ||
		    other[i]->pool->index == to))
			other[kept++] = other[i];
	return kept > 0 ? choose(s, other, kept) : NULL;
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
