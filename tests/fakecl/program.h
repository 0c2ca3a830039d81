/* SPDX-License-Identifier: ISC */
/*
 * program - programs, and the kernels that their source declares.
 *
 * Only declarations are read; what a kernel does depends on its name (run.c).
 */
#ifndef VGPU_TESTS_FAKECL_PROGRAM_H
#define VGPU_TESTS_FAKECL_PROGRAM_H

#include "tests/fakecl/object.h"

#define NAME_MAX_ 64
#define PARAMS_MAX 16
#define KERNELS_MAX 16
#define VALUE_MAX 64

struct param {
	char type[NAME_MAX_], name[NAME_MAX_];
	cl_kernel_arg_address_qualifier address;
	cl_kernel_arg_type_qualifier qualifier;
};

struct declaration {
	char name[NAME_MAX_];
	unsigned count;
	struct param param[PARAMS_MAX];
};

struct _cl_program {
	struct object o;
	cl_context context;
	char *source;
	bool il;
	cl_uint constant;	/* number 0 of an intermediate language */
	cl_uint built_constant;	/* as it was at the last build */
	cl_build_status status;
	char options[256], log[256];
	unsigned count;
	struct declaration kernel[KERNELS_MAX];
};

struct value {
	bool set;
	size_t size;
	cl_mem mem;
	unsigned char bytes[VALUE_MAX];
};

struct _cl_kernel {
	struct object o;
	cl_program program;
	const struct declaration *declaration;
	struct value value[PARAMS_MAX];
};

/* Read the declarations; false: an error, whose text goes to the log. */
bool source_read(cl_program);

/* One launch with the kernel's values as they are now. */
struct launch {
	cl_kernel kernel;	/* a reference; the values below are a copy */
	size_t items;
	cl_uint device;		/* its number */
	struct value value[PARAMS_MAX];
};

cl_int launch_run(void *launch);

#endif
