/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/kernel.h"

#include <CL/cl_ext.h>
#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/platform.h"

static cl_int
send_exec(const struct kernel *k, const struct kernel_exec *x)
{
	struct msg_clSetKernelExecInfo m = {
		.kernel.id = k->o.id,
		.param_name = x->param,
		.value = { x->value, x->n },
	};

	return call_async(&desc_clSetKernelExecInfo, &m, 0);
}

cl_int
kernel_copy_exec(struct kernel *k, const struct kernel *from)
{
	struct kernel_exec *x;
	cl_int code = CL_SUCCESS;
	unsigned i;

	for (i = 0; code == CL_SUCCESS && i < KERNEL_EXEC_KINDS; i++) {
		if (from->exec[i].value == NULL)
			continue;
		x = &k->exec[i];
		if ((x->value = malloc(from->exec[i].n + 1)) == NULL)
			return CL_OUT_OF_HOST_MEMORY;
		x->param = from->exec[i].param;
		x->n = from->exec[i].n;
		memcpy(x->value, from->exec[i].value, x->n);
		code = send_exec(k, x);
	}
	return code;
}

/* Has a device of the kernel's program any of these bits of a property? */
static bool
has(const struct kernel *k, cl_device_info param, uint64_t bits)
{
	const struct program *p = k->program;
	cl_uint i;

	for (i = 0; i < p->device_count; i++)
		if (device_u64(p->device[i].device, param) & bits)
			return true;
	return false;
}

static bool
has_svm(const struct kernel *k)
{
	return has(k, CL_DEVICE_SVM_CAPABILITIES, UINT64_MAX);
}

static bool
has_usm(const struct kernel *k)
{
	return has(k, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, UINT64_MAX);
}

static bool
has_usm_host(const struct kernel *k)
{
	return has(k, CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, UINT64_MAX);
}

static bool
has_usm_shared(const struct kernel *k)
{
	return has(k, CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
	    UINT64_MAX) ||
	    has(k, CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
	    UINT64_MAX);
}

static bool
has_dispatch(const struct kernel *k)
{
	const struct program *p = k->program;
	cl_uint i;

	for (i = 0; i < p->device_count; i++)
		if (device_has_extension(p->device[i].device,
		    "cl_intel_concurrent_dispatch"))
			return true;
	return false;
}

/* Of cl_intel_concurrent_dispatch, which has no header. */
#define EXEC_INFO_DISPATCH_TYPE_INTEL 0x4257

/* What can be told, each in a slot of its own (OpenCL 3.0, 5.9.3). */
static const struct exec_kind {
	cl_kernel_exec_info param;
	bool pointers;		/* else one cl_bool or cl_uint */
	bool (*supported)(const struct kernel *);
} exec_kinds[KERNEL_EXEC_KINDS] = {
	{ CL_KERNEL_EXEC_INFO_SVM_PTRS, true, has_svm },
	{ CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, false, has_svm },
	{ CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, false,
	    has_usm_host },
	{ CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, false, has_usm },
	{ CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, false,
	    has_usm_shared },
	{ CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, true, has_usm },
	{ EXEC_INFO_DISPATCH_TYPE_INTEL, false, has_dispatch },
};

static const struct exec_kind *
find_kind(cl_kernel_exec_info param)
{
	unsigned i;

	for (i = 0; i < KERNEL_EXEC_KINDS; i++)
		if (exec_kinds[i].param == param)
			return &exec_kinds[i];
	return NULL;
}

static cl_int
check_exec(const struct kernel *k, const struct exec_kind *kind, size_t n,
    const void *value)
{
	cl_bool fine;

	if (!has_svm(k) && !has_usm(k) && !has_dispatch(k))
		return CL_INVALID_OPERATION;
	if ((value == NULL && n > 0) || kind == NULL)
		return CL_INVALID_VALUE;
	if (!kind->supported(k))
		return CL_INVALID_OPERATION;
	if (kind->pointers)
		return n % sizeof(void *) != 0 ? CL_INVALID_VALUE : CL_SUCCESS;
	if (n != sizeof(fine))
		return CL_INVALID_VALUE;
	memcpy(&fine, value, sizeof(fine));
	return kind->param == CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM &&
	    fine && !has(k, CL_DEVICE_SVM_CAPABILITIES,
	    CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) ? CL_INVALID_OPERATION :
	    CL_SUCCESS;
}

cl_int
kernel_check_exec(const struct kernel *k, cl_kernel_exec_info param, size_t n,
    const void *value)
{
	return check_exec(k, find_kind(param), n, value);
}

cl_int
icd_clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name,
    size_t param_value_size, const void *param_value)
{
	const struct exec_kind *kind = find_kind(param_name);
	struct kernel *k = kernel_check(kernel);
	struct kernel_exec *x;
	void *copy;
	cl_int code;

	if (k == NULL)
		return CL_INVALID_KERNEL;
	code = check_exec(k, kind, param_value_size, param_value);
	if (code != CL_SUCCESS)
		return code;
	if ((copy = malloc(param_value_size + 1)) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	/* No pointers at all are a set of them, too. */
	if (param_value_size > 0)
		memcpy(copy, param_value, param_value_size);
	pthread_mutex_lock(&k->lock);
	x = &k->exec[kind - exec_kinds];
	free(x->value);
	*x = (struct kernel_exec){ param_name, param_value_size, copy };
	code = send_exec(k, x);
	pthread_mutex_unlock(&k->lock);
	return code;
}
