/* SPDX-License-Identifier: ISC */
#include "hostd/pool.h"

#include <string.h>

/* Entries of an encoded pool, and of the vendor or device inside one. */
enum { ENTRY_VENDOR = 1, ENTRY_DEVICE };
enum { VENDOR_ICD = 1, VENDOR_REASON, VENDOR_APART };
enum { DEVICE_PLACE = 1, DEVICE_FLAGS, DEVICE_INFO, DEVICE_PLATFORM_INFO };
enum { FLAG_FALLBACK = 1, FLAG_SIMULATOR = 2 };

struct place {
	uint32_t index;
	uint32_t vendor;
	uint32_t platform;
	uint32_t device;
};

static void
encode_vendor(const struct pool_vendor *v, struct infoset *out)
{
	struct infoset one;

	infoset_init(&one);
	infoset_put_text(&one, VENDOR_ICD, v->icd);
	if (!v->usable)
		infoset_put_text(&one, VENDOR_REASON, v->reason);
	if (v->apart)
		infoset_put_u32(&one, VENDOR_APART, 1);
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
	enum vgpu_err rc;
	unsigned index;

	if (icd == NULL)
		return err_set(text, VGPU_EPROTO, "pool: vendor without file");
	rc = pool_add_vendor(p, icd, infoset_text(one, VENDOR_REASON, NULL),
	    &index);
	if (rc == VGPU_OK)
		p->vendors[index].apart = infoset_u32(one, VENDOR_APART, 0) !=
		    0;
	return rc;
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
