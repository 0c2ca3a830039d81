/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/kernel.h"

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

static bool
has_svm(const struct kernel *k, cl_device_svm_capabilities what)
{
	const struct program *p = k->program;
	cl_uint i;

	for (i = 0; i < p->device_count; i++)
		if (device_u64(p->device[i].device,
		    CL_DEVICE_SVM_CAPABILITIES) & what)
			return true;
	return false;
}

/* OpenCL 3.0, 5.9.3; slot: which of the kernel's two kinds it is. */
static cl_int
check_exec(const struct kernel *k, cl_kernel_exec_info param, size_t n,
    const void *value, unsigned *slot)
{
	cl_bool fine;

	if (!has_svm(k, ~(cl_device_svm_capabilities)0))
		return CL_INVALID_OPERATION;
	if (value == NULL && n > 0)
		return CL_INVALID_VALUE;
	switch (param) {
	case CL_KERNEL_EXEC_INFO_SVM_PTRS:
		*slot = 0;
		return n % sizeof(void *) != 0 ? CL_INVALID_VALUE : CL_SUCCESS;
	case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
		*slot = 1;
		if (n != sizeof(fine))
			return CL_INVALID_VALUE;
		memcpy(&fine, value, sizeof(fine));
		return fine && !has_svm(k, CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) ?
		    CL_INVALID_OPERATION : CL_SUCCESS;
	default:
		return CL_INVALID_VALUE;
	}
}

cl_int
icd_clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name,
    size_t param_value_size, const void *param_value)
{
	struct kernel *k = kernel_check(kernel);
	unsigned slot = 0;
	void *copy;
	cl_int code;

	if (k == NULL)
		return CL_INVALID_KERNEL;
	code = check_exec(k, param_name, param_value_size, param_value, &slot);
	if (code != CL_SUCCESS)
		return code;
	if ((copy = malloc(param_value_size + 1)) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	/* No pointers at all are a set of them, too. */
	if (param_value_size > 0)
		memcpy(copy, param_value, param_value_size);
	pthread_mutex_lock(&k->lock);
	free(k->exec[slot].value);
	k->exec[slot] = (struct kernel_exec){ param_name, param_value_size,
		copy };
	code = send_exec(k, &k->exec[slot]);
	pthread_mutex_unlock(&k->lock);
	return code;
}
