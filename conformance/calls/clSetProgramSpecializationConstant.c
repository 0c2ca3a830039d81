/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

void
check_clSetProgramSpecializationConstant(struct world *w)
{
	const cl_uint value = 9;
	const size_t n = sizeof(value);
	cl_program p = NULL;
	cl_int e;

	if (older(w, 22))
		return;
	WANT_HANDLE(w, "program", cl_program,
	    clSetProgramSpecializationConstant(h, WORLD_SPEC_ID, n, &value),
	    CL_INVALID_PROGRAM);
	WANT(w, "program of source", clSetProgramSpecializationConstant(
	    world_program(w), WORLD_SPEC_ID, n, &value), CL_INVALID_PROGRAM,
	    CL_INVALID_OPERATION);
	if (!world_takes_il(w)) {
		skip(w, "program of IL", "the device takes none");
		return;
	}
	p = clCreateProgramWithIL(w->context, world_il, world_il_size, &e);
	must(e, "clCreateProgramWithIL");
	WANT(w, "value nowhere", clSetProgramSpecializationConstant(p,
	    WORLD_SPEC_ID, n, NULL), CL_INVALID_VALUE);
	WANT(w, "no such id", clSetProgramSpecializationConstant(p, 12345, n,
	    &value), CL_INVALID_SPEC_ID);
	WANT(w, "too small", clSetProgramSpecializationConstant(p,
	    WORLD_SPEC_ID, 2, &value), CL_INVALID_VALUE);
	WANT(w, "too large", clSetProgramSpecializationConstant(p,
	    WORLD_SPEC_ID, 8, world_il), CL_INVALID_VALUE);
	WANT(w, "no size", clSetProgramSpecializationConstant(p,
	    WORLD_SPEC_ID, 0, &value), CL_INVALID_VALUE);
	WANT(w, "a value", clSetProgramSpecializationConstant(p,
	    WORLD_SPEC_ID, n, &value), CL_SUCCESS);
	WANT(w, "it builds", clBuildProgram(p, 1, &w->device, "", NULL, NULL),
	    CL_SUCCESS);
	clReleaseProgram(p);
}
