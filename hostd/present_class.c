/* SPDX-License-Identifier: ISC */
#include "hostd/present_class.h"

#include <CL/cl_ext.h>
#include <stdlib.h>
#include <string.h>

#include "common/sha256.h"
#include "hostd/extension.h"
#include "hostd/view.h"

static const char bus_extension[] = "cl_khr_pci_bus_info";

static void
put_uuid(struct infoset *out, const uint8_t fingerprint[FINGERPRINT_LEN])
{
	static const char what[] = "vgpu class device";
	uint8_t bytes[FINGERPRINT_LEN + sizeof(what)], hash[SHA256_LEN];

	memcpy(bytes, fingerprint, FINGERPRINT_LEN);
	memcpy(bytes + FINGERPRINT_LEN, what, sizeof(what));
	if (sha256(bytes, sizeof(bytes), hash) == VGPU_OK)
		infoset_put(out, CL_DEVICE_UUID_KHR, hash, CL_UUID_SIZE_KHR);
}

/* The lowest, whichever member comes first. */
static void
put_vendor_id(struct infoset *out, const struct vdevice *d)
{
	uint32_t lowest = UINT32_MAX, id;
	unsigned i;

	for (i = 0; i < d->member_count; i++) {
		id = infoset_u32(&d->member[i]->pool->info,
		    CL_DEVICE_VENDOR_ID, UINT32_MAX);
		if (id < lowest)
			lowest = id;
	}
	infoset_put_u32(out, CL_DEVICE_VENDOR_ID, lowest);
}

bool
class_put(struct infoset *out, const struct vdevice *d, uint32_t param,
    const void *p, size_t n, const uint8_t fingerprint[FINGERPRINT_LEN])
{
	switch (param) {
	case CL_DEVICE_VENDOR_ID:
		put_vendor_id(out, d);
		return true;
	case CL_DEVICE_UUID_KHR:
		put_uuid(out, fingerprint);
		return true;
	case CL_DEVICE_LUID_VALID_KHR:
		infoset_put_u32(out, param, CL_FALSE);
		return true;
	case CL_DEVICE_LUID_KHR:
	case CL_DEVICE_NODE_MASK_KHR:
		return false; /* have no meaning without a valid LUID */
	case CL_DEVICE_EXTENSIONS:
	case CL_DEVICE_EXTENSIONS_WITH_VERSION:
		extension_put_without(out, param, p, n, bus_extension);
		return true;
	default:
		return view_is_identity(param);
	}
}

static int
compare(const void *a, const void *b)
{
	return memcmp(a, b, SHA256_LEN);
}

/* A member's identity; its number where the vendor has no other. */
static void
identify(const struct vdevice *m, uint8_t out[SHA256_LEN])
{
	const struct pool_device *d = m->pool;
	struct infoset own;
	uint32_t param;
	size_t at = 0, n;
	const void *p;

	infoset_init(&own);
	infoset_put_u32(&own, 0, d->platform);
	infoset_put_u32(&own, 0, d->device);
	while ((p = infoset_next(&d->info, &at, &param, &n)) != NULL)
		if (param == CL_DEVICE_UUID_KHR ||
		    param == CL_DEVICE_PCI_BUS_INFO_KHR)
			infoset_put(&own, param, p, n);
	memset(out, 0, SHA256_LEN);
	sha256(infoset_bytes(&own), infoset_size(&own), out);
	infoset_fini(&own);
}

void
class_mark(const struct vdevice *d, uint8_t mark[FINGERPRINT_LEN])
{
	uint8_t (*all)[SHA256_LEN] = calloc(d->member_count + 1, SHA256_LEN);
	unsigned i;

	if (all == NULL)
		return;
	for (i = 0; i < d->member_count; i++)
		identify(d->member[i], all[i]);
	qsort(all, d->member_count, SHA256_LEN, compare);
	memcpy(all[d->member_count], mark, FINGERPRINT_LEN);
	sha256(all, (d->member_count + 1) * SHA256_LEN, mark);
	free(all);
}
