/* SPDX-License-Identifier: ISC */
/*
 * Sub-devices: handles and properties here, the devices themselves are made by
 * the host.
 */
#include "icd-vgpu/calls.h"
#include "icd-vgpu/client.h"

#include <CL/cl_ext.h>
#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/platform.h"

/* Where a list of names is over and its property list has to end. */
static size_t
names_end(const cl_device_partition_property *p)
{
	size_t n = 1;

	while (p[n] != CL_PARTITION_BY_NAMES_LIST_END_INTEL)
		n++;
	return n + 1;
}

/* Entries of a property list, with the final 0; a list of counts has two. */
static size_t
partition_length(const cl_device_partition_property *p)
{
	size_t n = 0;

	/* A name may be 0. */
	if (p[0] == CL_DEVICE_PARTITION_BY_NAMES_INTEL)
		return names_end(p) + 1;
	while (p[n] != 0)
		n++;
	n++;
	if (p[0] == CL_DEVICE_PARTITION_BY_COUNTS)
		n++;
	return n;
}

static bool
partition_supported(const struct device *d, cl_device_partition_property kind)
{
	size_t n, i;
	const cl_device_partition_property *has =
	    device_info(d, CL_DEVICE_PARTITION_PROPERTIES, &n);

	for (i = 0; has != NULL && i < n / sizeof(*has); i++)
		if (has[i] == kind && kind != 0)
			return true;
	return false;
}

/*
 * Counts of units up to the list's end, at p[1]; *next is behind it.
 * OpenCL 3.0, 4.3.
 */
static cl_int
check_counts(const struct device *d, const cl_device_partition_property *p,
    size_t *next)
{
	const cl_device_partition_property units =
	    (cl_device_partition_property)device_u64(d,
	    CL_DEVICE_MAX_COMPUTE_UNITS);
	cl_device_partition_property left = units;
	size_t n;

	for (n = 1; p[n] != CL_DEVICE_PARTITION_BY_COUNTS_LIST_END; n++) {
		if (p[n] < 0 || p[n] > left)
			return CL_INVALID_DEVICE_PARTITION_COUNT;
		left -= p[n];
	}
	if (n == 1)
		return CL_INVALID_VALUE;
	if (n - 1 > device_u64(d, CL_DEVICE_PARTITION_MAX_SUB_DEVICES))
		return CL_INVALID_DEVICE_PARTITION_COUNT;
	*next = n + 1;
	return CL_SUCCESS;
}

/* One of the kinds of affinity that the device has, or the next of them. */
static bool
affinity_ok(const struct device *d, cl_device_partition_property kind)
{
	const cl_device_affinity_domain has =
	    device_u64(d, CL_DEVICE_PARTITION_AFFINITY_DOMAIN) |
	    CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE;
	const cl_device_affinity_domain bit = (cl_device_affinity_domain)kind;

	return bit != 0 && (bit & (bit - 1)) == 0 && (bit & has) != 0;
}

/* Is it one way to part the device, and one that the device knows? */
static cl_int
check_properties(const struct device *d,
    const cl_device_partition_property *p)
{
	size_t next = 2;
	cl_int code;

	if (p == NULL || !partition_supported(d, p[0]))
		return CL_INVALID_VALUE;
	switch (p[0]) {
	case CL_DEVICE_PARTITION_EQUALLY:
		if (p[1] <= 0)
			return CL_INVALID_VALUE;
		break;
	case CL_DEVICE_PARTITION_BY_COUNTS:
		if ((code = check_counts(d, p, &next)) != CL_SUCCESS)
			return code;
		break;
	case CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN:
		if (!affinity_ok(d, p[1]))
			return CL_INVALID_VALUE;
		break;
	case CL_DEVICE_PARTITION_BY_NAMES_INTEL:
		next = names_end(p);
		break;
	default:
		return CL_SUCCESS;
	}
	return p[next] == 0 ? CL_SUCCESS : CL_INVALID_VALUE;
}

/* Make handles of what the host made of one device. */
static cl_int
take_sub_devices(struct device *parent, struct device **sub, cl_uint n,
    const struct reply_clCreateSubDevices *r,
    const cl_device_partition_property *properties)
{
	struct span list = r->info, element;
	size_t length = partition_length(properties);
	cl_uint i;

	for (i = 0; i < n && list_next(&list, &element); i++) {
		struct device *d = sub[i];
		struct device *made = device_new(&element, parent, NULL);

		if (made == NULL)
			return CL_OUT_OF_HOST_MEMORY;
		/* The id went out with the placeholder: it stays. */
		infoset_fini(&d->info);
		d->info = made->info;
		infoset_init(&made->info);
		d->version = made->version;
		d->vendor = made->vendor;
		memcpy(d->fingerprint, made->fingerprint, FINGERPRINT_LEN);
		made->o.local = true;
		object_unuse(made);
		d->parent = object_use(parent);
		d->partition = malloc(length * sizeof(*properties));
		if (d->partition == NULL)
			return CL_OUT_OF_HOST_MEMORY;
		memcpy(d->partition, properties, length * sizeof(*properties));
		d->partition_count = length;
		d->o.local = false;
	}
	return CL_SUCCESS;
}

static cl_int
partition(struct device *parent, const cl_device_partition_property *p,
    struct device **sub, uint64_t *ids, cl_uint max, cl_uint *count)
{
	struct msg_clCreateSubDevices m = {
		.in_device.id = parent->o.id,
		.property_list = { p, partition_length(p) },
		.ids = { ids, max },
	};
	struct reply_clCreateSubDevices r;
	struct buf body;
	cl_uint i;
	cl_int code;

	for (i = 0; i < max; i++) {
		sub[i] = object_new(OBJ_DEVICE, sizeof(**sub), device_fini);
		if (sub[i] == NULL)
			return CL_OUT_OF_HOST_MEMORY;
		infoset_init(&sub[i]->info);
		sub[i]->o.local = true;
		ids[i] = sub[i]->o.id;
	}
	code = call_sync(&desc_clCreateSubDevices, &m, &r, &body);
	if (code == CL_SUCCESS) {
		*count = (cl_uint)r.count;
		code = take_sub_devices(parent, sub, *count, &r, p);
	}
	buf_fini(&body);
	return code;
}

cl_int
icd_clCreateSubDevices(cl_device_id in_device,
    const cl_device_partition_property *properties, cl_uint num_devices,
    cl_device_id *out_devices, cl_uint *num_devices_ret)
{
	struct device *d = device_check(in_device), **sub;
	cl_uint max, i, count = 0;
	uint64_t *ids;
	cl_int code;

	if (client_get(NULL) == NULL || d == NULL)
		return CL_INVALID_DEVICE;
	if ((code = check_properties(d, properties)) != CL_SUCCESS)
		return code;
	if (out_devices != NULL && num_devices == 0)
		return CL_INVALID_VALUE;
	code = CL_OUT_OF_HOST_MEMORY;
	max = (cl_uint)device_u64(d, CL_DEVICE_MAX_COMPUTE_UNITS);
	sub = calloc(max + 1, sizeof(*sub));
	ids = calloc(max + 1, sizeof(*ids));
	if (sub != NULL && ids != NULL)
		code = partition(d, properties, sub, ids, max, &count);
	if (code == CL_SUCCESS && out_devices != NULL && num_devices < count)
		code = CL_INVALID_VALUE;
	for (i = 0; sub != NULL && i < max; i++) {
		if (code == CL_SUCCESS && i < count && out_devices != NULL)
			out_devices[i] = (cl_device_id)(void *)sub[i];
		else
			object_unuse(sub[i]);
	}
	if (code == CL_SUCCESS && num_devices_ret != NULL)
		*num_devices_ret = count;
	free(sub);
	free(ids);
	return code;
}
