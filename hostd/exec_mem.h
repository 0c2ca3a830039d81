/* SPDX-License-Identifier: ISC */
/*
 * exec_mem - what buffers, images and pipes have in common on the host.
 */
#ifndef VGPU_HOSTD_EXEC_MEM_H
#define VGPU_HOSTD_EXEC_MEM_H

#include "hostd/replica.h"
#include "hostd/serve.h"

struct command;

struct vmem {
	struct vobj o;
	struct vcontext *context;
	struct vmem *parent;
	size_t origin;		/* of a sub-buffer, in its parent */
	size_t size;		/* of buffers */
	size_t element;		/* bytes of an image's element; 0: no image */
	bool read_only;		/* CL_MEM_READ_ONLY: no kernel writes it */
	size_t counted;		/* bytes, by meter.h */
	bool placed;		/* a buffer in the arena, at place */
	uint64_t place;
	struct tenancy *tenancy;	/* while a vendor has its memory */
	LIST_HEAD(, varg) users;	/* kernels' arguments */
	struct replica replica;	/* of roots in mixed contexts */
	struct asked *asked;	/* who wants to hear of its end */
};

/* Under the client's id, not made yet; NULL: the connection has failed. */
struct vmem *vmem_new(struct serve *, struct call *, uint64_t id,
    struct vcontext *, struct vmem *parent, cl_mem_flags);

/*
 * The vendor's result of making it, with this content or none: poison, or
 * confirm where asked to.
 */
void vmem_made(struct serve *, struct call *, struct vmem *,
    const void *content, cl_int code);

/*
 * Make a buffer, with a number of bytes set, at its place in the arena, which
 * the client may use again when the vendor no longer does.
 */
cl_int vmem_make_placed(struct serve *, struct vmem *, cl_mem_flags,
    uint64_t place);

/* Make it in one more member, in the same memory. */
cl_int vmem_place_again(struct vmem *, unsigned member);

/* Does its memory, or that of its parent, lie in the arena? */
bool vmem_is_placed(const struct vmem *);

/*
 * Flags for the vendor: what concerns the client's memory alone is taken out,
 * and content that came along is copied.
 */
cl_mem_flags vmem_flags(cl_mem_flags, const void *body);

/* A vendor's descriptor of an image in a parent, or in none. */
cl_image_desc image_descriptor(const struct msg_clCreateImageWithProperties *,
    cl_mem parent);

/* Write back a region of an image that the client had mapped; closes c. */
void unmap_image(struct command *, const struct vmem *,
    const struct msg_clEnqueueUnmapMemObject *);

/* Memory of an SVM allocation of the context; NULL: not inside of one. */
void *svm_memory(struct vcontext *, uint64_t address, size_t size);

#endif
