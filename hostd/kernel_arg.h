/* SPDX-License-Identifier: ISC */
/*
 * kernel_arg - what the arguments of kernels are set to.
 *
 * The client sends those that changed with a launch.  A memory object that it
 * releases is gone, whatever kernels it is set in (OpenCL 3.0, 5.9.2); such a
 * kernel is not launched until the argument is set again, as a vendor must
 * never be given what a hostile client has released.
 */
#ifndef VGPU_HOSTD_KERNEL_ARG_H
#define VGPU_HOSTD_KERNEL_ARG_H

#include "hostd/serve.h"

struct usage_slot;
struct vmem;
struct vprogram;

/* What is set in the native kernel. */
struct varg {
	uint8_t kind;		/* enum arg_kind, of the parameter */
	bool reads_only;	/* its memory is not written */
	struct kept_arg *kept;	/* in a context that is mixed, or moves */
	struct vobj *object;	/* a reference, or NULL */
	LIST_ENTRY(varg) user;	/* of a memory object, if listed */
	bool listed;
	cl_int error;		/* it could not be set */
};

/* meter.c's: which it is, and the class of its last launch. */
struct metered {
	uint64_t key;
	struct usage_slot *slot;
	unsigned device;
	unsigned magnitude;
};

struct vkernel {
	struct vobj o;
	struct vprogram *program;
	struct metered metered;
	bool recorded;		/* in a command buffer, which keeps them */
	unsigned arg_count;
	struct varg *arg;
	struct infoset exec_info;	/* of a context that moves */
};

/*
 * Take over what changed, also for a launch that will fail, as the client
 * does not send it again.  False: the connection has failed.
 */
bool kernel_set_args(struct serve *, struct vkernel *, unsigned member,
    struct span args);

/* The same for a kernel of a command buffer's own. */
bool kernel_record_args(struct serve *, void *kernel, unsigned member,
    struct span args);

/* Why it can't be launched, or CL_SUCCESS. */
cl_int kernel_args_error(const struct vkernel *);

/* The kernel is gone. */
void kernel_args_free(struct vkernel *);

/* The client has released a memory object: take it out of all kernels. */
void kernel_args_forget(struct vmem *);

#endif
