/* SPDX-License-Identifier: ISC */
#include <string.h>

#include "conformance/calls/calls.h"

static cl_int
ask(struct world *w, void *object, cl_uint param, size_t size, void *value,
    size_t *size_ret)
{
	(void)w;
	return clGetKernelInfo(object, param, size, value, size_ret);
}

void
check_clGetKernelInfo(struct world *w)
{
	cl_kernel k = world_kernel(w);
	cl_context c = NULL;
	cl_program p = NULL;
	char text[64] = "x";
	cl_uint n = 77;

	query_cases(w, &(struct query){ .ask = ask, .object = k,
	    .type = "cl_kernel", .no_object = CL_INVALID_KERNEL,
	    .param = CL_KERNEL_FUNCTION_NAME, .size = sizeof("add") });
	query_cases(w, &(struct query){ .ask = ask, .object = k,
	    .type = "cl_kernel", .no_object = CL_INVALID_KERNEL,
	    .param = CL_KERNEL_NUM_ARGS, .size = sizeof(cl_uint) });
	must(clGetKernelInfo(k, CL_KERNEL_FUNCTION_NAME, sizeof(text), text,
	    NULL), "CL_KERNEL_FUNCTION_NAME");
	IS(w, "its name", strcmp(text, "add") == 0);
	must(clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, sizeof(n), &n, NULL),
	    "CL_KERNEL_NUM_ARGS");
	IS(w, "it has three arguments", n == 3);
	must(clGetKernelInfo(k, CL_KERNEL_CONTEXT, sizeof(c), &c, NULL),
	    "CL_KERNEL_CONTEXT");
	IS(w, "its context", c == w->context);
	must(clGetKernelInfo(k, CL_KERNEL_PROGRAM, sizeof(p), &p, NULL),
	    "CL_KERNEL_PROGRAM");
	IS(w, "its program", p == world_program(w));
	if (older(w, 12))
		return;
	WANT(w, "attributes", clGetKernelInfo(k, CL_KERNEL_ATTRIBUTES,
	    sizeof(text), text, NULL), CL_SUCCESS);
	IS(w, "it has none", text[0] == '\0');
}
