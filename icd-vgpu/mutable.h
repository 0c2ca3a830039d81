/* SPDX-License-Identifier: ISC */
/*
 * mutable - launches in command buffers, and their changes
 * (cl_khr_command_buffer_mutable_dispatch).
 *
 * A launch belongs to its command buffer and ends with it.
 */
#ifndef VGPU_ICD_MUTABLE_H
#define VGPU_ICD_MUTABLE_H

#include "icd-vgpu/command_buffer.h"
#include "icd-vgpu/launch.h"

struct mutable_command {
	struct object o;
	TAILQ_ENTRY(mutable_command) entry;
	struct command_buffer *buffer;
	cl_uint number;			/* in the buffer, from 1 */
	struct kernel *kernel;		/* a use of the program's */
	struct kernel *clone;		/* with the arguments of the launch */
	cl_ulong *property;		/* as given, with the final 0 */
	size_t property_count;
	cl_bitfield fields;		/* that may be changed */
	cl_uint dim;
	size_t offset[3], global[3], local[3];
	bool has_global, has_local;
};

/* With the buffer's lock held: record a launch. */
cl_int mutable_record(struct command_buffer *, const cl_ulong *properties,
    cl_kernel, const struct range *, struct mutable_command **);

/* The end of all launches of a command buffer. */
void mutable_drop_all(struct mutable_commands *);

#endif
