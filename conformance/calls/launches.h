/* SPDX-License-Identifier: ISC */
/*
 * launches - kernels for clEnqueueNDRangeKernel and clEnqueueTask.
 */
#ifndef VGPU_CONFORMANCE_CALLS_LAUNCHES_H
#define VGPU_CONFORMANCE_CALLS_LAUNCHES_H

#include "conformance/calls/calls.h"

/* The world's kernel with its arguments set. */
cl_kernel ready_kernel(struct world *);

/* Kernels of a program of their own, which the caller releases. */
struct launches {
	cl_program program;
	cl_kernel plain;	/* one(global int *) */
	cl_kernel required;	/* of work-groups of 4 x 2 x 1 */
};
void launches_open(struct world *, struct launches *);
void launches_close(struct launches *);

#endif
