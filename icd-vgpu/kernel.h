/* SPDX-License-Identifier: ISC */
/*
 * kernel - kernel objects and the values of their arguments.
 *
 * clSetKernelArg checks its value against the shape that the build left
 * behind, and keeps it here; a launch takes along what changed since the one
 * before.  Objects in arguments are kept in use until they are replaced.
 */
#ifndef VGPU_ICD_KERNEL_H
#define VGPU_ICD_KERNEL_H

#include <pthread.h>

#include "icd-vgpu/object.h"
#include "icd-vgpu/program.h"

struct kernel_arg {
	bool set;
	bool changed;		/* since the last launch */
	uint32_t kind;		/* enum arg_kind, as it is to travel */
	uint64_t size;
	uint64_t word;		/* an id or an address */
	uint8_t *value;		/* a value's bytes, in room for more */
	size_t room;
	struct object *object;	/* held, not used */
};

/* What clSetKernelExecInfo was told, for clones. */
struct kernel_exec {
	cl_kernel_exec_info param;
	size_t n;
	void *value;	/* NULL: nothing */
};
#define KERNEL_EXEC_KINDS 7

struct kernel {
	struct object o;
	struct program *program;
	const struct kernel_shape *shape;	/* the program's */

	pthread_mutex_t lock;	/* of what follows */
	cl_uint unset;		/* arguments that were never set */
	struct kernel_arg *arg;
	struct arg *changed;	/* room for a message's arguments */
	struct kernel_exec exec[KERNEL_EXEC_KINDS];
};

/* The kernel of a handle, NULL when it is none. */
static inline struct kernel *
kernel_check(cl_kernel handle)
{
	return (struct kernel *)object_check(handle, OBJ_KERNEL);
}

/*
 * The kernel's place among its program's devices; device_count: not built for
 * this one.  NULL means the only device (OpenCL 3.0, 5.9.4).
 */
cl_uint kernel_device_index(const struct kernel *, const struct device *);

/*
 * What clSetKernelArg, clSetKernelArgSVMPointer and clSetKernelExecInfo would
 * say, without setting anything.
 */
cl_int kernel_check_arg(const struct kernel *, cl_uint index, size_t size,
    const void *value);
cl_int kernel_check_svm_arg(const struct kernel *, cl_uint index,
    const void *value);
cl_int kernel_check_exec(const struct kernel *, cl_kernel_exec_info, size_t,
    const void *value);

/*
 * With from's lock held: copy all arguments of another kernel of the same
 * shape.  CL_OUT_OF_HOST_MEMORY: some are copied.
 */
cl_int kernel_copy_args(struct kernel *, const struct kernel *from);

/* The same for what clSetKernelExecInfo was told. */
cl_int kernel_copy_exec(struct kernel *, const struct kernel *from);

#endif
