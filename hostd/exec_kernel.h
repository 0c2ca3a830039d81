/* SPDX-License-Identifier: ISC */
/*
 * exec_kernel - kernels, their arguments, and launches.
 */
#ifndef VGPU_HOSTD_EXEC_KERNEL_H
#define VGPU_HOSTD_EXEC_KERNEL_H

#include "hostd/serve.h"

/*
 * Take over the arguments that changed, also for a launch that will fail, as
 * the client does not send them again.  False: the connection has failed.
 */
bool vkernel_set_args(struct serve *, void *kernel, unsigned member,
    struct span args);

#endif
