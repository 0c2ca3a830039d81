/* SPDX-License-Identifier: ISC */
/*
 * build_reply - what the client is told of a build, in the job's worker: how it
 * ended on each device, the vendor's logs, and all about the kernels.
 */
#ifndef VGPU_HOSTD_BUILD_REPLY_H
#define VGPU_HOSTD_BUILD_REPLY_H

#include <CL/cl.h>

struct build_job;

/*
 * Reply; status is what the build returned.  A good one is kept for others if
 * the job wants that, and its program learns the kinds of its kernels' arguments.
 */
void build_reply_send(struct build_job *, cl_int status);

#endif
