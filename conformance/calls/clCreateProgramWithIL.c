/* SPDX-License-Identifier: ISC */
#include <string.h>

#include "conformance/calls/calls.h"

static cl_program
make(struct world *w, const void *il, size_t n)
{
	return clCreateProgramWithIL(w->context, il, n, &w->err);
}

static void
malformed(struct world *w)
{
	const char noise[64] = "this is no intermediate language at all";
	cl_uint copy[64];

	WANT_NEW(w, "noise", make(w, noise, sizeof(noise)),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "its head alone", make(w, world_il, 12),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "not a number of words", make(w, world_il,
	    world_il_size - 2), CL_INVALID_VALUE);
	must(world_il_size > sizeof(copy) ? CL_INVALID_VALUE : CL_SUCCESS,
	    "size of world_il");
	memcpy(copy, world_il, world_il_size);
	copy[world_il_size / 4 - 1] = 0x00070038;
	WANT_NEW(w, "an instruction beyond the end", make(w, copy,
	    world_il_size), CL_INVALID_VALUE);
	memcpy(copy, world_il, world_il_size);
	copy[5] = 0x00000011;
	WANT_NEW(w, "an instruction of no words", make(w, copy,
	    world_il_size), CL_INVALID_VALUE);
}

static void
right(struct world *w)
{
	cl_program p = NULL;
	unsigned char got[512] = { 0 };
	cl_kernel k = NULL;
	size_t n = 0;

	WANT_NEW(w, "a module", p = make(w, world_il, world_il_size),
	    CL_SUCCESS);
	if (p == NULL)
		return;
	WANT(w, "its text", clGetProgramInfo(p, CL_PROGRAM_IL, sizeof(got),
	    got, &n), CL_SUCCESS);
	IS(w, "its text is as it was", n == world_il_size &&
	    memcmp(got, world_il, n) == 0);
	WANT(w, "it has no source", clGetProgramInfo(p, CL_PROGRAM_SOURCE,
	    sizeof(got), got, &n), CL_SUCCESS);
	IS(w, "its source is an empty string", n <= 1);
	WANT(w, "it builds", clBuildProgram(p, 1, &w->device, "", NULL, NULL),
	    CL_SUCCESS);
	WANT_NEW(w, "it has its kernel", k = clCreateKernel(p, "f", &w->err),
	    CL_SUCCESS);
	if (k != NULL)
		clReleaseKernel(k);
	clReleaseProgram(p);
}

void
check_clCreateProgramWithIL(struct world *w)
{
	if (older(w, 21))
		return;
	WANT_HANDLE_NEW(w, "context", cl_context, clCreateProgramWithIL(h,
	    world_il, world_il_size, &w->err), CL_INVALID_CONTEXT);
	if (!world_takes_il(w)) {
		WANT_NEW(w, "no device takes any", make(w, world_il,
		    world_il_size), CL_INVALID_OPERATION);
		return;
	}
	WANT_NEW(w, "a module nowhere", make(w, NULL, 4), CL_INVALID_VALUE);
	WANT_NEW(w, "a module of no bytes", make(w, world_il, 0),
	    CL_INVALID_VALUE);
	malformed(w);
	right(w);
}
