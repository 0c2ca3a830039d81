/* SPDX-License-Identifier: ISC */
/*
 * launch - commands that run kernels, and the checks before one is sent.
 */
#ifndef VGPU_ICD_LAUNCH_H
#define VGPU_ICD_LAUNCH_H

#include "icd-vgpu/kernel.h"
#include "icd-vgpu/queue.h"

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

#endif
