/* SPDX-License-Identifier: ISC */
#include "hostd/kernel_member.h"

#include <stdlib.h>
#include <string.h>

#include "hostd/exec_program.h"
#include "hostd/member.h"

struct kept_arg {
	uint8_t set;		/* bit m: in member m */
	bool has_value;		/* local memory has none */
	size_t size;
	uint8_t value[];
};

cl_int
kernel_member_keep(struct varg *to, const struct arg *arg)
{
	const size_t n = arg->value != NULL ? arg->size : 0;
	struct kept_arg *kept;

	kernel_member_forget(to);
	if (arg->kind == ARG_SVM)
		return CL_INVALID_ARG_VALUE;
	if ((kept = malloc(sizeof(*kept) + n)) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
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
	const struct recipe *r = k->o.recipe;
	struct msg_clCreateKernel m;
	cl_int code = CL_SUCCESS;

	if (native(k, member) != NULL)
		return CL_SUCCESS;
	if (native(k->program, member) == NULL)
		return CL_INVALID_PROGRAM_EXECUTABLE;
	if (r == NULL || r->number != MSG_clCreateKernel || codec_decode(
	    r->body, r->len, desc_clCreateKernel.fields,
	    desc_clCreateKernel.field_count, &m, NULL) != VGPU_OK)
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
