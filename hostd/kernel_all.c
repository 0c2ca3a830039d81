/* SPDX-License-Identifier: ISC */
#include "hostd/kernel_all.h"

#include <stdlib.h>
#include <string.h>

/* Names of kernels, separated by semicolons; NULL: they are not told. */
static char *
all_names(cl_program p)
{
	size_t n = 0;
	char *names;

	if (clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, 0, NULL, &n) !=
	    CL_SUCCESS || (names = calloc(1, n + 1)) == NULL)
		return NULL;
	if (n > 0 && clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, n, names,
	    NULL) != CL_SUCCESS)
		names[0] = '\0';
	return names;
}

static cl_uint
count_names(const char *names)
{
	cl_uint n = names[0] != '\0';

	for (; *names != '\0'; names++)
		n += *names == ';';
	return n;
}

static cl_int
make_named(cl_program p, char *names, cl_kernel *k, cl_uint *n)
{
	char *rest = NULL, *name;
	cl_int code = CL_SUCCESS, last = CL_SUCCESS;

	for (name = strtok_r(names, ";", &rest); name != NULL;
	    name = strtok_r(NULL, ";", &rest)) {
		k[*n] = clCreateKernel(p, name, &code);
		if (code == CL_SUCCESS)
			(*n)++;
		else
			last = code;
	}
	return *n > 0 ? CL_SUCCESS : last;
}

static cl_int
make_by_name(cl_program p, cl_kernel **out, cl_uint *n)
{
	char *names = all_names(p);
	cl_uint room;
	cl_int code;

	if (names == NULL || (room = count_names(names)) == 0) {
		free(names);
		return CL_SUCCESS;
	}
	*out = calloc(room, sizeof(cl_kernel));
	code = *out != NULL ? make_named(p, names, *out, n) :
	    CL_OUT_OF_HOST_MEMORY;
	free(names);
	return code;
}

cl_int
kernel_all_make(cl_program p, cl_kernel **out, cl_uint *n)
{
	cl_uint room = 0;
	cl_int code;

	*out = NULL;
	*n = 0;
	if (clCreateKernelsInProgram(p, 0, NULL, &room) != CL_SUCCESS) {
		code = make_by_name(p, out, n);
	} else if (room == 0) {
		return CL_SUCCESS;
	} else if ((*out = calloc(room, sizeof(cl_kernel))) == NULL) {
		return CL_OUT_OF_HOST_MEMORY;
	} else {
		code = clCreateKernelsInProgram(p, room, *out, n);
	}
	if (code != CL_SUCCESS) {
		free(*out);
		*out = NULL;
		*n = 0;
	}
	return code;
}
