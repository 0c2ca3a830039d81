/* SPDX-License-Identifier: ISC */
/*
 * launch - commands that run kernels, and the checks before one is sent.
 */
#ifndef VGPU_ICD_LAUNCH_H
#define VGPU_ICD_LAUNCH_H

#include "icd-vgpu/kernel.h"
#include "icd-vgpu/command.h"

/* The index space of a launch; arrays of dim elements, or NULL. */
struct range {
	cl_uint dim;
	const size_t *offset, *global, *local;
};

/*
 * Check a launch against kernel and device in the specification's order
 * (OpenCL 3.0, 5.10), all but arguments and wait list.  Without a local size
 * the one that the source requires is filled in, which some vendors demand.
 */
cl_int launch_check(const struct kernel *, const struct queue *,
    struct range *);

/*
 * With the kernel's lock held and all arguments set: those that the host does
 * not have yet, as a message's arg[].  May the command (NULL: none) use them?
 * If not, the code.  Till launch_give_back they stay alive.
 */
cl_int launch_gather(struct kernel *, const struct command *, struct span *);
void launch_give_back(struct kernel *);

/* They have been sent. */
void launch_sent(struct kernel *, const struct span *);

static inline struct span
launch_sizes(const size_t *array, cl_uint dim)
{
	return (struct span){ array, array != NULL ? dim : 0 };
}

#endif
