/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static cl_int
ask(struct world *w, void *object, cl_uint param, size_t size, void *value,
    size_t *size_ret)
{
	return clGetKernelWorkGroupInfo(object, w->device, param, size, value,
	    size_ret);
}

static void
sizes(struct world *w)
{
	cl_program p = world_build(w, "kernel void "
	    "__attribute__((reqd_work_group_size(4, 2, 1)))\n"
	    "f(local int *a, global int *b)\n"
	    "{ a[0] = 1; b[0] = a[0]; }\n", "");
	cl_kernel k = world_kernel_of(w, p, "f");
	size_t s[3] = { 0 };
	cl_ulong before = 0, after = 0;

	WANT(w, "required size", clGetKernelWorkGroupInfo(k, w->device,
	    CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof(s), s, NULL),
	    CL_SUCCESS);
	IS(w, "required size is as written",
	    s[0] == 4 && s[1] == 2 && s[2] == 1);
	WANT(w, "required size with too little room", clGetKernelWorkGroupInfo(
	    k, w->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof(s[0]), s,
	    NULL), CL_INVALID_VALUE);
	must(clGetKernelWorkGroupInfo(k, w->device, CL_KERNEL_LOCAL_MEM_SIZE,
	    sizeof(before), &before, NULL), "CL_KERNEL_LOCAL_MEM_SIZE");
	must(clSetKernelArg(k, 0, 256, NULL), "clSetKernelArg");
	must(clGetKernelWorkGroupInfo(k, w->device, CL_KERNEL_LOCAL_MEM_SIZE,
	    sizeof(after), &after, NULL), "CL_KERNEL_LOCAL_MEM_SIZE");
	IS(w, "local memory in arguments counts", after >= before + 256);
	clReleaseKernel(k);
	clReleaseProgram(p);
}

void
check_clGetKernelWorkGroupInfo(struct world *w)
{
	cl_kernel k = world_kernel(w);
	cl_device_id wrong = (cl_device_id)w->queue;
	size_t n = 0, all[3];

	query_cases(w, &(struct query){ .ask = ask, .object = k,
	    .type = "cl_kernel", .no_object = CL_INVALID_KERNEL,
	    .param = CL_KERNEL_WORK_GROUP_SIZE, .size = sizeof(size_t) });
	WANT(w, "device of another kind", clGetKernelWorkGroupInfo(k, wrong,
	    CL_KERNEL_WORK_GROUP_SIZE, sizeof(n), &n, NULL),
	    CL_INVALID_DEVICE);
	if (w->stranger != NULL)
		WANT(w, "device of no context", clGetKernelWorkGroupInfo(k,
		    w->stranger, CL_KERNEL_WORK_GROUP_SIZE, sizeof(n), &n,
		    NULL), CL_INVALID_DEVICE);
	else
		skip(w, "device of no context", "there is no such device");
	WANT(w, "no device, for the only one", clGetKernelWorkGroupInfo(k,
	    NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof(n), &n, NULL),
	    CL_SUCCESS);
	IS(w, "a work-group has some items", n > 0);
	if (w->version >= 12 && !(world_info(w, CL_DEVICE_TYPE) &
	    CL_DEVICE_TYPE_CUSTOM))
		WANT(w, "global size of a kernel that is not built in",
		    clGetKernelWorkGroupInfo(k, w->device,
		    CL_KERNEL_GLOBAL_WORK_SIZE, sizeof(all), all, NULL),
		    CL_INVALID_VALUE);
	sizes(w);
}
