/* SPDX-License-Identifier: ISC */
#include <string.h>

#include "conformance/calls/calls.h"

static cl_int
ask(struct world *w, void *object, cl_uint param, size_t size, void *value,
    size_t *size_ret)
{
	(void)w;
	return clGetKernelArgInfo(object, 0, param, size, value, size_ret);
}

static void
right(struct world *w, cl_kernel k)
{
	cl_kernel_arg_address_qualifier address = 0;
	cl_kernel_arg_type_qualifier type = 0;
	char text[32] = "";

	WANT(w, "name", clGetKernelArgInfo(k, 1, CL_KERNEL_ARG_NAME,
	    sizeof(text), text, NULL), CL_SUCCESS);
	IS(w, "its name", strcmp(text, "second") == 0);
	WANT(w, "type", clGetKernelArgInfo(k, 1, CL_KERNEL_ARG_TYPE_NAME,
	    sizeof(text), text, NULL), CL_SUCCESS);
	IS(w, "its type", strcmp(text, "uint4") == 0);
	WANT(w, "address space", clGetKernelArgInfo(k, 0,
	    CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof(address), &address,
	    NULL), CL_SUCCESS);
	IS(w, "its address space", address == CL_KERNEL_ARG_ADDRESS_GLOBAL);
	WANT(w, "qualifiers", clGetKernelArgInfo(k, 0,
	    CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof(type), &type, NULL),
	    CL_SUCCESS);
	IS(w, "its qualifiers", type == CL_KERNEL_ARG_TYPE_CONST);
}

void
check_clGetKernelArgInfo(struct world *w)
{
	cl_program p = world_build(w,
	    "kernel void f(global const int *first, uint4 second) {}\n",
	    "-cl-kernel-arg-info");
	cl_kernel k = world_kernel_of(w, p, "f");
	size_t n;

	if (older(w, 12))
		return;
	query_cases(w, &(struct query){ .ask = ask, .object = k,
	    .type = "cl_kernel", .no_object = CL_INVALID_KERNEL,
	    .param = CL_KERNEL_ARG_NAME, .size = sizeof("first") });
	WANT(w, "no such argument", clGetKernelArgInfo(k, 2,
	    CL_KERNEL_ARG_NAME, 0, NULL, &n), CL_INVALID_ARG_INDEX);
	WANT(w, "argument -1", clGetKernelArgInfo(k, (cl_uint)-1,
	    CL_KERNEL_ARG_NAME, 0, NULL, &n), CL_INVALID_ARG_INDEX);
	right(w, k);
	clReleaseKernel(k);
	clReleaseProgram(p);
}
