/* SPDX-License-Identifier: ISC */
#include "hostd/kernel_member.h"

#include <stdlib.h>
#include <string.h>

#include "hostd/exec_program.h"
#include "hostd/exec_svm.h"
#include "hostd/member.h"
#include "hostd/remake.h"

struct kept_arg {
	uint8_t kind;		/* enum arg_kind */
	uint8_t set;		/* bit m: in member m */
	bool has_value;		/* local memory has none */
	size_t size, room;
	uint8_t value[];
};

cl_int
kernel_member_keep(struct varg *to, const struct arg *arg)
{
	const size_t n = arg->value != NULL ? arg->size : 0;
	struct kept_arg *kept = to->kept;

	/* Most are set again and again to values of one size. */
	if (kept == NULL || kept->room < n) {
		kernel_member_forget(to);
		if ((kept = malloc(sizeof(*kept) + n)) == NULL)
			return CL_OUT_OF_HOST_MEMORY;
		kept->room = n;
	}
	kept->kind = (uint8_t)arg->kind;
	kept->set = 0;
	kept->has_value = arg->value != NULL;
	kept->size = arg->size;
	if (n > 0)
		memcpy(kept->value, arg->value, n);
	to->kept = kept;
	return CL_SUCCESS;
}

void
kernel_member_forget(struct varg *a)
{
	free(a->kept);
	a->kept = NULL;
}

cl_int
kernel_member_make(struct vkernel *k, unsigned member)
{
	struct msg_clCreateKernel m;
	cl_int code = CL_SUCCESS;

	if (native(k, member) != NULL)
		return CL_SUCCESS;
	if (native(k->program, member) == NULL)
		return CL_INVALID_PROGRAM_EXECUTABLE;
	if (!recipe_decode(&k->o, &desc_clCreateKernel, &m))
		return CL_INVALID_KERNEL;
	k->o.native[member] = clCreateKernel(native(k->program, member),
	    m.kernel_name.p, &code);
	return code;
}

/* The native handle of an object argument. */
static cl_int
find_handle(const struct varg *a, unsigned member, void **handle)
{
	struct vobj *o = a->object;
	cl_int code = CL_SUCCESS;

	*handle = NULL;
	if (o == NULL)
		return CL_SUCCESS;
	if (o->error != CL_SUCCESS)
		return o->error;
	if (o->kind == OBJ_MEM)
		code = member_mem_make((struct vmem *)o, member);
	*handle = native(o, member);
	return code;
}

static cl_int
set_arg(const struct vkernel *k, unsigned member, unsigned i)
{
	const struct varg *a = &k->arg[i];
	void *handle;
	cl_int code;

	if (a->kept->kind == ARG_SVM)
		return clSetKernelArgSVMPointer(native(k, member), i, NULL);
	if (a->kind == ARG_VALUE || a->kind == ARG_LOCAL)
		return clSetKernelArg(native(k, member), i, a->kept->size,
		    a->kept->has_value ? a->kept->value : NULL);
	code = find_handle(a, member, &handle);
	if (code != CL_SUCCESS)
		return code;
	return clSetKernelArg(native(k, member), i, sizeof(handle), &handle);
}

cl_int
kernel_member_ready(struct vkernel *k, unsigned member)
{
	const uint8_t bit = (uint8_t)(1u << member);
	struct kept_arg *kept;
	cl_int code = kernel_member_make(k, member);
	unsigned i;

	for (i = 0; i < k->arg_count && code == CL_SUCCESS; i++) {
		if ((kept = k->arg[i].kept) == NULL || (kept->set & bit))
			continue;
		code = set_arg(k, member, i);
		if (code == CL_SUCCESS)
			kept->set |= bit;
	}
	return code;
}

static cl_int
set_exec_info(const struct vkernel *k, unsigned member)
{
	cl_int code = CL_SUCCESS;
	size_t at = 0, n;
	const void *value;
	uint32_t param;

	while (code == CL_SUCCESS && (value = infoset_next(&k->exec_info, &at,
	    &param, &n)) != NULL)
		code = clSetKernelExecInfo(native(k, member), param, n, value);
	return code;
}

cl_int
kernel_member_again(struct vkernel *k, unsigned member)
{
	cl_int code = kernel_member_make(k, member);
	unsigned i;

	if (code == CL_SUCCESS)
		code = set_exec_info(k, member);

	for (i = 0; i < k->arg_count && code == CL_SUCCESS; i++)
		if (k->arg[i].kept != NULL && k->arg[i].error == CL_SUCCESS)
			code = set_arg(k, member, i);
	return code;
}
