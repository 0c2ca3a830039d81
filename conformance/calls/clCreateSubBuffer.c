/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static cl_mem
make(struct world *w, cl_mem m, cl_mem_flags flags, size_t origin, size_t size)
{
	const cl_buffer_region r = { origin, size };

	return clCreateSubBuffer(m, flags, CL_BUFFER_CREATE_TYPE_REGION, &r,
	    &w->err);
}

static const struct {
	const char *what;
	cl_mem_flags parent, flags;
	cl_int code;
} widening[] = {
	{ "read-write of write only", CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE,
	    CL_INVALID_VALUE },
	{ "read only of write only", CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY,
	    CL_INVALID_VALUE },
	{ "read-write of read only", CL_MEM_READ_ONLY, CL_MEM_READ_WRITE,
	    CL_INVALID_VALUE },
	{ "write only of read only", CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY,
	    CL_INVALID_VALUE },
	{ "host read only of host write only", CL_MEM_HOST_WRITE_ONLY,
	    CL_MEM_HOST_READ_ONLY, CL_INVALID_VALUE },
	{ "host write only of host read only", CL_MEM_HOST_READ_ONLY,
	    CL_MEM_HOST_WRITE_ONLY, CL_INVALID_VALUE },
	{ "host read only of no access", CL_MEM_HOST_NO_ACCESS,
	    CL_MEM_HOST_READ_ONLY, CL_INVALID_VALUE },
	{ "host write only of no access", CL_MEM_HOST_NO_ACCESS,
	    CL_MEM_HOST_WRITE_ONLY, CL_INVALID_VALUE },
	{ "read only of read-write", CL_MEM_READ_WRITE, CL_MEM_READ_ONLY,
	    CL_SUCCESS },
	{ "write only of read-write", CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY,
	    CL_SUCCESS },
	{ "no access of host read only", CL_MEM_HOST_READ_ONLY,
	    CL_MEM_HOST_NO_ACCESS, CL_SUCCESS },
	{ "no flags of read only", CL_MEM_READ_ONLY, 0, CL_SUCCESS },
};

static void
flags(struct world *w)
{
	const cl_mem_flags host[] = { CL_MEM_USE_HOST_PTR,
		CL_MEM_ALLOC_HOST_PTR, CL_MEM_COPY_HOST_PTR };
	cl_mem m;
	size_t i;

	for (i = 0; i < sizeof(widening) / sizeof(widening[0]); i++) {
		m = world_buffer(w, widening[i].parent, WORLD_SIZE);
		WANT_NEW(w, widening[i].what, make(w, m, widening[i].flags, 0,
		    128), widening[i].code);
		clReleaseMemObject(m);
	}
	for (i = 0; i < 3; i++)
		WANT_NEW(w, "flags of a host pointer",
		    make(w, w->buffer, host[i], 0, 128), CL_INVALID_VALUE);
	WANT_NEW(w, "unknown flags", make(w, w->buffer, NO_SUCH_BIT, 0, 128),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "flags that exclude each other", make(w, w->buffer,
	    CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 0, 128), CL_INVALID_VALUE);
}

static void
regions(struct world *w)
{
	const size_t align =
	    (size_t)world_info(w, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;

	WANT_NEW(w, "no size", make(w, w->buffer, 0, 0, 0),
	    CL_INVALID_BUFFER_SIZE);
	WANT_NEW(w, "longer than the buffer",
	    make(w, w->buffer, 0, 0, WORLD_SIZE + 1), CL_INVALID_VALUE);
	WANT_NEW(w, "beyond the end",
	    make(w, w->buffer, 0, WORLD_SIZE - align, align + 1),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "begins at the end",
	    make(w, w->buffer, 0, WORLD_SIZE, align), CL_INVALID_VALUE);
	WANT_NEW(w, "end that overflows",
	    make(w, w->buffer, 0, align, SIZE_MAX - align + 2),
	    CL_INVALID_VALUE);
	if (align > 1)
		WANT_NEW(w, "not aligned", make(w, w->buffer, 0, 1, 128),
		    CL_MISALIGNED_SUB_BUFFER_OFFSET);
	WANT_NEW(w, "the last bytes",
	    make(w, w->buffer, 0, WORLD_SIZE - align, align), CL_SUCCESS);
	WANT_NEW(w, "the whole buffer",
	    make(w, w->buffer, 0, 0, WORLD_SIZE), CL_SUCCESS);
}

void
check_clCreateSubBuffer(struct world *w)
{
	const cl_buffer_region r = { 0, 128 };
	cl_mem sub;

	WANT_HANDLE_NEW(w, "buffer", cl_mem, make(w, h, 0, 0, 128),
	    CL_INVALID_MEM_OBJECT);
	if (world_image(w) != NULL)
		WANT_NEW(w, "of an image", make(w, world_image(w), 0, 0, 128),
		    CL_INVALID_MEM_OBJECT);
	sub = make(w, w->buffer, 0, 0, 1024);
	must(w->err, "clCreateSubBuffer");
	WANT_NEW(w, "of a sub-buffer", make(w, sub, 0, 0, 128),
	    CL_INVALID_MEM_OBJECT);
	clReleaseMemObject(sub);
	WANT_NEW(w, "unknown type", clCreateSubBuffer(w->buffer, 0,
	    NO_SUCH_NAME, &r, &w->err), CL_INVALID_VALUE);
	WANT_NEW(w, "no region", clCreateSubBuffer(w->buffer, 0,
	    CL_BUFFER_CREATE_TYPE_REGION, NULL, &w->err), CL_INVALID_VALUE);
	flags(w);
	regions(w);
}
