/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/context.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/client.h"
#include "icd-vgpu/destructor.h"
#include "icd-vgpu/image_format.h"
#include "icd-vgpu/platform.h"

/* ---- devices of a context ---------------------------------------------- */

cl_uint
context_device_index(const struct context *c, const struct device *d)
{
	cl_uint i;

	for (i = 0; i < c->device_count; i++)
		if (c->device[i] == d)
			break;
	return i;
}

bool
context_has_device(const struct context *c, const struct device *d)
{
	return context_device_index(c, d) < c->device_count;
}

cl_int
context_device_list(const struct context *c, cl_uint n,
    const cl_device_id *list, uint64_t *ids, cl_uint max, cl_uint *count)
{
	const struct device *d;
	cl_uint i;

	if ((n == 0) != (list == NULL))
		return CL_INVALID_VALUE;
	*count = list != NULL ? n : c->device_count;
	if (*count > max)
		return CL_INVALID_DEVICE;
	for (i = 0; i < *count; i++) {
		d = list != NULL ? device_check(list[i]) : c->device[i];
		if (d == NULL || !context_has_device(c, d))
			return CL_INVALID_DEVICE;
		ids[i] = d->o.id;
	}
	return CL_SUCCESS;
}

/* ---- creation ---------------------------------------------------------- */

static void
context_fini(struct object *o)
{
	struct context *c = (struct context *)o;
	cl_uint i;

	for (i = 0; i < c->device_count; i++)
		object_unuse(c->device[i]);
	destructor_release(c->destructors);
	image_formats_free(c->formats);
	free(c->default_queue);
	free(c->device);
	free(c->property);
}

/* Check and copy a property list (OpenCL 3.0, 4.4, table of properties). */
static cl_int
take_properties(struct context *c, const cl_context_properties *p)
{
	size_t n = 0, i;

	if (p == NULL)
		return CL_SUCCESS;
	for (; p[n] != 0; n += 2) {
		if (p[n] != CL_CONTEXT_PLATFORM &&
		    p[n] != CL_CONTEXT_INTEROP_USER_SYNC)
			return CL_INVALID_PROPERTY;
		for (i = 0; i < n; i += 2)
			if (p[i] == p[n])
				return CL_INVALID_PROPERTY;
		if (p[n] == CL_CONTEXT_PLATFORM &&
		    object_check((void *)p[n + 1], OBJ_PLATFORM) == NULL)
			return CL_INVALID_PLATFORM;
		if (p[n] == CL_CONTEXT_INTEROP_USER_SYNC &&
		    p[n + 1] != CL_TRUE && p[n + 1] != CL_FALSE)
			return CL_INVALID_PROPERTY;
	}
	c->property_count = n + 1;
	if ((c->property = malloc((n + 1) * sizeof(*p))) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	memcpy(c->property, p, (n + 1) * sizeof(*p));
	return CL_SUCCESS;
}

static cl_int
take_devices(struct context *c, cl_uint n, const cl_device_id *list)
{
	struct device *d;
	cl_uint i;

	c->device = calloc(n, sizeof(*c->device));
	c->default_queue = calloc(n, sizeof(*c->default_queue));
	if (c->device == NULL || c->default_queue == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	for (i = 0; i < n; i++) {
		if ((d = device_check(list[i])) == NULL)
			return CL_INVALID_DEVICE;
		/* A device named twice counts once (4.4). */
		if (!context_has_device(c, d))
			c->device[c->device_count++] = object_use(d);
	}
	for (i = 0; i < c->device_count; i++)
		if (!device_u64(c->device[i], CL_DEVICE_AVAILABLE))
			return CL_DEVICE_NOT_AVAILABLE;
	return CL_SUCCESS;
}

static cl_int
context_send(const struct context *c)
{
	uint64_t *ids = malloc(c->device_count * sizeof(*ids));
	struct msg_clCreateContext m = {
		.devices = { ids, c->device_count },
		.id.id = c->o.id,
	};
	cl_int code = CL_OUT_OF_HOST_MEMORY;

	if (ids != NULL && object_ids(ids, c->device, c->device_count,
	    OBJ_DEVICE))
		code = call_async(&desc_clCreateContext, &m, 0);
	free(ids);
	return code;
}

static struct context *
context_new(const cl_context_properties *properties, cl_uint n,
    const cl_device_id *list, pfn_context notify, void *user_data,
    cl_int *code)
{
	struct context *c = object_new(OBJ_CONTEXT, sizeof(*c), context_fini);

	*code = CL_OUT_OF_HOST_MEMORY;
	if (c == NULL)
		return NULL;
	c->notify = notify;
	c->notify_data = user_data;
	if ((*code = take_properties(c, properties)) == CL_SUCCESS &&
	    (*code = take_devices(c, n, list)) == CL_SUCCESS &&
	    (*code = context_send(c)) == CL_SUCCESS)
		return c;
	c->o.local = true;
	object_unuse(c);
	return NULL;
}

cl_context
icd_clCreateContext(const cl_context_properties *properties,
    cl_uint num_devices, const cl_device_id *devices, pfn_context pfn_notify,
    void *user_data, cl_int *errcode_ret)
{
	struct context *c = NULL;
	cl_int code;

	if (num_devices == 0 || devices == NULL ||
	    (pfn_notify == NULL && user_data != NULL))
		code = CL_INVALID_VALUE;
	else if (client_get(NULL) == NULL)
		code = CL_DEVICE_NOT_AVAILABLE;
	else
		c = context_new(properties, num_devices, devices, pfn_notify,
		    user_data, &code);
	if (errcode_ret != NULL)
		*errcode_ret = code;
	return (cl_context)(void *)c;
}

/*
 * Those of a list that can be in one context with its first device: "all or a
 * subset" of what matches is to be in the context (4.4).
 */
static cl_uint
keep_companions(cl_device_id *list, cl_uint n)
{
	const uint64_t vendor = device_check(list[0])->vendor;
	cl_uint i, kept = 0;

	for (i = 0; i < n; i++)
		if (device_check(list[i])->vendor == vendor)
			list[kept++] = list[i];
	return kept;
}

cl_context
icd_clCreateContextFromType(const cl_context_properties *properties,
    cl_device_type device_type, pfn_context pfn_notify, void *user_data,
    cl_int *errcode_ret)
{
	struct device *const *all;
	cl_uint max = client_get(NULL) != NULL ? platform_devices(&all) : 0;
	cl_uint n = 0;
	cl_device_id *list = calloc(max + 1, sizeof(*list));
	cl_context context = NULL;
	cl_int code;

	if (pfn_notify == NULL && user_data != NULL)
		code = CL_INVALID_VALUE;
	else if (list == NULL)
		code = CL_OUT_OF_HOST_MEMORY;
	else
		code = icd_clGetDeviceIDs(NULL, device_type, max + 1, list, &n);
	if (code == CL_SUCCESS)
		context = icd_clCreateContext(properties,
		    keep_companions(list, n), list, pfn_notify, user_data,
		    &code);
	free(list);
	if (errcode_ret != NULL)
		*errcode_ret = code;
	return context;
}

cl_int
query_context(struct object *o, cl_uint param, struct info_out *out)
{
	struct context *c = (struct context *)o;

	switch (param) {
	case CL_CONTEXT_REFERENCE_COUNT:
		return INFO_VALUE(out, cl_uint, atomic_load(&o->refs));
	case CL_CONTEXT_NUM_DEVICES:
		return INFO_VALUE(out, cl_uint, c->device_count);
	case CL_CONTEXT_DEVICES:
		return info_bytes(out, c->device,
		    c->device_count * sizeof(*c->device));
	case CL_CONTEXT_PROPERTIES:
		return info_bytes(out, c->property,
		    c->property_count * sizeof(*c->property));
	default:
		return CL_INVALID_VALUE;
	}
}
