/* SPDX-License-Identifier: ISC */
/*
 * kernel_member - kernels of mixed contexts.
 *
 * A kernel is made in each member that launches it.  Its arguments are kept,
 * and set there before a launch if they have changed since.
 *
 * The loop thread's.
 */
#ifndef VGPU_HOSTD_KERNEL_MEMBER_H
#define VGPU_HOSTD_KERNEL_MEMBER_H

#include "hostd/kernel_arg.h"

/* An argument is set to this, for all members. */
cl_int kernel_member_keep(struct varg *, const struct arg *);
void kernel_member_forget(struct varg *);

/* Make the native kernel in a member, if it is not there. */
cl_int kernel_member_make(struct vkernel *, unsigned member);

/*
 * Make it in another member, of a context that has only one otherwise, and set
 * all arguments that could be set.  Pointers to shared memory are null: there
 * is none of it.
 */
cl_int kernel_member_again(struct vkernel *, unsigned member);

/* Make it, and set its arguments. */
cl_int kernel_member_ready(struct vkernel *, unsigned member);

#endif
