/* SPDX-License-Identifier: ISC */
#include "hostd/pool.h"

#include <CL/cl.h>

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
	v->reason = reason == NULL ? NULL : strdup(reason);
	*index = p->vendor_count++;
	if (v->icd == NULL || v->name == NULL ||
	    (reason != NULL && v->reason == NULL))
		return VGPU_ENOMEM;
	return VGPU_OK;
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
}

/* Devices of a lower class come first, whatever their load. */
static unsigned
device_class(const struct pool_device *d)
{
	if (d->simulator)
		return 3;
	if (d->fallback)
		return 2;
	return (device_type(d) & (uint64_t)CL_DEVICE_TYPE_CPU) != 0;
}

static uint64_t
device_speed(const struct pool_device *d)
{
	return (uint64_t)infoset_u32(&d->info, CL_DEVICE_MAX_COMPUTE_UNITS,
	    0) * infoset_u32(&d->info, CL_DEVICE_MAX_CLOCK_FREQUENCY, 0);
}

struct rank {
	unsigned device;
	unsigned class;
	unsigned load;
	uint64_t speed;
};

static int
rank_compare(const void *va, const void *vb)
{
	const struct rank *a = va, *b = vb;

	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	if (a->load != b->load)
		return a->load < b->load ? -1 : 1;
	if (a->speed != b->speed)
		return a->speed > b->speed ? -1 : 1;
	return a->device < b->device ? -1 : a->device > b->device;
}

void
pool_order(const struct pool *p, const unsigned *loads, unsigned *out)
{
	static struct rank ranks[POOL_DEVICES_MAX];
	const struct pool_device *d;
	unsigned i;

	for (i = 0; i < p->device_count; i++) {
		d = &p->devices[i];
		ranks[i] = (struct rank){ i, device_class(d), loads[i],
			device_speed(d) };
	}
	qsort(ranks, p->device_count, sizeof(ranks[0]), rank_compare);
	for (i = 0; i < p->device_count; i++)
		out[i] = ranks[i].device;
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
