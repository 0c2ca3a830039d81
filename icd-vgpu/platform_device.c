/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/calls.h"
#include "protocol/shared.h"

/* ---- made of what the host tells ----------------------------------------- */

void
device_fini(struct object *o)
{
	struct device *d = (struct device *)o;

	infoset_fini(&d->info);
	free(d->partition);
	object_unuse(d->parent);
}

static bool
decode_device(const struct span *bytes, struct msg_device_record *r,
    struct err_text *text)
{
	return codec_decode(bytes->p, bytes->n, desc_device_record.fields,
	    desc_device_record.field_count, r, text) == VGPU_OK &&
	    r->fingerprint.n == FINGERPRINT_LEN;
}

struct device *
device_new(const struct span *bytes, struct device *parent,
    struct err_text *text)
{
	struct msg_device_record r;
	struct device *d = object_new(OBJ_DEVICE, sizeof(*d), device_fini);

	if (d == NULL) {
		err_set(text, VGPU_ENOMEM, "out of memory");
		return NULL;
	}
	infoset_init(&d->info);
	if (!decode_device(bytes, &r, text) ||
	    infoset_load(&d->info, r.info.p, r.info.n, text) != VGPU_OK) {
		d->o.local = true;
		object_unuse(d);
		return NULL;
	}
	infoset_index(&d->info);
	d->version = device_version(d);
	d->vendor = r.vendor;
	d->shares_memory = device_u64(d, DEVICE_SHARES_MEMORY) != 0;
	memcpy(d->fingerprint, r.fingerprint.p, FINGERPRINT_LEN);
	if (parent != NULL)
		d->parent = object_use(parent);
	return d;
}

struct device *
device_root_new(const struct span *bytes, struct device *before,
    struct err_text *text)
{
	struct msg_device_record r;

	if (before == NULL)
		return device_new(bytes, NULL, text);
	if (!decode_device(bytes, &r, text))
		return NULL;
	if (memcmp(before->fingerprint, r.fingerprint.p, FINGERPRINT_LEN) != 0) {
		object_kill(&before->o);
		return device_new(bytes, NULL, text);
	}
	before->vendor = r.vendor;
	return object_adopt(&before->o) ? before : NULL;
}

/* ---- properties ---------------------------------------------------------- */

const void *
device_info(const struct device *d, cl_device_info param, size_t *size)
{
	return infoset_find(&d->info, param, size);
}

uint64_t
device_u64(const struct device *d, cl_device_info param)
{
	size_t n;
	uint64_t v = 0;
	const void *p = device_info(d, param, &n);

	if (p != NULL && (n == 4 || n == 8))
		memcpy(&v, p, n);
	return v;
}

cl_version
device_version(const struct device *d)
{
	size_t n;
	unsigned major = 1, minor = 0;
	const char *s;

	if (d->version != 0)
		return d->version;
	s = device_info(d, CL_DEVICE_VERSION, &n);
	if (s != NULL)
		sscanf(s, "OpenCL %u.%u", &major, &minor);
	return CL_MAKE_VERSION(major, minor, 0);
}

bool
device_has_extension(const struct device *d, const char *name)
{
	const char *list = infoset_text(&d->info, CL_DEVICE_EXTENSIONS, "");
	const char *at = list;
	size_t len = strlen(name);

	for (; (at = strstr(at, name)) != NULL; at += len)
		if ((at[len] == ' ' || at[len] == '\0') &&
		    (at == list || at[-1] == ' '))
			return true;
	return false;
}

/* ---- what programs ask --------------------------------------------------- */

/* OpenCL 3.1's names for these, which older headers lack. */
#define DEVICE_SPIRV_SETS 0x12B9
#define DEVICE_SPIRV_EXTENSIONS 0x12BA

/* Pointers to strings that follow each other in n bytes. */
static cl_int
give_strings(const char *p, size_t n, struct info_out *out)
{
	const char **list = malloc((n + 1) * sizeof(*list)), *end = p + n;
	size_t count = 0;
	cl_int code;

	if (list == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	for (; p < end && memchr(p, '\0', (size_t)(end - p)) != NULL;
	    p += strlen(p) + 1)
		list[count++] = p;
	code = info_bytes(out, list, count * sizeof(*list));
	free(list);
	return code;
}

cl_int
query_device(struct object *o, cl_uint param, struct info_out *out)
{
	struct device *d = (struct device *)o;
	const void *p;
	size_t n;

	switch (param) {
	case CL_DEVICE_PLATFORM:
		return INFO_VALUE(out, cl_platform_id,
		    (void *)platform_get());
	case CL_DEVICE_PARENT_DEVICE:
		return INFO_VALUE(out, cl_device_id, (void *)d->parent);
	case CL_DEVICE_REFERENCE_COUNT:
		return INFO_VALUE(out, cl_uint,
		    d->parent != NULL ? atomic_load(&o->refs) : 1);
	case CL_DEVICE_PARTITION_TYPE:
		if (d->parent == NULL)
			break;
		return info_bytes(out, d->partition,
		    d->partition_count * sizeof(*d->partition));
	default:
		break;
	}
	if ((p = device_info(d, param, &n)) == NULL)
		return CL_INVALID_VALUE;
	if (param == DEVICE_SPIRV_SETS || param == DEVICE_SPIRV_EXTENSIONS)
		return give_strings(p, n, out);
	return info_bytes(out, p, n);
}

cl_int
icd_clRetainDevice(cl_device_id device)
{
	struct device *d = device_check(device);

	if (d == NULL)
		return CL_INVALID_DEVICE;
	return d->parent != NULL ? object_retain(&d->o) : CL_SUCCESS;
}

cl_int
icd_clReleaseDevice(cl_device_id device)
{
	struct device *d = device_check(device);

	if (d == NULL)
		return CL_INVALID_DEVICE;
	return d->parent != NULL ? object_release(&d->o) : CL_SUCCESS;
}
