/* SPDX-License-Identifier: ISC */
/*
 * Programs from intermediate language, which here is SPIR-V.
 */
#include "icd-vgpu/program.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/platform.h"
#include "icd-vgpu/spirv.h"

/* Does a device of the context take intermediate language? */
static bool
takes_il(const struct context *c)
{
	const char *text;
	size_t n;
	cl_uint i;

	for (i = 0; i < c->device_count; i++) {
		text = device_info(c->device[i], CL_DEVICE_IL_VERSION, &n);
		if (text != NULL && n > 1)
			return true;
	}
	return false;
}

static cl_int
send_il(struct program *p, const void *il, size_t length)
{
	struct msg_clCreateProgramWithIL m = {
		.context.id = p->context->o.id,
		.code = { il, length },
		.id.id = p->o.id,
	};

	if ((p->il = malloc(length)) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	memcpy(p->il, il, length);
	p->il_len = length;
	return call_async(&desc_clCreateProgramWithIL, &m, 0);
}

cl_program
icd_clCreateProgramWithIL(cl_context context, const void *il, size_t length,
    cl_int *errcode_ret)
{
	struct context *c = context_check(context);
	struct program *p = NULL;
	cl_int code;

	if (c == NULL)
		code = CL_INVALID_CONTEXT;
	else if (!takes_il(c))
		code = CL_INVALID_OPERATION;
	else if (il == NULL || !spirv_is_module(il, length))
		code = CL_INVALID_VALUE;
	else if ((p = program_new(c, PROGRAM_IL, 0, NULL)) == NULL)
		code = CL_OUT_OF_HOST_MEMORY;
	else
		code = send_il(p, il, length);
	return program_give(p, code, errcode_ret);
}

cl_int
icd_clSetProgramSpecializationConstant(cl_program program, cl_uint spec_id,
    size_t spec_size, const void *spec_value)
{
	struct program *p = program_check(program);
	struct msg_clSetProgramSpecializationConstant m;
	size_t size;

	if (p == NULL || p->origin != PROGRAM_IL)
		return CL_INVALID_PROGRAM;
	if ((size = spirv_constant_size(p->il, p->il_len, spec_id)) == 0)
		return CL_INVALID_SPEC_ID;
	if (spec_size != size || spec_value == NULL)
		return CL_INVALID_VALUE;
	m.program.id = p->o.id;
	m.spec_id = spec_id;
	m.value = (struct span){ spec_value, spec_size };
	return call_async(&desc_clSetProgramSpecializationConstant, &m, 0);
}
