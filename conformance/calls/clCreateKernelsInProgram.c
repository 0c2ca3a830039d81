/* SPDX-License-Identifier: ISC */
#include <string.h>

#include "conformance/calls/calls.h"

static bool
is_named(cl_kernel k, const char *name)
{
	char text[16] = "";

	return k != NULL && clGetKernelInfo(k, CL_KERNEL_FUNCTION_NAME,
	    sizeof(text), text, NULL) == CL_SUCCESS && strcmp(text, name) == 0;
}

static void
right(struct world *w, cl_program p)
{
	cl_kernel list[4] = { NULL };
	cl_uint n = 77;

	WANT(w, "the number alone", clCreateKernelsInProgram(p, 0, NULL, &n),
	    CL_SUCCESS);
	IS(w, "there are two", n == 2);
	WANT(w, "nothing asked", clCreateKernelsInProgram(p, 0, NULL, NULL),
	    CL_SUCCESS);
	WANT(w, "all, with more room", clCreateKernelsInProgram(p, 4, list,
	    &n), CL_SUCCESS);
	IS(w, "they are two", n == 2 && list[0] != NULL && list[1] != NULL &&
	    list[2] == NULL);
	IS(w, "they are the program's",
	    (is_named(list[0], "f") && is_named(list[1], "g")) ||
	    (is_named(list[0], "g") && is_named(list[1], "f")));
	for (n = 0; n < 2; n++)
		if (list[n] != NULL)
			clReleaseKernel(list[n]);
}

void
check_clCreateKernelsInProgram(struct world *w)
{
	const char *text = "kernel void f(void) {}\nkernel void g(void) {}\n";
	cl_program p = world_build(w, text, "");
	cl_program unbuilt = world_source(w, w->context, text);
	cl_kernel list[2] = { NULL };
	cl_uint n = 77;

	WANT_HANDLE(w, "program", cl_program, clCreateKernelsInProgram(h, 2,
	    list, &n), CL_INVALID_PROGRAM);
	WANT(w, "program that was not built", clCreateKernelsInProgram(
	    unbuilt, 2, list, &n), CL_INVALID_PROGRAM_EXECUTABLE);
	WANT(w, "room for fewer", clCreateKernelsInProgram(p, 1, list, &n),
	    CL_INVALID_VALUE);
	WANT(w, "room for none", clCreateKernelsInProgram(p, 0, list, &n),
	    CL_INVALID_VALUE);
	IS(w, "nothing was written", n == 77 && list[0] == NULL);
	right(w, p);
	clReleaseProgram(p);
	clReleaseProgram(unbuilt);
}
