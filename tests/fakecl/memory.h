/* SPDX-License-Identifier: ISC */
/*
 * memory - buffers: their bytes lie in this process.
 */
#ifndef VGPU_TESTS_FAKECL_MEMORY_H
#define VGPU_TESTS_FAKECL_MEMORY_H

#include "tests/fakecl/object.h"

struct _cl_mem {
	struct object o;
	cl_context context;
	cl_mem parent;		/* of a sub-buffer */
	cl_mem_flags flags;
	size_t origin;
	size_t size;
	unsigned char *data;
	void *host_ptr;
	cl_uint map_count;
};

/* Are size bytes from offset on inside? */
static inline bool
memory_holds(const struct _cl_mem *m, size_t offset, size_t size)
{
	return offset <= m->size && size <= m->size - offset;
}

#endif
