/* SPDX-License-Identifier: ISC */
/*
 * usm_alloc - allocating and freeing unified shared memory, and what is told
 * of it.
 */
#include "icd-vgpu/calls.h"

#include "icd-vgpu/call.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/platform.h"
#include "icd-vgpu/svm.h"
#include "icd-vgpu/svm_alloc.h"
#include "icd-vgpu/usm.h"

/* One allocation that is asked for. */
struct wanted {
	struct context *context;
	struct device *device;	/* NULL: of no device */
	struct svm_kind kind;
	const cl_mem_properties_intel *properties;
	size_t property_count;
	size_t size;
	cl_uint alignment;
	const struct message *desc;
	cl_int code;		/* the host's, when it fails */
};

/* ---- checks ------------------------------------------------------------ */

static uint64_t
capabilities(const struct device *d, uint32_t type)
{
	switch (type) {
	case CL_MEM_TYPE_HOST_INTEL:
		return device_u64(d, CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL);
	case CL_MEM_TYPE_DEVICE_INTEL:
		return device_u64(d, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL);
	default:
		return device_u64(d,
		    CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL) |
		    device_u64(d,
		    CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL);
	}
}

/* Is the device one that the allocation is for? */
static bool
concerns(const struct wanted *w, const struct device *d)
{
	return (w->device == NULL || w->device == d) &&
	    capabilities(d, w->kind.type) != 0;
}

static bool
is_supported(const struct wanted *w)
{
	cl_uint i;

	for (i = 0; i < w->context->device_count; i++)
		if (concerns(w, w->context->device[i]))
			return true;
	return false;
}

static bool
flags_ok(uint32_t type, uint64_t flags)
{
	const uint64_t placed = CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL |
	    CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;

	if (flags & ~(CL_MEM_ALLOC_WRITE_COMBINED_INTEL | placed))
		return false;
	return type == CL_MEM_TYPE_SHARED_INTEL ?
	    (flags & placed) != placed : (flags & placed) == 0;
}

static cl_int
take_properties(struct wanted *w)
{
	const cl_mem_properties_intel *p = w->properties;
	size_t n = 0;

	for (; p != NULL && p[n] != 0; n += 2) {
		if (p[n] != CL_MEM_ALLOC_FLAGS_INTEL || n > 0 ||
		    !flags_ok(w->kind.type, p[n + 1]))
			return CL_INVALID_PROPERTY;
		w->kind.flags = p[n + 1];
	}
	w->property_count = p != NULL ? n + 1 : 0;
	return CL_SUCCESS;
}

static cl_int
check_size(const struct wanted *w, size_t size)
{
	const struct device *d;
	cl_uint i;

	for (i = 0; i < w->context->device_count; i++) {
		d = w->context->device[i];
		if (concerns(w, d) &&
		    size > device_u64(d, CL_DEVICE_MAX_MEM_ALLOC_SIZE))
			return CL_INVALID_BUFFER_SIZE;
	}
	return size != 0 ? CL_SUCCESS : CL_INVALID_BUFFER_SIZE;
}

static cl_int
check(struct wanted *w)
{
	cl_int code;

	if (!is_supported(w))
		return CL_INVALID_OPERATION;
	if ((w->alignment & (w->alignment - 1)) != 0 ||
	    w->alignment > SVM_LARGEST_TYPE)
		return CL_INVALID_VALUE;
	if ((code = take_properties(w)) != CL_SUCCESS)
		return code;
	return check_size(w, w->size);
}

/* ---- allocating -------------------------------------------------------- */

/* The three messages; all have one reply. */
static cl_int
ask_host(const struct wanted *w, size_t size,
    struct reply_clHostMemAllocINTEL *reply, struct buf *body, int *fd)
{
	const struct span list = { w->properties, w->property_count };
	const union ref context = { .id = w->context->o.id };
	const union ref device = { .id = w->device != NULL ?
		w->device->o.id : 0 };
	const struct msg_clHostMemAllocINTEL host = { .context = context,
		.size = size, .alignment = w->alignment,
		.property_list = list };
	const struct msg_clDeviceMemAllocINTEL of_device = {
		.context = context, .device = device, .size = size,
		.alignment = w->alignment, .property_list = list };
	const struct msg_clSharedMemAllocINTEL shared = {
		.context = context, .device = device, .size = size,
		.alignment = w->alignment, .property_list = list };
	const void *msg = w->kind.type == CL_MEM_TYPE_HOST_INTEL ?
	    (const void *)&host : w->kind.type == CL_MEM_TYPE_DEVICE_INTEL ?
	    (const void *)&of_device : &shared;

	return svm_call(w->desc, msg, reply, body, fd);
}

static uint64_t
ask(void *arg, size_t size, int *fd)
{
	struct reply_clHostMemAllocINTEL reply;
	struct wanted *w = arg;
	struct buf body;

	w->code = ask_host(w, size, &reply, &body, fd);
	buf_fini(&body);
	return w->code == CL_SUCCESS ? reply.address : 0;
}

static void *
allocate(struct wanted *w, cl_int *errcode_ret)
{
	void *p = NULL;
	cl_int code = check(w);

	if (code == CL_SUCCESS) {
		p = svm_allocate(w->context, w->size,
		    check_size(w, SVM_APART) == CL_SUCCESS ? SVM_APART : 0,
		    &w->kind, ask, w);
		code = w->code != CL_SUCCESS ? w->code : p != NULL ?
		    CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
	}
	if (errcode_ret != NULL)
		*errcode_ret = code;
	return p;
}

static void *
fail(cl_int *errcode_ret, cl_int code)
{
	if (errcode_ret != NULL)
		*errcode_ret = code;
	return NULL;
}

void *
icd_clHostMemAllocINTEL(cl_context context,
    const cl_mem_properties_intel *properties, size_t size,
    cl_uint alignment, cl_int *errcode_ret)
{
	struct wanted w = { .context = context_check(context),
		.kind.type = CL_MEM_TYPE_HOST_INTEL, .properties = properties,
		.size = size, .alignment = alignment,
		.desc = &desc_clHostMemAllocINTEL };

	if (w.context == NULL)
		return fail(errcode_ret, CL_INVALID_CONTEXT);
	return allocate(&w, errcode_ret);
}

static void *
allocate_for(struct wanted *w, cl_device_id device, cl_int *errcode_ret)
{
	struct device *d = device_check(device);

	if (w->context == NULL)
		return fail(errcode_ret, CL_INVALID_CONTEXT);
	if (d == NULL || !context_has_device(w->context, d))
		return fail(errcode_ret, CL_INVALID_DEVICE);
	w->device = w->kind.device = d;
	return allocate(w, errcode_ret);
}

void *
icd_clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
    const cl_mem_properties_intel *properties, size_t size,
    cl_uint alignment, cl_int *errcode_ret)
{
	struct wanted w = { .context = context_check(context),
		.kind.type = CL_MEM_TYPE_DEVICE_INTEL,
		.properties = properties, .size = size,
		.alignment = alignment, .desc = &desc_clDeviceMemAllocINTEL };

	return allocate_for(&w, device, errcode_ret);
}

void *
icd_clSharedMemAllocINTEL(cl_context context, cl_device_id device,
    const cl_mem_properties_intel *properties, size_t size,
    cl_uint alignment, cl_int *errcode_ret)
{
	struct wanted w = { .context = context_check(context),
		.kind.type = CL_MEM_TYPE_SHARED_INTEL,
		.properties = properties, .size = size,
		.alignment = alignment, .desc = &desc_clSharedMemAllocINTEL };

	if (device != NULL || w.context == NULL)
		return allocate_for(&w, device, errcode_ret);
	return allocate(&w, errcode_ret);
}

/* ---- freeing ----------------------------------------------------------- */

static cl_int
release(cl_context context, void *ptr, bool blocking)
{
	const struct context *c = context_check(context);
	const struct svm *s = ptr != NULL ? svm_find(ptr) : NULL;

	if (c == NULL)
		return CL_INVALID_CONTEXT;
	if (ptr == NULL)
		return CL_SUCCESS;
	if (s == NULL || s->base != ptr || s->kind.type == 0 ||
	    s->context != c)
		return CL_INVALID_VALUE;
	if (blocking)
		usm_wait(c);
	svm_release(ptr);
	return CL_SUCCESS;
}

cl_int
icd_clMemFreeINTEL(cl_context context, void *ptr)
{
	return release(context, ptr, false);
}

cl_int
icd_clMemBlockingFreeINTEL(cl_context context, void *ptr)
{
	return release(context, ptr, true);
}

/* ---- queries ----------------------------------------------------------- */

cl_int
icd_clGetMemAllocInfoINTEL(cl_context context, const void *ptr,
    cl_mem_info_intel param_name, size_t param_value_size, void *param_value,
    size_t *param_value_size_ret)
{
	static const struct svm unknown = {
		.kind.type = CL_MEM_TYPE_UNKNOWN_INTEL };
	struct info_out out = { param_value_size, param_value,
		param_value_size_ret };
	const struct context *c = context_check(context);
	const struct svm *s = ptr != NULL ? svm_find(ptr) : NULL;

	if (c == NULL)
		return CL_INVALID_CONTEXT;
	if (s == NULL || s->context != c || s->kind.type == 0)
		s = &unknown;
	switch (param_name) {
	case CL_MEM_ALLOC_TYPE_INTEL:
		return INFO_VALUE(&out, cl_unified_shared_memory_type_intel,
		    s->kind.type);
	case CL_MEM_ALLOC_BASE_PTR_INTEL:
		return INFO_VALUE(&out, void *, s->base);
	case CL_MEM_ALLOC_SIZE_INTEL:
		return INFO_VALUE(&out, size_t, s->size);
	case CL_MEM_ALLOC_DEVICE_INTEL:
		return INFO_VALUE(&out, cl_device_id, (void *)s->kind.device);
	case CL_MEM_ALLOC_FLAGS_INTEL:
		return INFO_VALUE(&out, cl_mem_alloc_flags_intel,
		    s->kind.flags);
	default:
		return CL_INVALID_VALUE;
	}
}
