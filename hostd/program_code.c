/* SPDX-License-Identifier: ISC */
#include "hostd/program_code.h"

#include <CL/cl.h>

#include "hostd/remake.h"
#include "protocol/messages.h"

bool
program_code_get(struct program_code *code, const struct vobj *o,
    const struct infoset *constants)
{
	struct msg_clCreateProgramWithSource source;
	struct msg_clCreateProgramWithIL il;

	if (recipe_decode(o, &desc_clCreateProgramWithSource, &source)) {
		*code = (struct program_code){ source.source, false, NULL };
		return true;
	}
	if (!recipe_decode(o, &desc_clCreateProgramWithIL, &il))
		return false;
	*code = (struct program_code){ il.code, true, constants };
	return true;
}

cl_int
program_code_set(cl_program p, const struct infoset *constants, size_t at)
{
	cl_int code = CL_SUCCESS;
	const void *value;
	uint32_t id;
	size_t n;

	while (code == CL_SUCCESS && constants != NULL &&
	    (value = infoset_next(constants, &at, &id, &n)) != NULL)
		code = clSetProgramSpecializationConstant(p, id, n, value);
	return code;
}

cl_program
program_code_make(const struct program_code *c, cl_context context,
    cl_int *code)
{
	const char *text = c->bytes.p;
	size_t n = c->bytes.n;
	cl_program p;

	if (!c->il)
		return clCreateProgramWithSource(context, 1, &text, &n, code);
	p = clCreateProgramWithIL(context, text, n, code);
	if (p == NULL || *code != CL_SUCCESS)
		return NULL;
	if ((*code = program_code_set(p, c->constants, 0)) == CL_SUCCESS)
		return p;
	clReleaseProgram(p);
	return NULL;
}
