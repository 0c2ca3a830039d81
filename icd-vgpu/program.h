/* SPDX-License-Identifier: ISC */
/*
 * program - program objects, and what their builds left behind.
 *
 * The source stays here verbatim for queries; the host gets a copy.  A build
 * (build.h) answers with a record for each device and each kernel, from which
 * kernels are made, checked and described without asking again.  A program
 * can't be built anew while it has kernels (OpenCL 3.0, 5.8.2), so they may
 * point into it.
 */
#ifndef VGPU_ICD_PROGRAM_H
#define VGPU_ICD_PROGRAM_H

#include <pthread.h>

#include "icd-vgpu/object.h"
#include "icd-vgpu/shape.h"

struct context;
struct destructors;
struct device;

enum program_origin {
	PROGRAM_SOURCE, PROGRAM_BINARY, PROGRAM_BUILT_IN, PROGRAM_IL,
	PROGRAM_LINKED
};

/* A device that the program is associated with, and its last build there. */
struct program_device {
	struct device *device;
	cl_build_status status;
	cl_program_binary_type type;
	char *options;		/* as given; NULL: never built */
	char *log;		/* NULL: empty */
	size_t global_size;	/* of program-scope variables */
};

/* A binary in its container (binary.h). */
struct program_binary {
	uint8_t *p;
	size_t n;
};

struct program {
	struct object o;
	struct context *context;
	enum program_origin origin;
	cl_uint device_count;
	struct program_device *device;
	char *source;		/* with its NUL; NULL: none */
	size_t source_len;	/* without it */
	void *il;
	size_t il_len;
	char *built_in;		/* names of built-in kernels, or NULL */

	pthread_mutex_t lock;	/* of what follows and of the builds above */
	bool building;
	bool non_uniform;	/* work-groups at the edge may be smaller */
	cl_uint kernels;	/* that exist */
	struct kernel_shape *shape;
	cl_uint shape_count;
	struct program_binary *binary;	/* fetched, one a device; or NULL */
	struct destructors *destructors;
};

/* The program of a handle, NULL when it is none. */
static inline struct program *
program_check(cl_program handle)
{
	return (struct program *)object_check(handle, OBJ_PROGRAM);
}

/*
 * A new program for n devices of the context: those of a list of handles that
 * was checked, or all of the context's when the list is NULL.  NULL: out of
 * memory.
 */
struct program *program_new(struct context *, enum program_origin,
    cl_uint n, const cl_device_id *list);

/*
 * Check a list of devices that has to be there, all of the context:
 * CL_INVALID_VALUE, CL_INVALID_DEVICE.
 */
cl_int program_check_devices(const struct context *, cl_uint n,
    const cl_device_id *list);

/* End a creation: hand out the program, or drop it and its error. */
cl_program program_give(struct program *, cl_int code, cl_int *errcode_ret);

/*
 * The program's devices that a call names, as indices: the list's, or all when
 * it is null.  index has room for device_count.  CL_INVALID_VALUE: one of
 * count and list is missing.  CL_INVALID_DEVICE: not one of the program's.
 */
cl_int program_device_list(const struct program *, cl_uint n,
    const cl_device_id *list, cl_uint *index, cl_uint *count);

/* The index of a device; device_count: the program is not for it. */
cl_uint program_device_index(const struct program *, const struct device *);

/* With the lock held: was an executable built for a device, or for any? */
bool program_is_executable(const struct program_device *);
bool program_has_executable(const struct program *);

/* With the lock held: forget fetched binaries. */
void program_drop_binaries(struct program *);

#endif
