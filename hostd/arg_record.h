/* SPDX-License-Identifier: ISC */
/*
 * arg_record - what a client has to know of an argument of a kernel.
 *
 * What the vendor tells is used where it tells.  Sizes of values, which no query
 * tells, and everything else where it does not, are found by trying
 * clSetKernelArg; so the kernel is not to be launched afterwards.
 */
#ifndef VGPU_HOSTD_ARG_RECORD_H
#define VGPU_HOSTD_ARG_RECORD_H

#include <CL/cl.h>
#include <stdbool.h>

#include "common/buf.h"
#include "protocol/messages.h"

struct kernel_kinds;

/*
 * Encode the record of argument i in a new buffer, and enter its kind.  True: the
 * vendor told.
 */
bool arg_record_encode(cl_kernel, cl_uint i, struct buf *,
    struct kernel_kinds *);

/* Is the parameter for reading, as the vendor tells of it? */
bool arg_record_reads_only(const struct msg_arg_record *);

#endif
