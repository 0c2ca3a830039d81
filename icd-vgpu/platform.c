/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/platform.h"

#include <stdlib.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/client.h"

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
		struct device *d = device_root_new(&element,
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
