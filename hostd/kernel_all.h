/* SPDX-License-Identifier: ISC */
/*
 * kernel_all - all kernels of a program, made once to be looked at.
 *
 * clCreateKernelsInProgram is made for it.  Intel's runtime fails it unless the
 * program is built for every device of its context; the names are there then.
 */
#ifndef VGPU_HOSTD_KERNEL_ALL_H
#define VGPU_HOSTD_KERNEL_ALL_H

#include <CL/cl.h>

/*
 * An array of n kernels, to be freed, each to be released; NULL and 0 where the
 * program has none.  CL_OUT_OF_HOST_MEMORY, or the vendor's code when it has
 * some and none can be made.
 */
cl_int kernel_all_make(cl_program, cl_kernel **, cl_uint *n);

#endif
