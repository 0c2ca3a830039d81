/* SPDX-License-Identifier: ISC */
/*
 * shape - what the host's compiler found out about a program's kernels.
 *
 * Sent with the answer of a build, so that names, arguments and work-group
 * limits can be checked and told without asking again.
 */
#ifndef VGPU_ICD_SHAPE_H
#define VGPU_ICD_SHAPE_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "protocol/codec.h"

struct arg_shape {
	uint32_t kind;		/* enum arg_kind */
	size_t size;		/* of a value; 0: any, or no value */
	cl_uint address, access;
	cl_ulong qualifier;
	const char *type, *name;
};

/* One kernel on one device. */
struct work_shape {
	size_t work_group_size;	/* 0: not built for the device */
	size_t compile_size[3];
	cl_ulong local_size, private_size;
	size_t multiple;
	bool has_global_size;	/* built-in kernels and custom devices */
	size_t global_size[3];
};

struct kernel_shape {
	void *bytes;		/* what the strings point into */
	const char *name, *attributes;
	bool arg_info;		/* types and names are known */
	bool arg_info_asked;	/* and may be told; else see device_arg_info */
	cl_uint arg_count;
	struct arg_shape *arg;
	cl_uint work_count;	/* devices of the program */
	struct work_shape *work;
};

/*
 * Make shapes of n kernel_records for a program of that many devices.
 * VGPU_EPROTO: a record does not decode.  VGPU_ENOMEM.
 */
enum vgpu_err shapes_take(struct kernel_shape **, cl_uint *count,
    struct span records, cl_uint devices, struct err_text *);

void shapes_free(struct kernel_shape *, cl_uint count);

#endif
