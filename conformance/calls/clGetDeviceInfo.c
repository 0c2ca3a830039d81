/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static cl_int
ask(struct world *w, void *object, cl_uint param, size_t size, void *value,
    size_t *size_ret)
{
	(void)w;
	return clGetDeviceInfo(object, param, size, value, size_ret);
}

static void
query(struct world *w, cl_device_info param, size_t size)
{
	query_cases(w, &(struct query){ .ask = ask, .object = w->device,
	    .type = "cl_device_id", .no_object = CL_INVALID_DEVICE,
	    .param = param, .size = size });
}

void
check_clGetDeviceInfo(struct world *w)
{
	cl_platform_id platform = NULL;
	cl_device_id parent = w->device;
	size_t n = 0;

	query(w, CL_DEVICE_PLATFORM, sizeof(cl_platform_id));
	query(w, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof(cl_ulong));
	must(clGetDeviceInfo(w->device, CL_DEVICE_NAME, 0, NULL, &n),
	    "size of CL_DEVICE_NAME");
	query(w, CL_DEVICE_NAME, n);
	WANT(w, "name of another object's query", clGetDeviceInfo(w->device,
	    CL_CONTEXT_DEVICES, 0, NULL, &n), CL_INVALID_VALUE);
	must(clGetDeviceInfo(w->device, CL_DEVICE_PLATFORM, sizeof(platform),
	    &platform, NULL), "CL_DEVICE_PLATFORM");
	IS(w, "its platform is the one it came from",
	    platform == w->platform);
	if (older(w, 12))
		return;
	must(clGetDeviceInfo(w->device, CL_DEVICE_PARENT_DEVICE,
	    sizeof(parent), &parent, NULL), "CL_DEVICE_PARENT_DEVICE");
	IS(w, "a root device has no parent", parent == NULL);
	IS(w, "a root device has one reference",
	    world_info(w, CL_DEVICE_REFERENCE_COUNT) == 1);
}
