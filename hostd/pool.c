/* SPDX-License-Identifier: ISC */
#include "hostd/pool.h"

#include <CL/cl_ext.h>

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pool *
pool_new(void)
{
	return calloc(1, sizeof(struct pool));
}

static void
device_fini(struct pool_device *d)
{
	infoset_fini(&d->info);
	infoset_fini(&d->platform_info);
}

void
pool_free(struct pool *p)
{
	unsigned i;

	if (p == NULL)
		return;
	for (i = 0; i < p->vendor_count; i++) {
		free(p->vendors[i].icd);
		free(p->vendors[i].name);
		free(p->vendors[i].reason);
	}
	for (i = 0; i < p->device_count; i++)
		device_fini(&p->devices[i]);
	for (i = 0; i < p->apart_count; i++)
		free(p->aparts[i].reason);
	free(p->aparts);
	free(p->vendors);
	free(p->devices);
	free(p);
}

/* "/etc/OpenCL/vendors/pocl.icd" is "pocl" to people. */
static char *
short_name(const char *icd)
{
	const char *base = strrchr(icd, '/'), *end;

	base = base == NULL ? icd : base + 1;
	end = strrchr(base, '.');
	return strndup(base, end == NULL ? strlen(base) : (size_t)(end - base));
}

enum vgpu_err
pool_add_vendor(struct pool *p, const char *icd, const char *reason,
    unsigned *index)
{
	struct pool_vendor *all, *v;

	if (p->vendor_count == POOL_VENDORS_MAX)
		return VGPU_EQUOTA;
	all = realloc(p->vendors, (p->vendor_count + 1) * sizeof(*all));
	if (all == NULL)
		return VGPU_ENOMEM;
	p->vendors = all;
	v = &all[p->vendor_count];
	v->icd = strdup(icd);
	v->name = short_name(icd);
	v->usable = reason == NULL;
	v->apart = false;
	v->reason = reason == NULL ? NULL : strdup(reason);
	*index = p->vendor_count++;
	if (v->icd == NULL || v->name == NULL ||
	    (reason != NULL && v->reason == NULL))
		return VGPU_ENOMEM;
	return VGPU_OK;
}

enum vgpu_err
pool_add_apart(struct pool *p, unsigned a, unsigned b, const char *reason)
{
	struct pool_apart *all;

	if (p->apart_count == POOL_APARTS_MAX)
		return VGPU_EQUOTA;
	all = realloc(p->aparts, (p->apart_count + 1) * sizeof(*all));
	if (all == NULL)
		return VGPU_ENOMEM;
	p->aparts = all;
	all[p->apart_count].a = a;
	all[p->apart_count].b = b;
	if ((all[p->apart_count].reason = strdup(reason)) == NULL)
		return VGPU_ENOMEM;
	p->apart_count++;
	p->vendors[a].apart = p->vendors[b].apart = true;
	return VGPU_OK;
}

enum vgpu_err
pool_exclude_vendor(struct pool *p, unsigned vendor, const char *reason)
{
	struct pool_vendor *v = &p->vendors[vendor];
	char *copy = strdup(reason);
	unsigned i, kept = 0;

	if (copy == NULL)
		return VGPU_ENOMEM;
	free(v->reason);
	v->reason = copy;
	v->usable = false;
	for (i = 0; i < p->device_count; i++) {
		if (p->devices[i].vendor == vendor) {
			device_fini(&p->devices[i]);
			continue;
		}
		p->devices[kept] = p->devices[i];
		p->devices[kept].index = kept;
		kept++;
	}
	p->device_count = kept;
	return VGPU_OK;
}

const char *
pool_apart(const struct pool *p, unsigned a, unsigned b)
{
	const struct pool_apart *x;
	unsigned i;

	for (i = 0; i < p->apart_count; i++) {
		x = &p->aparts[i];
		if ((x->a == a && x->b == b) || (x->a == b && x->b == a))
			return x->reason;
	}
	return NULL;
}

static enum vgpu_err
copy_set(struct infoset *to, const struct infoset *from)
{
	infoset_init(to);
	return infoset_load(to, infoset_bytes(from), infoset_size(from), NULL);
}

enum vgpu_err
pool_add_device(struct pool *p, unsigned vendor, unsigned platform,
    unsigned device, const struct infoset *info,
    const struct infoset *platform_info)
{
	struct pool_device *all, *d;

	if (p->device_count == POOL_DEVICES_MAX)
		return VGPU_EQUOTA;
	all = realloc(p->devices, (p->device_count + 1) * sizeof(*all));
	if (all == NULL)
		return VGPU_ENOMEM;
	p->devices = all;
	d = &all[p->device_count];
	memset(d, 0, sizeof(*d));
	d->index = p->device_count;
	d->vendor = vendor;
	d->platform = platform;
	d->device = device;
	if (copy_set(&d->info, info) != VGPU_OK ||
	    copy_set(&d->platform_info, platform_info) != VGPU_OK) {
		device_fini(d);
		return VGPU_ENOMEM;
	}
	p->device_count++;
	return VGPU_OK;
}

static uint64_t
device_type(const struct pool_device *d)
{
	return infoset_u64(&d->info, CL_DEVICE_TYPE, 0);
}

/*
 * Oclgrind claims to be of every type at once, so that whatever a program
 * asks for, it is found.  No real device is of three types.
 */
static bool
is_simulator(const struct pool_device *d)
{
	const uint64_t every = CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
	    CL_DEVICE_TYPE_ACCELERATOR;

	return (device_type(d) & every) == every;
}

static bool
is_pocl_cpu(const struct pool_device *d)
{
	const char *name = infoset_text(&d->platform_info, CL_PLATFORM_NAME,
	    "");

	return (device_type(d) & CL_DEVICE_TYPE_CPU) != 0 &&
	    strcmp(name, "Portable Computing Language") == 0;
}

/* ---- cards --------------------------------------------------------------- */

/* Of a device with an address on a bus, that; n is 0 where it has none. */
static const void *
bus_address(const struct pool_device *d, size_t *n)
{
	const void *p = infoset_find(&d->info, CL_DEVICE_PCI_BUS_INFO_KHR, n);

	if (p == NULL)
		*n = 0;
	return p;
}

static bool
same_card(const struct pool_device *a, const struct pool_device *b)
{
	const void *p_a, *p_b;
	size_t n_a, n_b;

	if (pool_rank(a) > 0 && pool_rank(b) > 0)
		return true;
	p_a = bus_address(a, &n_a);
	p_b = bus_address(b, &n_b);
	return n_a > 0 && n_a == n_b && memcmp(p_a, p_b, n_a) == 0;
}

static unsigned
card_of(const struct pool *p, unsigned i)
{
	unsigned k;

	for (k = 0; k < i; k++)
		if (same_card(&p->devices[k], &p->devices[i]))
			return p->devices[k].card;
	return i;
}

void
pool_finish(struct pool *p)
{
	struct pool_device *d;
	unsigned i, real = 0;

	for (i = 0; i < p->device_count; i++) {
		d = &p->devices[i];
		d->simulator = is_simulator(d);
		real += !d->simulator && !is_pocl_cpu(d);
	}
	for (i = 0; i < p->device_count; i++) {
		d = &p->devices[i];
		d->fallback = real > 0 && !d->simulator && is_pocl_cpu(d);
	}
	for (i = 0; i < p->device_count; i++)
		p->devices[i].card = card_of(p, i);
}

unsigned
pool_rank(const struct pool_device *d)
{
	if (d->simulator)
		return 3;
	if (d->fallback)
		return 2;
	return (device_type(d) & (uint64_t)CL_DEVICE_TYPE_CPU) != 0;
}

uint64_t
pool_speed(const struct pool_device *d)
{
	return (uint64_t)infoset_u32(&d->info, CL_DEVICE_MAX_COMPUTE_UNITS,
	    0) * infoset_u32(&d->info, CL_DEVICE_MAX_CLOCK_FREQUENCY, 0);
}

const struct pool_device *
pool_find(const struct pool *p, unsigned index)
{
	unsigned i;

	for (i = 0; i < p->device_count; i++)
		if (p->devices[i].index == index)
			return &p->devices[i];
	return NULL;
}

bool
pool_matches(const struct pool *p, const struct pool_device *d,
    const char *pattern)
{
	return fnmatch(pattern, infoset_text(&d->info, CL_DEVICE_NAME, ""),
	    FNM_CASEFOLD) == 0 || fnmatch(pattern,
	    p->vendors[d->vendor].name, FNM_CASEFOLD) == 0;
}

const struct pool_device *
pool_first(const struct pool *p)
{
	const struct pool_device *first = NULL, *d;
	unsigned i;

	for (i = 0; i < p->device_count; i++) {
		d = &p->devices[i];
		if (first == NULL || pool_rank(d) < pool_rank(first) ||
		    (pool_rank(d) == pool_rank(first) &&
		    pool_speed(d) > pool_speed(first)))
			first = d;
	}
	return first;
}

void
pool_select(struct pool *p, const unsigned *order, unsigned n)
{
	struct pool_device *old = p->devices, *now;
	bool taken[POOL_DEVICES_MAX] = { false };
	unsigned i, kept = 0;

	if ((now = calloc(p->device_count + 1, sizeof(*now))) == NULL)
		abort(); /* at the start of a session: its parent is told */
	for (i = 0; i < n; i++) {
		if (order[i] >= p->device_count || taken[order[i]])
			continue;
		taken[order[i]] = true;
		now[kept++] = old[order[i]];
	}
	for (i = 0; i < p->device_count; i++)
		if (!taken[i])
			device_fini(&old[i]);
	free(old);
	p->devices = now;
	p->device_count = kept;
}
