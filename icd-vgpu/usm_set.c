/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/usm.h"

#include <CL/cl_ext.h>
#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/kernel.h"

/* The four forms of clSetKernelExecInfo, in the order of kernel_exec. */
static void
take_exec(struct usm_set *set, const struct kernel_exec *x)
{
	cl_bool on = CL_FALSE;

	if (x->value == NULL)
		return;
	if (x->param == CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL) {
		memcpy(set->p + set->count, x->value, x->n);
		set->count += x->n / sizeof(set->p[0]);
		return;
	}
	if (x->n == sizeof(on))
		memcpy(&on, x->value, sizeof(on));
	if (!on)
		return;
	if (x->param == CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL)
		set->kinds |= USM_HOST;
	if (x->param == CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL)
		set->kinds |= USM_DEVICE;
	if (x->param == CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL)
		set->kinds |= USM_SHARED;
}

cl_int
usm_set_of_kernel(struct usm_set *set, const struct kernel *k)
{
	const struct kernel_arg *arg = k->arg;
	const cl_uint n = k->shape->arg_count;
	size_t room = n;
	unsigned j;
	cl_uint i;

	memset(set, 0, sizeof(*set));
	if (!usm_exists())
		return CL_SUCCESS;
	for (j = 0; j < KERNEL_EXEC_KINDS; j++)
		room += k->exec[j].n / sizeof(set->p[0]);
	if ((set->p = malloc((room + 1) * sizeof(set->p[0]))) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	for (i = 0; i < n; i++)
		if (arg[i].kind == ARG_SVM && arg[i].word != 0)
			set->p[set->count++] = (void *)(uintptr_t)arg[i].word;
	for (j = 0; j < KERNEL_EXEC_KINDS; j++)
		take_exec(set, &k->exec[j]);
	return CL_SUCCESS;
}

void
usm_set_fini(struct usm_set *set)
{
	free(set->p);
	set->p = NULL;
	set->count = 0;
}
