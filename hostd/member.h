/* SPDX-License-Identifier: ISC */
/*
 * member - the vendors' contexts that make up one context of the client.
 *
 * Devices of one platform of a vendor share a native context, a member.  A
 * context of several members is mixed: its objects are made in each member
 * that uses them (member_mem.c, kernel_member.c), contents follow the
 * commands (coherence.h), and events of one member are shown to another
 * (bridge.h).  A context of one member knows nothing of all that.
 *
 * The loop thread's.
 */
#ifndef VGPU_HOSTD_MEMBER_H
#define VGPU_HOSTD_MEMBER_H

#include "hostd/exec_mem.h"

struct member {
	const struct vdevice *device;	/* its first */
	cl_command_queue mover;	/* for copies between members, or NULL */
	bool timed;
	int64_t clock;		/* what its time stamps lack to the host's clock */
};

static inline bool
context_is_mixed(const struct vcontext *c)
{
	return c->members != NULL;
}

/*
 * Find out which devices share a member: sets member_count, and members where
 * there are several.  CL_INVALID_DEVICE: too many vendors.
 */
cl_int members_find(struct vcontext *);
void members_free(struct vcontext *);

/* The member that a device of the context belongs to. */
unsigned context_member(const struct vcontext *, const struct vdevice *);

/* Ids of the context's devices in a member; out has room for all. */
unsigned members_devices(const struct vcontext *, unsigned member,
    cl_device_id *out);

/* The queue for copies to and from a member; NULL and a code. */
cl_command_queue member_mover(struct vcontext *, unsigned member, cl_int *);

/*
 * Compare the clock of a member's time stamps with the host's, once.  Waits
 * for an empty queue's marker.
 */
void member_time(struct vcontext *, unsigned member);

/* Make the native object of a memory object in a member, if it is not there. */
cl_int member_mem_make(struct vmem *, unsigned member);

/* The memory object that holds the bytes, and where in it they begin. */
struct vmem *member_mem_root(struct vmem *, size_t *offset);

#endif
