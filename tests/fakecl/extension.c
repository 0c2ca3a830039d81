/* SPDX-License-Identifier: ISC */
/*
 * extension - functions of extensions.
 */
#include "tests/fakecl/calls.h"

#include <string.h>

#include "tests/fakecl/program.h"

/* What a real vendor would not choose: the global size, up to 7. */
static cl_int CL_API_CALL
fake_clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue q, cl_kernel k,
    cl_uint dim, const size_t *offset, const size_t *global, size_t *local)
{
	cl_uint i;

	(void)offset;
	PLAY();
	CHECK(fake_is(q, KIND_QUEUE), CL_INVALID_COMMAND_QUEUE);
	CHECK(fake_is(k, KIND_KERNEL), CL_INVALID_KERNEL);
	for (i = 0; i < dim; i++)
		local[i] = global[i] < 7 ? global[i] : 7;
	return CL_SUCCESS;
}

static const struct {
	const char *name;
	void *function;
} functions[] = {
	{ "clGetKernelSuggestedLocalWorkSizeKHR",
	    (void *)fake_clGetKernelSuggestedLocalWorkSizeKHR },
};

void *
fake_extension_function(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (strcmp(name, functions[i].name) == 0)
			return functions[i].function;
	return NULL;
}
