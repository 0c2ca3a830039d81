/* SPDX-License-Identifier: ISC */
#include "hostd/bind.h"

#include "hostd/channel.h"

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

static struct vdevice *
choose(struct serve *s, struct vdevice *const *candidate, unsigned n)
{
	unsigned index[POOL_DEVICES_MAX], i, chosen;

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
		if (fits(d->member[k], list, i, bound))
			candidate[n++] = d->member[k];
	for (k = 0; n == 0 && k < d->member_count; k++)
		candidate[k] = d->member[k];
	if (n == 0 && (n = d->member_count) == 0)
		return NULL;
	for (k = 0; k < n; k++)
		if (has_part(candidate[k], list))
			m = candidate[k];
	if (m != NULL || s->start.place == NULL) {
		m = m != NULL ? m : candidate[0];
		channel_report_device(m->pool->index, 1);
	} else {
		m = choose(s, candidate, n);
	}
	d->bound = m;
	return m;
}

struct vdevice *
bind_begin(struct serve *s, const struct span *list, unsigned i,
    struct vdevice *const *bound)
{
	struct vdevice *d = span_objects(list)[i];

	if (d->member_count > 0)
		return bind_class(s, d, list, i, bound);
	channel_report_device(d->pool->index, 1);
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

	for (i = 0; d != NULL && d->member_count > 0 && i < c->device_count;
	    i++)
		if (c->devices[i]->class == d)
			return c->devices[i];
	return d;
}
