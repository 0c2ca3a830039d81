/* SPDX-License-Identifier: ISC */
/*
 * kernel_table - all that a client has to know of a program's kernels.
 *
 * Made once after a build, so that the client creates kernels, checks
 * arguments and answers queries without asking.
 */
#ifndef VGPU_HOSTD_KERNEL_TABLE_H
#define VGPU_HOSTD_KERNEL_TABLE_H

#include "hostd/exec_program.h"

struct kernel_table {
	unsigned count;
	struct buf *records;	/* encoded kernel_record each */
	struct span *spans;	/* of the records */
	struct kernel_kinds *kinds;
};

/*
 * Look at all kernels of a built program.  CL_SUCCESS, or the vendor's code or
 * CL_OUT_OF_HOST_MEMORY; after an error there is nothing to end.
 */
cl_int kernel_table_open(struct kernel_table *, const struct vprogram *);
void kernel_table_fini(struct kernel_table *);

#endif
