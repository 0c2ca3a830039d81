/* SPDX-License-Identifier: ISC */
#include "hostd/present.h"

#include <CL/cl_ext.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostd/alias.h"
#include "hostd/arena.h"
#include "hostd/ask.h"
#include "hostd/extension.h"
#include "hostd/present_class.h"
#include "hostd/shared.h"
#include "protocol/info.h"
#include "protocol/shared.h"

/* ---- single properties ------------------------------------------------- */

static uint64_t
as_u64(const void *p, size_t n)
{
	uint64_t v = 0;

	memcpy(&v, p, n < sizeof(v) ? n : sizeof(v));
	return v;
}

static void
put_driver(const struct vdevice *d, struct infoset *out, const char *text,
    const uint8_t fingerprint[FINGERPRINT_LEN])
{
	uint8_t mark[FINGERPRINT_LEN];
	char marked[256];

	memcpy(mark, fingerprint, sizeof(mark));
	if (d->member_count > 1)
		class_mark(d, mark);
	snprintf(marked, sizeof(marked), "%s vGPU-%02x%02x%02x%02x", text,
	    mark[0], mark[1], mark[2], mark[3]);
	infoset_put_text(out, CL_DRIVER_VERSION, marked);
}

/*
 * The session accesses what it shares with the client while the device may be
 * at work on it; the client itself can't, unless it has that very memory.
 */
static uint64_t
shared_memory(const struct serve *s, const struct vdevice *d, uint64_t vendor)
{
	if (shared_possible(s, d))
		return vendor;
	return vendor & CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL ?
	    vendor & (CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL |
	    CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL) : 0;
}

/* What of the vendor's shared virtual memory works from the client. */
static uint64_t
svm_capabilities(const struct serve *s, const struct vdevice *d)
{
	uint64_t all = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;

	if (shared_possible(s, d))
		all |= CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
		    CL_DEVICE_SVM_ATOMICS;
	return all;
}

static void
put_property(const struct serve *s, const struct vdevice *d,
    struct infoset *out, uint32_t param, const void *p, size_t n,
    const uint8_t *fingerprint)
{
	char name[ALIAS_MAX];

	if (d->member_count > 1 && class_put(out, d, param, p, n,
	    fingerprint))
		return;
	switch (param) {
	case CL_DEVICE_NAME:
		infoset_put_text(out, param, alias_name(s->start.names, p,
		    name, sizeof(name)));
		break;
	case CL_DEVICE_EXECUTION_CAPABILITIES:
		infoset_put_u64(out, param, as_u64(p, n) &
		    ~(uint64_t)CL_EXEC_NATIVE_KERNEL);
		break;
	case CL_DEVICE_SVM_CAPABILITIES:
		infoset_put_u64(out, param, as_u64(p, n) &
		    svm_capabilities(s, d));
		break;
	case CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL:
	case CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
	case CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL:
		infoset_put_u64(out, param, shared_memory(s, d, as_u64(p, n)));
		break;
	case CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL:
		infoset_put_u64(out, param, 0);
		break;
	case CL_DEVICE_TYPE:
		infoset_put_u64(out, param, s->present_as != 0 &&
		    (as_u64(p, n) & CL_DEVICE_TYPE_CPU) ? s->present_as :
		    as_u64(p, n));
		break;
	case CL_DRIVER_VERSION:
		put_driver(d, out, p, fingerprint);
		break;
	default:
		infoset_put(out, param, p, n);
		break;
	}
}

/* ---- devices ----------------------------------------------------------- */

/*
 * What binaries depend on: vendor, device and driver.  Two daemons with the
 * same have the same, so binaries of one work on the other.
 */
static void
fingerprint(const struct infoset *info, uint8_t out[FINGERPRINT_LEN])
{
	static const uint32_t params[] = { CL_DEVICE_VENDOR, CL_DEVICE_NAME,
		CL_DEVICE_VERSION, CL_DRIVER_VERSION };
	EVP_MD_CTX *md = EVP_MD_CTX_new();
	const char *text;
	size_t i;

	memset(out, 0, FINGERPRINT_LEN);
	if (md == NULL)
		return;
	EVP_DigestInit_ex(md, EVP_sha256(), NULL);
	for (i = 0; i < sizeof(params) / sizeof(params[0]); i++) {
		text = infoset_text(info, params[i], "");
		EVP_DigestUpdate(md, text, strlen(text) + 1);
	}
	EVP_DigestFinal_ex(md, out, NULL);
	EVP_MD_CTX_free(md);
}

/*
 * A sub-device's properties are not in the pool: ask the vendor, for all but
 * extensions, which are the root device's.
 */
static void
read_sub_device(cl_device_id device, const struct infoset *root,
    struct infoset *info)
{
	const void *p;
	uint32_t param;
	unsigned i;
	size_t n;

	for (i = 0; i < info_device_count; i++) {
		param = info_device[i].param;
		if (info_device[i].type != INFO_OWN &&
		    param != CL_DEVICE_EXTENSIONS &&
		    param != CL_DEVICE_EXTENSIONS_WITH_VERSION)
			ask_put(ask_device, device, &info_device[i], info);
		else if ((p = infoset_find(root, param, &n)) != NULL)
			infoset_put(info, param, p, n);
	}
}

void
present_device(struct serve *s, const struct vdevice *d, struct buf *out)
{
	struct infoset own, shown;
	const struct infoset *info = &d->pool->info;
	uint8_t print[FINGERPRINT_LEN];
	struct msg_device_record r = { .vendor = d->pool->vendor,
		.fingerprint = { print, sizeof(print) } };
	uint32_t param;
	size_t at = 0, n;
	const void *p;

	infoset_init(&own);
	infoset_init(&shown);
	fingerprint(info, print);
	if (d->parent != NULL) {
		read_sub_device(d->device, info, &own);
		info = &own;
	}
	while ((p = infoset_next(info, &at, &param, &n)) != NULL)
		put_property(s, d, &shown, param, p, n, print);
	if (arena_is_open() && shared_possible(s, d))
		infoset_put_u32(&shown, DEVICE_SHARES_MEMORY, 1);
	r.info = (struct span){ infoset_bytes(&shown), infoset_size(&shown) };
	buf_init(out);
	codec_encode(out, desc_device_record.fields,
	    desc_device_record.field_count, &r);
	infoset_fini(&own);
	infoset_fini(&shown);
}

/* ---- the platform ------------------------------------------------------ */

/* No version above that of any device (programs choose -cl-std by it). */
static cl_version
platform_version(const struct serve *s)
{
	cl_version lowest = CL_MAKE_VERSION(3, 0, 0), v;
	unsigned i, major, minor;

	for (i = 0; i < s->device_count; i++) {
		major = 1;
		minor = 0;
		sscanf(infoset_text(&s->devices[i]->pool->info,
		    CL_DEVICE_VERSION, ""), "OpenCL %u.%u", &major, &minor);
		v = CL_MAKE_VERSION(major, minor, 0);
		if (v < lowest)
			lowest = v;
	}
	return lowest;
}

/* The vendor's text after "OpenCL M.N ", as programs look for it there. */
static const char *
vendor_text(const struct serve *s)
{
	const char *text, *p;

	if (s->device_count == 0)
		return "";
	text = infoset_text(&s->devices[0]->pool->platform_info,
	    CL_PLATFORM_VERSION, "");
	if (strncmp(text, "OpenCL ", 7) != 0 ||
	    (p = strchr(text + 7, ' ')) == NULL)
		return "";
	return p + 1;
}

/* Host timers work only where each device's platform has them. */
static uint64_t
timer_resolution(const struct serve *s)
{
	uint64_t coarsest = 0, v;
	unsigned i;

	for (i = 0; i < s->device_count; i++) {
		v = infoset_u64(&s->devices[i]->pool->platform_info,
		    CL_PLATFORM_HOST_TIMER_RESOLUTION, 0);
		if (v == 0)
			return 0;
		if (v > coarsest)
			coarsest = v;
	}
	return coarsest;
}

static void
put_extensions(const struct serve *s, struct infoset *out, bool versions)
{
	const struct infoset *info[POOL_DEVICES_MAX];
	unsigned i;

	for (i = 0; i < s->device_count; i++)
		info[i] = &s->devices[i]->pool->info;
	extension_common(out, info, s->device_count, versions);
}

void
present_platform(struct serve *s, struct infoset *out)
{
	cl_version v = platform_version(s);
	char text[512];

	infoset_init(out);
	snprintf(text, sizeof(text), "OpenCL %u.%u %s%svGPU %s",
	    CL_VERSION_MAJOR(v), CL_VERSION_MINOR(v), vendor_text(s),
	    vendor_text(s)[0] != '\0' ? " " : "", PACKAGE_VERSION);
	infoset_put_text(out, CL_PLATFORM_VERSION, text);
	infoset_put_text(out, CL_PLATFORM_PROFILE, "FULL_PROFILE");
	infoset_put_text(out, CL_PLATFORM_NAME, "vGPU");
	infoset_put_text(out, CL_PLATFORM_VENDOR, "vgpu");
	put_extensions(s, out, v >= CL_MAKE_VERSION(3, 0, 0));
	infoset_put_text(out, CL_PLATFORM_ICD_SUFFIX_KHR, "VGPU");
	if (v >= CL_MAKE_VERSION(2, 1, 0))
		infoset_put_u64(out, CL_PLATFORM_HOST_TIMER_RESOLUTION,
		    timer_resolution(s));
	if (v >= CL_MAKE_VERSION(3, 0, 0))
		infoset_put_u32(out, CL_PLATFORM_NUMERIC_VERSION, v);
}
