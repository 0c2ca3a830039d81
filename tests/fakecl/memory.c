/* SPDX-License-Identifier: ISC */
#include "tests/fakecl/memory.h"

#include <string.h>

#include "tests/fakecl/calls.h"
#include "tests/fakecl/engine.h"

static void
mem_fini(void *p)
{
	cl_mem m = p;

	if (m->parent == NULL && m->data != m->host_ptr)
		free(m->data);
	fake_unref(m->parent);
	fake_unref(m->context);
}

static cl_mem
buffer_new(cl_context context, cl_mem_flags flags, size_t size, void *host,
    cl_int *ret)
{
	const cl_mem_flags need_host = CL_MEM_USE_HOST_PTR |
	    CL_MEM_COPY_HOST_PTR;
	cl_mem m;

	CHECK_NEW(fake_is(context, KIND_CONTEXT), ret, CL_INVALID_CONTEXT);
	CHECK_NEW(size > 0 && size <= device_memory(context->devices[0]) / 4,
	    ret, CL_INVALID_BUFFER_SIZE);
	CHECK_NEW((host != NULL) == ((flags & need_host) != 0), ret,
	    CL_INVALID_HOST_PTR);
	m = fake_new(KIND_MEM, sizeof(*m), mem_fini);
	m->context = fake_ref(context);
	m->flags = flags;
	m->size = size;
	m->host_ptr = flags & CL_MEM_USE_HOST_PTR ? host : NULL;
	m->data = m->host_ptr != NULL ? host : calloc(1, size);
	if (m->data == NULL) {
		fake_unref(m);
		return fake_none(ret, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	}
	if (flags & CL_MEM_COPY_HOST_PTR)
		memcpy(m->data, host, size);
	return fake_made(ret, m);
}

cl_mem
fake_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
    void *host, cl_int *ret)
{
	PLAY_NEW(ret);
	return buffer_new(context, flags, size, host, ret);
}

cl_mem
fake_clCreateBufferWithProperties(cl_context context,
    const cl_mem_properties *properties, cl_mem_flags flags, size_t size,
    void *host, cl_int *ret)
{
	PLAY_NEW(ret);
	CHECK_NEW(script_get()->version >= 300, ret, CL_INVALID_OPERATION);
	CHECK_NEW(properties == NULL || *properties == 0, ret,
	    CL_INVALID_PROPERTY);
	return buffer_new(context, flags, size, host, ret);
}

cl_mem
fake_clCreateSubBuffer(cl_mem parent, cl_mem_flags flags,
    cl_buffer_create_type type, const void *info, cl_int *ret)
{
	const cl_buffer_region *r = info;
	cl_mem m;

	PLAY_NEW(ret);
	CHECK_NEW(fake_is(parent, KIND_MEM) && parent->parent == NULL, ret,
	    CL_INVALID_MEM_OBJECT);
	CHECK_NEW(type == CL_BUFFER_CREATE_TYPE_REGION && r != NULL &&
	    memory_holds(parent, r->origin, r->size), ret, CL_INVALID_VALUE);
	CHECK_NEW(r->size > 0, ret, CL_INVALID_BUFFER_SIZE);
	m = fake_new(KIND_MEM, sizeof(*m), mem_fini);
	m->context = fake_ref(parent->context);
	m->parent = fake_ref(parent);
	m->flags = flags;
	m->origin = r->origin;
	m->size = r->size;
	m->data = parent->data + r->origin;
	return fake_made(ret, m);
}

cl_int
fake_clRetainMemObject(cl_mem m)
{
	CHECK(fake_is(m, KIND_MEM), CL_INVALID_MEM_OBJECT);
	fake_ref(m);
	return CL_SUCCESS;
}

cl_int
fake_clReleaseMemObject(cl_mem m)
{
	CHECK(fake_is(m, KIND_MEM), CL_INVALID_MEM_OBJECT);
	fake_unref(m);
	return CL_SUCCESS;
}

cl_int
fake_clGetMemObjectInfo(cl_mem m, cl_mem_info param, size_t size, void *value,
    size_t *size_ret)
{
	static const cl_mem_object_type type = CL_MEM_OBJECT_BUFFER;

	PLAY();
	CHECK(fake_is(m, KIND_MEM), CL_INVALID_MEM_OBJECT);
	switch (param) {
	case CL_MEM_TYPE:
		return INFO(type);
	case CL_MEM_FLAGS:
		return INFO(m->flags);
	case CL_MEM_SIZE:
		return INFO(m->size);
	case CL_MEM_HOST_PTR:
		return INFO(m->host_ptr);
	case CL_MEM_CONTEXT:
		return INFO(m->context);
	case CL_MEM_ASSOCIATED_MEMOBJECT:
		return INFO(m->parent);
	case CL_MEM_OFFSET:
		return INFO(m->origin);
	default:
		return CL_INVALID_VALUE;
	}
}
