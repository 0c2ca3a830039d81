/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

/*
 * "kernel void f(void) {}" in SPIR-V 1.0, with a specialization constant of
 * 32 bits that nobody uses.  Names of ids: 1 void, 2 uint, 3 the constant,
 * 4 the function's type, 5 the function, 6 its block.
 */
const cl_uint world_il[] = {
	0x07230203, 0x00010000, 0, 7, 0,	/* magic, version, 7 ids */
	0x00020011, 4,				/* OpCapability Addresses */
	0x00020011, 6,				/* OpCapability Kernel */
	0x0003000e, 2, 2,			/* OpMemoryModel, 64 bits */
	0x0004000f, 6, 5, 'f',			/* OpEntryPoint Kernel 5 "f" */
	0x00040047, 3, 1, WORLD_SPEC_ID,	/* OpDecorate 3 SpecId */
	0x00020013, 1,				/* OpTypeVoid */
	0x00040015, 2, 32, 0,			/* OpTypeInt */
	0x00040032, 2, 3, 5,			/* OpSpecConstant */
	0x00030021, 4, 1,			/* OpTypeFunction */
	0x00050036, 1, 5, 0, 4,			/* OpFunction */
	0x000200f8, 6,				/* OpLabel */
	0x000100fd,				/* OpReturn */
	0x00010038,				/* OpFunctionEnd */
};
const size_t world_il_size = sizeof(world_il);

bool
world_takes_il(struct world *w)
{
	char text[256] = "";

	return w->version >= 21 && clGetDeviceInfo(w->device,
	    CL_DEVICE_IL_VERSION, sizeof(text), text, NULL) == CL_SUCCESS &&
	    text[0] != '\0';
}
