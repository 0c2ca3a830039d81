/* SPDX-License-Identifier: ISC */
/*
 * exec_svm - allocations of shared virtual and of unified shared memory.
 */
#ifndef VGPU_HOSTD_EXEC_SVM_H
#define VGPU_HOSTD_EXEC_SVM_H

#include "common/twin.h"
#include "hostd/object.h"

struct allocation {
	TAILQ_ENTRY(allocation) entry;
	struct vcontext *context;	/* a reference */
	uint8_t *base;
	size_t size;
	void *raw;		/* what the vendor allocated */
	bool usm;
	bool shared;		/* in whole pages from base on */
	struct twin twin;	/* where the client has this memory, too */
};

/*
 * A new allocation of the context without memory; allocation_enter adds it to
 * the session's, allocation_free gives its memory back to the vendor.
 */
struct allocation *allocation_new(struct vcontext *, size_t size);
void allocation_enter(struct allocation *);
void allocation_free(struct allocation *);

/*
 * Whether the session can share memory of all devices of the context with its
 * client.
 */
bool allocation_can_share(const struct serve *, const struct vcontext *);

/*
 * Share what the vendor allocated, a->raw of shared_room(a->size) bytes; a->base
 * is then its place.  The client gets the file ahead of the reply.
 */
bool allocation_share(struct serve *, struct allocation *);

/* The allocation that an address lies in; NULL: in none of the context's. */
struct allocation *allocation_find(const struct vcontext *, uint64_t address);

/* Has the context any? */
bool allocation_is_any(const struct vcontext *);

/* Set an argument of a kernel to an address, whatever that is. */
cl_int svm_set_arg(const struct vcontext *, cl_kernel, cl_uint index,
    uint64_t address);

#endif
