/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/client.h"
#include "protocol/shared.h"

static struct {
	struct object *object;
	struct infoset info;
	struct device **device;
	cl_uint count;
} platform;

struct object *
platform_get(void)
{
	return platform.object;
}

cl_uint
platform_devices(struct device *const **list)
{
	*list = platform.device;
	return platform.count;
}

/* ---- opening ----------------------------------------------------------- */

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

/* A root device: the one that the parent of this process had, or a new one. */
static struct device *
root_new(const struct span *bytes, struct device *before,
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

static enum vgpu_err
open_devices(const struct msg_welcome *m, struct err_text *text)
{
	struct span list = m->devices, element;
	struct device **old = platform.device;
	cl_uint had = platform.count, n = 0;

	platform.device = calloc(list.n + 1, sizeof(*platform.device));
	if (platform.device == NULL)
		return VGPU_ENOMEM;
	for (platform.count = 0; list_next(&list, &element); n++) {
		struct device *d = root_new(&element,
		    n < had ? old[n] : NULL, text);

		if (d == NULL)
			return VGPU_EPROTO;
		platform.device[platform.count++] = d;
	}
	for (; n < had; n++)
		object_kill(&old[n]->o);
	free(old);
	return VGPU_OK;
}

enum vgpu_err
platform_open(const struct msg_welcome *m, struct err_text *text)
{
	enum vgpu_err e;

	if (platform.object == NULL)
		infoset_init(&platform.info);
	infoset_fini(&platform.info);
	e = infoset_load(&platform.info, m->platform.p, m->platform.n, text);
	if (e == VGPU_OK)
		infoset_index(&platform.info);
	if (e == VGPU_OK)
		e = open_devices(m, text);
	if (e != VGPU_OK || platform.object != NULL)
		return e;
	platform.object = object_new(OBJ_PLATFORM, sizeof(*platform.object),
	    NULL);
	if (platform.object == NULL)
		return VGPU_ENOMEM;
	platform.object->local = true;
	return VGPU_OK;
}

void
platform_fork(enum fork_phase phase)
{
	cl_uint i;

	if (phase != FORK_CHILD || platform.object == NULL)
		return;
	object_revive(platform.object);
	for (i = 0; i < platform.count; i++)
		object_revive(&platform.device[i]->o);
}

/* ---- platforms --------------------------------------------------------- */

cl_int
icd_clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms,
    cl_uint *num_platforms)
{
	cl_uint found;

	if ((num_entries == 0 && platforms != NULL) ||
	    (platforms == NULL && num_platforms == NULL))
		return CL_INVALID_VALUE;
	found = client_get(NULL) != NULL && platform.object != NULL;
	if (found && platforms != NULL)
		platforms[0] = (cl_platform_id)(void *)platform.object;
	if (num_platforms != NULL)
		*num_platforms = found;
	return found ? CL_SUCCESS : CL_PLATFORM_NOT_FOUND_KHR;
}

cl_int
query_platform(struct object *o, cl_uint param, struct info_out *out)
{
	const void *p;
	size_t n;

	(void)o;
	if ((p = infoset_find(&platform.info, param, &n)) == NULL)
		return CL_INVALID_VALUE;
	return info_bytes(out, p, n);
}

/* ---- devices ----------------------------------------------------------- */

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

bool
platform_has_extension(const char *name)
{
	cl_uint i;

	for (i = 0; i < platform.count; i++)
		if (device_has_extension(platform.device[i], name))
			return true;
	return false;
}

/* Programs that keep types in an int ask for all 64 bits: OpenCV does. */
static bool
type_is_all(cl_device_type type)
{
	return (type & CL_DEVICE_TYPE_ALL) == CL_DEVICE_TYPE_ALL;
}

static bool
type_matches(const struct device *d, cl_device_type type)
{
	if (type_is_all(type))
		return true;
	if (type & CL_DEVICE_TYPE_DEFAULT && d == platform.device[0])
		return true;
	return (device_u64(d, CL_DEVICE_TYPE) & type &
	    ~(cl_device_type)CL_DEVICE_TYPE_DEFAULT) != 0;
}

/* Accepts a null platform, as loaders and clinfo rely on. */
cl_int
icd_clGetDeviceIDs(cl_platform_id id, cl_device_type device_type,
    cl_uint num_entries, cl_device_id *devices, cl_uint *num_devices)
{
	const cl_device_type known = CL_DEVICE_TYPE_DEFAULT |
	    CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
	    CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM;
	cl_uint i, found = 0;

	if (platform.object == NULL ||
	    (id != NULL && object_check(id, OBJ_PLATFORM) == NULL))
		return CL_INVALID_PLATFORM;
	if (client_get(NULL) == NULL)
		return CL_DEVICE_NOT_FOUND;
	if (!type_is_all(device_type) &&
	    ((device_type & ~known) != 0 || device_type == 0))
		return CL_INVALID_DEVICE_TYPE;
	if ((num_entries == 0 && devices != NULL) ||
	    (devices == NULL && num_devices == NULL))
		return CL_INVALID_VALUE;
	for (i = 0; i < platform.count; i++) {
		if (!type_matches(platform.device[i], device_type))
			continue;
		if (devices != NULL && found < num_entries)
			devices[found] =
			    (cl_device_id)(void *)platform.device[i];
		found++;
	}
	if (num_devices != NULL)
		*num_devices = found;
	return found > 0 ? CL_SUCCESS : CL_DEVICE_NOT_FOUND;
}

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
		    (void *)platform.object);
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

/* ---- timers ------------------------------------------------------------ */

/* Timers are of OpenCL 2.1, and optional from 3.0 on. */
static bool
has_timers(void)
{
	return infoset_u64(&platform.info, CL_PLATFORM_HOST_TIMER_RESOLUTION,
	    0) != 0;
}

cl_int
icd_clGetDeviceAndHostTimer(cl_device_id device, cl_ulong *device_timestamp,
    cl_ulong *host_timestamp)
{
	struct device *d = device_check(device);
	struct msg_clGetDeviceAndHostTimer m;
	struct reply_clGetDeviceAndHostTimer r;
	struct buf body;
	cl_int code;

	if (client_get(NULL) == NULL || d == NULL)
		return CL_INVALID_DEVICE;
	if (!has_timers())
		return CL_INVALID_OPERATION;
	if (device_timestamp == NULL || host_timestamp == NULL)
		return CL_INVALID_VALUE;
	m.device.id = d->o.id;
	code = call_sync(&desc_clGetDeviceAndHostTimer, &m, &r, &body);
	buf_fini(&body);
	if (code != CL_SUCCESS)
		return code;
	*device_timestamp = r.device_time;
	*host_timestamp = r.host_time;
	return CL_SUCCESS;
}

cl_int
icd_clGetHostTimer(cl_device_id device, cl_ulong *host_timestamp)
{
	struct device *d = device_check(device);
	struct msg_clGetHostTimer m;
	struct reply_clGetHostTimer r;
	struct buf body;
	cl_int code;

	if (client_get(NULL) == NULL || d == NULL)
		return CL_INVALID_DEVICE;
	if (!has_timers())
		return CL_INVALID_OPERATION;
	if (host_timestamp == NULL)
		return CL_INVALID_VALUE;
	m.device.id = d->o.id;
	code = call_sync(&desc_clGetHostTimer, &m, &r, &body);
	buf_fini(&body);
	if (code == CL_SUCCESS)
		*host_timestamp = r.host_time;
	return code;
}
