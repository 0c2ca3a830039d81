/* SPDX-License-Identifier: ISC */
#include "hostd/pool.h"

#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Entries of an encoded pool, and of the vendor or device inside one. */
enum { ENTRY_VENDOR = 1, ENTRY_DEVICE };
enum { VENDOR_ICD = 1, VENDOR_REASON };
enum { DEVICE_PLACE = 1, DEVICE_FLAGS, DEVICE_INFO, DEVICE_PLATFORM_INFO };
enum { FLAG_FALLBACK = 1, FLAG_SIMULATOR = 2 };

struct place {
	uint32_t index;
	uint32_t vendor;
	uint32_t platform;
	uint32_t device;
};

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

static void
encode_vendor(const struct pool_vendor *v, struct infoset *out)
{
	struct infoset one;

	infoset_init(&one);
	infoset_put_text(&one, VENDOR_ICD, v->icd);
	if (!v->usable)
		infoset_put_text(&one, VENDOR_REASON, v->reason);
	infoset_put_set(out, ENTRY_VENDOR, &one);
	infoset_fini(&one);
}

static void
encode_device(const struct pool_device *d, struct infoset *out)
{
	struct place place = { d->index, d->vendor, d->platform, d->device };
	struct infoset one;

	infoset_init(&one);
	infoset_put(&one, DEVICE_PLACE, &place, sizeof(place));
	infoset_put_u32(&one, DEVICE_FLAGS,
	    (d->fallback ? FLAG_FALLBACK : 0) |
	    (d->simulator ? FLAG_SIMULATOR : 0));
	infoset_put_set(&one, DEVICE_INFO, &d->info);
	infoset_put_set(&one, DEVICE_PLATFORM_INFO, &d->platform_info);
	infoset_put_set(out, ENTRY_DEVICE, &one);
	infoset_fini(&one);
}

void
pool_encode(const struct pool *p, struct infoset *out)
{
	unsigned i;

	for (i = 0; i < p->vendor_count; i++)
		encode_vendor(&p->vendors[i], out);
	for (i = 0; i < p->device_count; i++)
		encode_device(&p->devices[i], out);
}

static enum vgpu_err
decode_vendor(struct pool *p, const struct infoset *one, struct err_text *text)
{
	const char *icd = infoset_text(one, VENDOR_ICD, NULL);
	unsigned index;

	if (icd == NULL)
		return err_set(text, VGPU_EPROTO, "pool: vendor without file");
	return pool_add_vendor(p, icd, infoset_text(one, VENDOR_REASON, NULL),
	    &index);
}

/* A set inside a set; missing is malformed. */
static enum vgpu_err
inner_set(const struct infoset *in, uint32_t param, struct infoset *out,
    struct err_text *text)
{
	const void *p;
	size_t n;

	if ((p = infoset_find(in, param, &n)) == NULL)
		return err_set(text, VGPU_EPROTO, "pool: entry %u is missing",
		    param);
	return infoset_load(out, p, n, text);
}

static enum vgpu_err
decode_device(struct pool *p, const struct infoset *one, struct err_text *text)
{
	struct infoset info, platform;
	struct pool_device *d;
	struct place place;
	enum vgpu_err rc;
	const void *at;
	uint32_t flags = infoset_u32(one, DEVICE_FLAGS, 0);
	size_t n;

	at = infoset_find(one, DEVICE_PLACE, &n);
	if (at == NULL || n != sizeof(place))
		return err_set(text, VGPU_EPROTO, "pool: device without place");
	memcpy(&place, at, n);
	if (place.vendor >= p->vendor_count)
		return err_set(text, VGPU_EPROTO, "pool: device of vendor %u, "
		    "of %u", place.vendor, p->vendor_count);
	infoset_init(&info);
	infoset_init(&platform);
	if ((rc = inner_set(one, DEVICE_INFO, &info, text)) == VGPU_OK &&
	    (rc = inner_set(one, DEVICE_PLATFORM_INFO, &platform, text)) ==
	    VGPU_OK)
		rc = pool_add_device(p, place.vendor, place.platform,
		    place.device, &info, &platform);
	infoset_fini(&info);
	infoset_fini(&platform);
	if (rc != VGPU_OK)
		return rc;
	d = &p->devices[p->device_count - 1];
	d->index = place.index;
	d->fallback = (flags & FLAG_FALLBACK) != 0;
	d->simulator = (flags & FLAG_SIMULATOR) != 0;
	return VGPU_OK;
}

static enum vgpu_err
decode_entry(struct pool *p, uint32_t kind, const void *bytes, size_t n,
    struct err_text *text)
{
	struct infoset one;
	enum vgpu_err rc;

	infoset_init(&one);
	rc = infoset_load(&one, bytes, n, text);
	if (rc == VGPU_OK && kind == ENTRY_VENDOR)
		rc = decode_vendor(p, &one, text);
	else if (rc == VGPU_OK && kind == ENTRY_DEVICE)
		rc = decode_device(p, &one, text);
	else if (rc == VGPU_OK)
		rc = err_set(text, VGPU_EPROTO, "pool: entry %u", kind);
	infoset_fini(&one);
	return rc;
}

enum vgpu_err
pool_decode(struct pool **out, const void *bytes, size_t n,
    struct err_text *text)
{
	struct infoset set;
	struct pool *p;
	enum vgpu_err rc;
	const void *entry;
	uint32_t kind;
	size_t at = 0, size;

	infoset_init(&set);
	if ((rc = infoset_load(&set, bytes, n, text)) != VGPU_OK)
		return rc;
	if ((p = pool_new()) == NULL)
		rc = err_set(text, VGPU_ENOMEM, "out of memory");
	while (rc == VGPU_OK &&
	    (entry = infoset_next(&set, &at, &kind, &size)) != NULL)
		rc = decode_entry(p, kind, entry, size, text);
	infoset_fini(&set);
	if (rc == VGPU_OK)
		*out = p;
	else
		pool_free(p);
	return rc;
}
