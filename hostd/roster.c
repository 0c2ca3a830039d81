/* SPDX-License-Identifier: ISC */
#include "hostd/roster.h"

#include <CL/cl_ext.h>

#include <stdlib.h>
#include <string.h>

#include "common/buf.h"
#include "common/sha256.h"

struct roster {
	uint8_t key[POOL_DEVICES_MAX][SHA256_LEN];
	unsigned count;
};

struct roster *
roster_new(void)
{
	return calloc(1, sizeof(struct roster));
}

void
roster_free(struct roster *r)
{
	free(r);
}

static const char *
name_of(const struct pool_device *d)
{
	return infoset_text(&d->info, CL_DEVICE_NAME, "");
}

/* How many of its name come before it from its vendor. */
static uint32_t
ordinal(const struct pool *p, unsigned i)
{
	const struct pool_device *d = &p->devices[i], *other;
	uint32_t n = 0;
	unsigned k;

	for (k = 0; k < i; k++) {
		other = &p->devices[k];
		n += other->vendor == d->vendor &&
		    strcmp(name_of(other), name_of(d)) == 0;
	}
	return n;
}

static enum vgpu_err
make_key(const struct pool *p, unsigned i, uint8_t out[SHA256_LEN])
{
	const struct pool_device *d = &p->devices[i];
	const char *icd = p->vendors[d->vendor].icd;
	uint32_t place = ordinal(p, i);
	enum vgpu_err rc = VGPU_ENOMEM;
	const void *id;
	struct buf b;
	size_t n;

	if ((id = infoset_find(&d->info, CL_DEVICE_PCI_BUS_INFO_KHR, &n)) ==
	    NULL && (id = infoset_find(&d->info, CL_DEVICE_UUID_KHR, &n)) ==
	    NULL) {
		id = &place;
		n = sizeof(place);
	}
	buf_init(&b);
	buf_append(&b, icd, strlen(icd) + 1);
	buf_append(&b, name_of(d), strlen(name_of(d)) + 1);
	buf_append(&b, id, n);
	if (!b.failed)
		rc = sha256(buf_front(&b), buf_len(&b), out);
	buf_fini(&b);
	return rc;
}

enum vgpu_err
roster_number(struct roster *r, struct pool *p)
{
	bool taken[POOL_DEVICES_MAX] = { false };
	uint8_t key[SHA256_LEN];
	enum vgpu_err rc;
	unsigned i, k;

	for (i = 0; i < p->device_count; i++) {
		if ((rc = make_key(p, i, key)) != VGPU_OK)
			return rc;
		/* two that have one UUID are two all the same */
		for (k = 0; k < r->count; k++)
			if (!taken[k] && memcmp(r->key[k], key, SHA256_LEN) ==
			    0)
				break;
		if (k == POOL_DEVICES_MAX)
			return VGPU_EQUOTA;
		if (k == r->count)
			memcpy(r->key[r->count++], key, SHA256_LEN);
		taken[k] = true;
		p->devices[i].index = k;
	}
	return VGPU_OK;
}
