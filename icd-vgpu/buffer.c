/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/calls.h"

#include <string.h>

#include "icd-vgpu/arena.h"
#include "icd-vgpu/call.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/enqueue.h"
#include "icd-vgpu/mem.h"
#include "icd-vgpu/platform.h"
#include "icd-vgpu/svm.h"
#include "protocol/shared.h"

/* ---- buffers ----------------------------------------------------------- */

/* The largest buffer that some device of the context takes. */
static uint64_t
largest_buffer(const struct context *c)
{
	uint64_t max = 0, n;
	cl_uint i;

	for (i = 0; i < c->device_count; i++) {
		n = device_u64(c->device[i], CL_DEVICE_MAX_MEM_ALLOC_SIZE);
		max = n > max ? n : max;
	}
	return max;
}

static cl_int
check_buffer(const struct context *c, cl_mem_flags flags, size_t size,
    const void *host_ptr, const struct svm **svm)
{
	cl_int code = mem_check_flags(flags);

	if (code != CL_SUCCESS)
		return code;
	if (size == 0 || size > largest_buffer(c))
		return CL_INVALID_BUFFER_SIZE;
	if ((code = mem_check_host_ptr(flags, host_ptr)) != CL_SUCCESS)
		return code;
	*svm = host_ptr != NULL ? svm_find(host_ptr) : NULL;
	/* Unified shared memory is the program's own in this respect. */
	if (*svm != NULL && (*svm)->kind.type != 0)
		*svm = NULL;
	if (*svm != NULL && svm_find_range(host_ptr, size) == NULL)
		return CL_INVALID_BUFFER_SIZE;
	return CL_SUCCESS;
}

static bool
devices_share(const struct context *c)
{
	cl_uint i;

	for (i = 0; i < c->device_count; i++)
		if (!c->device[i]->shares_memory ||
		    c->device[i]->vendor != c->device[0]->vendor)
			return false;
	return true;
}

/* Lay it where both sides have it, if the program will look at it. */
static void
buffer_place(struct mem *b)
{
	if (!b->uses_svm && !(b->flags & CL_MEM_HOST_NO_ACCESS) &&
	    devices_share(b->context))
		b->place = arena_new(ARENA_BUFFERS, b->size);
	if (b->place != NULL && b->host_ptr == NULL)
		b->shared = true;
}

/*
 * The content at host_ptr goes along, except from SVM: the host has it, and
 * the vendor's buffer is then that memory itself.
 */
static cl_int
buffer_send(struct mem *b, const void *host_ptr)
{
	struct layout from = layout_flat(host_ptr, b->size);
	struct msg_clCreateBufferWithProperties m = {
		.context.id = b->context->o.id,
		.flags = mem_wire_flags(b->flags),
		.size = b->size,
		.svm = b->uses_svm ? (uintptr_t)host_ptr : 0,
		.id.id = b->o.id,
	};

	if (b->place != NULL) {
		m.transfer = transfer_make(TRANSFER_OWN,
		    arena_offset(b->place));
		if (host_ptr != NULL)
			memcpy(b->place, host_ptr, b->size);
		host_ptr = NULL;
	}
	return enqueue_creation(&desc_clCreateBufferWithProperties, &m,
	    &m.data, &m.transfer,
	    host_ptr != NULL && !b->uses_svm ? &from : NULL,
	    creation_is_large(b->context, b->size),
	    &b->told);
}

static cl_int
buffer_open(struct mem *b, const cl_mem_properties *properties,
    cl_mem_flags flags, size_t size, void *host_ptr)
{
	const struct svm *svm;
	cl_int code;

	if ((code = mem_take_properties(b, properties)) != CL_SUCCESS ||
	    (code = check_buffer(b->context, flags, size, host_ptr, &svm)) !=
	    CL_SUCCESS)
		return code;
	b->flags = flags != 0 ? flags : CL_MEM_READ_WRITE;
	b->size = size;
	if (flags & CL_MEM_USE_HOST_PTR) {
		b->host_ptr = host_ptr;
		b->uses_svm = svm != NULL;
		b->shared = svm != NULL && svm->kind.fine;
	}
	buffer_place(b);
	return buffer_send(b, host_ptr);
}

cl_mem
icd_clCreateBufferWithProperties(cl_context context,
    const cl_mem_properties *properties, cl_mem_flags flags, size_t size,
    void *host_ptr, cl_int *errcode_ret)
{
	struct context *c = context_check(context);
	struct mem *b = NULL;
	cl_int code;

	if (c == NULL)
		code = CL_INVALID_CONTEXT;
	else if ((b = mem_new(c, CL_MEM_OBJECT_BUFFER)) == NULL)
		code = CL_OUT_OF_HOST_MEMORY;
	else if ((code = buffer_open(b, properties, flags, size, host_ptr)) !=
	    CL_SUCCESS) {
		mem_drop(b);
		b = NULL;
	}
	if (errcode_ret != NULL)
		*errcode_ret = code;
	return (cl_mem)(void *)b;
}

cl_mem
icd_clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
    void *host_ptr, cl_int *errcode_ret)
{
	return icd_clCreateBufferWithProperties(context, NULL, flags, size,
	    host_ptr, errcode_ret);
}

/* ---- sub-buffers ------------------------------------------------------- */

static bool
aligned_for_some(const struct context *c, size_t origin)
{
	uint64_t align;
	cl_uint i;

	for (i = 0; i < c->device_count; i++) {
		align = device_u64(c->device[i],
		    CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8;
		if (align == 0 || origin % align == 0)
			return true;
	}
	return false;
}

static cl_int
check_region(const struct mem *b, cl_buffer_create_type type,
    const cl_buffer_region *r)
{
	if (type != CL_BUFFER_CREATE_TYPE_REGION || r == NULL)
		return CL_INVALID_VALUE;
	if (r->size == 0)
		return CL_INVALID_BUFFER_SIZE;
	if (check_range(b, r->origin, r->size) != CL_SUCCESS)
		return CL_INVALID_VALUE;
	return aligned_for_some(b->context, r->origin) ? CL_SUCCESS :
	    CL_MISALIGNED_SUB_BUFFER_OFFSET;
}

static cl_int
sub_buffer_send(const struct mem *s)
{
	struct msg_clCreateSubBuffer m = {
		.buffer.id = s->parent->o.id,
		.flags = mem_wire_flags(s->flags) &
		    ~(cl_mem_flags)CL_MEM_ALLOC_HOST_PTR,
		.buffer_create_type = CL_BUFFER_CREATE_TYPE_REGION,
		.origin = s->offset,
		.size = s->size,
		.id.id = s->o.id,
	};

	return call_async(&desc_clCreateSubBuffer, &m, 0);
}

static struct mem *
sub_buffer_new(struct mem *b, cl_mem_flags flags, const cl_buffer_region *r)
{
	struct mem *s = mem_new(b->context, CL_MEM_OBJECT_BUFFER);

	if (s == NULL)
		return NULL;
	s->parent = object_use(b);
	s->flags = flags;
	s->offset = r->origin;
	s->size = r->size;
	s->uses_svm = b->uses_svm;
	s->shared = b->shared;
	if (b->host_ptr != NULL)
		s->host_ptr = (uint8_t *)b->host_ptr + r->origin;
	return s;
}

cl_mem
icd_clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags,
    cl_buffer_create_type type, const void *info, cl_int *errcode_ret)
{
	struct mem *b = mem_check_buffer(buffer), *s = NULL;
	cl_mem_flags all;
	cl_int code;

	if (b == NULL || b->parent != NULL)
		code = CL_INVALID_MEM_OBJECT;
	else if ((code = mem_inherit_flags(b, flags, &all)) == CL_SUCCESS &&
	    (code = check_region(b, type, info)) == CL_SUCCESS &&
	    (code = atomic_load(&b->o.error)) == CL_SUCCESS) {
		if ((s = sub_buffer_new(b, all, info)) == NULL)
			code = CL_OUT_OF_HOST_MEMORY;
		else if ((code = sub_buffer_send(s)) != CL_SUCCESS) {
			mem_drop(s);
			s = NULL;
		}
	}
	if (errcode_ret != NULL)
		*errcode_ret = code;
	return (cl_mem)(void *)s;
}
