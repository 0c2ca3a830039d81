/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static cl_int
max_number(struct world *w, void *object, cl_uint param, size_t size,
    void *value, size_t *size_ret)
{
	return clGetKernelSubGroupInfo(object, w->device, param, 0, NULL,
	    size, value, size_ret);
}

static void
devices(struct world *w, cl_kernel k)
{
	cl_device_id wrong = (cl_device_id)w->queue;
	size_t n = 0;

	WANT(w, "device of another kind", clGetKernelSubGroupInfo(k, wrong,
	    CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, sizeof(n), &n, NULL),
	    CL_INVALID_DEVICE);
	if (w->stranger != NULL)
		WANT(w, "device of no context", clGetKernelSubGroupInfo(k,
		    w->stranger, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL,
		    sizeof(n), &n, NULL), CL_INVALID_DEVICE);
	else
		skip(w, "device of no context", "there is no such device");
}

static void
inputs(struct world *w, cl_kernel k, cl_kernel_sub_group_info name)
{
	const size_t local[4] = { 8, 1, 1, 1 };
	size_t n = 77, out[3] = { 0 };

	WANT(w, "no input", clGetKernelSubGroupInfo(k, w->device, name, 0,
	    NULL, sizeof(n), &n, NULL), CL_INVALID_VALUE);
	WANT(w, "input nowhere", clGetKernelSubGroupInfo(k, w->device, name,
	    sizeof(size_t), NULL, sizeof(n), &n, NULL), CL_INVALID_VALUE);
	WANT(w, "input of no size", clGetKernelSubGroupInfo(k, w->device,
	    name, 0, local, sizeof(n), &n, NULL), CL_INVALID_VALUE);
	WANT(w, "input of half a number", clGetKernelSubGroupInfo(k,
	    w->device, name, 4, local, sizeof(n), &n, NULL),
	    CL_INVALID_VALUE);
	WANT(w, "input of too many numbers", clGetKernelSubGroupInfo(k,
	    w->device, name, sizeof(local), local, sizeof(n), &n, NULL),
	    CL_INVALID_VALUE);
	WANT(w, "too little room", clGetKernelSubGroupInfo(k, w->device, name,
	    sizeof(size_t), local, 4, &n, NULL), CL_INVALID_VALUE);
	IS(w, "nothing was written", n == 77);
	WANT(w, "input of one number", clGetKernelSubGroupInfo(k, w->device,
	    name, sizeof(size_t), local, sizeof(out), out, NULL),
	    CL_SUCCESS);
}

static void
local_sizes(struct world *w, cl_kernel k)
{
	const cl_kernel_sub_group_info name =
	    CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT;
	const size_t one = 1;
	size_t out[4] = { 77, 77, 77, 77 }, n = 0;

	WANT(w, "a local size of three dimensions", clGetKernelSubGroupInfo(k,
	    w->device, name, sizeof(one), &one, 3 * sizeof(*out), out, &n),
	    CL_SUCCESS);
	IS(w, "the last two are 1", n == 3 * sizeof(*out) && out[0] != 77 &&
	    out[1] == 1 && out[2] == 1 && out[3] == 77);
	out[1] = 77;
	WANT(w, "a local size of one dimension", clGetKernelSubGroupInfo(k,
	    w->device, name, sizeof(one), &one, sizeof(*out), out, &n),
	    CL_SUCCESS);
	IS(w, "it is one number", n == sizeof(*out) && out[1] == 77);
}

void
check_clGetKernelSubGroupInfo(struct world *w)
{
	cl_kernel k = world_kernel(w);
	size_t n = 0;

	if (older(w, 21))
		return;
	WANT_HANDLE(w, "kernel", cl_kernel, clGetKernelSubGroupInfo(h,
	    w->device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, sizeof(n), &n,
	    NULL), CL_INVALID_KERNEL);
	devices(w, k);
	if (world_info(w, CL_DEVICE_MAX_NUM_SUB_GROUPS) == 0) {
		WANT(w, "the device has no sub-groups",
		    clGetKernelSubGroupInfo(k, w->device,
		    CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, sizeof(n), &n,
		    NULL), CL_INVALID_OPERATION);
		return;
	}
	query_cases(w, &(struct query){ .ask = max_number, .object = k,
	    .type = "cl_kernel", .no_object = CL_INVALID_KERNEL,
	    .param = CL_KERNEL_MAX_NUM_SUB_GROUPS, .size = sizeof(size_t) });
	WANT(w, "no device, for the only one", clGetKernelSubGroupInfo(k,
	    NULL, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, sizeof(n), &n,
	    NULL), CL_SUCCESS);
	inputs(w, k, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE);
	inputs(w, k, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE);
	inputs(w, k, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT);
	local_sizes(w, k);
}
