/* SPDX-License-Identifier: ISC */
/*
 * mem - memory objects: buffers, sub-buffers, images and pipes.
 *
 * Their contents are the host's; all that OpenCL tells about them is here, so
 * queries and checks need no message.  A sub-buffer and an image made from
 * another object lie in a parent; what has no parent is a root.
 */
#ifndef VGPU_ICD_MEM_H
#define VGPU_ICD_MEM_H

#include <pthread.h>
#include <stddef.h>

#include "icd-vgpu/object.h"
#include "icd-vgpu/transfer.h"

struct area;
struct command;
struct context;
struct destructors;
struct map;

/* What images have besides; all zero for others. */
struct image_shape {
	cl_image_format format;
	size_t element;			/* bytes of one element */
	size_t width, height, depth, array;	/* as queries tell them */
	size_t row_pitch, slice_pitch;	/* of the program's view */
};

struct mem {
	struct object o;
	struct context *context;
	struct mem *parent;
	size_t offset;			/* in the parent */
	cl_mem_object_type type;
	cl_mem_flags flags;		/* with those of the parent */
	size_t size;
	void *host_ptr;			/* CL_MEM_USE_HOST_PTR */
	bool uses_svm;			/* host_ptr is of clSVMAlloc */
	bool told;			/* the host has its id */
	/*
	 * What programs are given when they map it is the host's memory, so maps
	 * move nothing: of fine-grained SVM, and where there is a place.
	 */
	bool shared;
	uint8_t *place;			/* of a root, in the arena; or NULL */
	struct image_shape image;
	cl_uint packet_size, max_packets;	/* of pipes */
	cl_mem_properties *property;	/* as given, with the final 0 */
	size_t property_count;
	struct destructors *destructors;

	pthread_mutex_t lock;		/* of what follows; see map.h */
	struct map *maps;
	cl_uint map_count;
	struct area *area;		/* of roots */
};

/* The memory object of a handle, NULL when it is none. */
static inline struct mem *
mem_check(cl_mem handle)
{
	return (struct mem *)object_check(handle, OBJ_MEM);
}

static inline bool
mem_is_image(const struct mem *m)
{
	return m->image.element != 0;
}

/* The same for handles that have to be buffers, or images. */
struct mem *mem_check_buffer(cl_mem);
struct mem *mem_check_image(cl_mem);

/* A new one, of no size yet; NULL: out of memory. */
struct mem *mem_new(struct context *, cl_mem_object_type);

/* Its creation failed, here or on the host. */
void mem_drop(struct mem *);

/* Keep a copy of a property list; only an empty one is known. */
cl_int mem_take_properties(struct mem *, const cl_mem_properties *);

/*
 * Check flags against the specification's table (OpenCL 3.0, 5.2.1) and
 * host_ptr against flags: CL_INVALID_VALUE, CL_INVALID_HOST_PTR.
 */
cl_int mem_check_flags(cl_mem_flags);
cl_int mem_check_host_ptr(cl_mem_flags, const void *host_ptr);

/*
 * Flags of an object in a parent: those given, and the parent's where no
 * access was given.  CL_INVALID_VALUE: they contradict the parent's.
 */
cl_int mem_inherit_flags(const struct mem *parent, cl_mem_flags given,
    cl_mem_flags *);

/* Flags for the host, which knows nothing of the program's memory. */
cl_mem_flags mem_wire_flags(cl_mem_flags);

/*
 * The object that holds the data, and where in it m begins; *offset may be
 * NULL.
 */
struct mem *mem_root(struct mem *, size_t *offset);

/* Where its first byte lies in the arena; NULL: its memory is not there. */
uint8_t *mem_place(struct mem *);

/*
 * May a command of this queue use the object?  CL_INVALID_CONTEXT, the code
 * of a failed creation, CL_MISALIGNED_SUB_BUFFER_OFFSET.
 */
cl_int mem_check_command(const struct command *, const struct mem *);

/* CL_INVALID_OPERATION where the program said it would not read or write. */
cl_int mem_check_host_read(const struct mem *);
cl_int mem_check_host_write(const struct mem *);

#endif
