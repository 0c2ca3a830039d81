/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/kernel.h"

#include <CL/cl_ext.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/platform.h"

cl_int
query_kernel(struct object *o, cl_uint param, struct info_out *out)
{
	const struct kernel *k = (struct kernel *)o;

	switch (param) {
	case CL_KERNEL_FUNCTION_NAME:
		return info_string(out, k->shape->name);
	case CL_KERNEL_NUM_ARGS:
		return INFO_VALUE(out, cl_uint, k->shape->arg_count);
	case CL_KERNEL_REFERENCE_COUNT:
		return INFO_VALUE(out, cl_uint, atomic_load(&o->refs));
	case CL_KERNEL_CONTEXT:
		return INFO_VALUE(out, cl_context,
		    (void *)k->program->context);
	case CL_KERNEL_PROGRAM:
		return INFO_VALUE(out, cl_program, (void *)k->program);
	case CL_KERNEL_ATTRIBUTES:
		return info_string(out, k->shape->attributes);
	default:
		return CL_INVALID_VALUE;
	}
}

/* The host knows more than the vendor tells: ask what that would tell. */
static cl_int
ask_device(struct device *d)
{
	const struct msg_arg_info m = { .device.id = d->o.id };
	struct reply_arg_info r = { 0 };
	struct buf body;
	cl_int code;

	if (atomic_load(&d->arg_info) == ARG_INFO_UNKNOWN) {
		code = call_sync(&desc_arg_info, &m, &r, &body);
		buf_fini(&body);
		if (code != CL_SUCCESS)
			return code;
		atomic_store(&d->arg_info, r.always != 0 ? ARG_INFO_ALWAYS :
		    ARG_INFO_NEVER);
	}
	return atomic_load(&d->arg_info) == ARG_INFO_ALWAYS ? CL_SUCCESS :
	    CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
}

cl_int
query_kernel_arg(struct object *o, cl_uint index, cl_uint param,
    struct info_out *out)
{
	const struct kernel *k = (struct kernel *)o;
	const struct kernel_shape *s = k->shape;
	const struct arg_shape *arg;
	cl_int code;

	if (index >= s->arg_count)
		return CL_INVALID_ARG_INDEX;
	if (!s->arg_info)
		return CL_KERNEL_ARG_INFO_NOT_AVAILABLE;
	if (!s->arg_info_asked &&
	    (code = ask_device(k->program->device[0].device)) != CL_SUCCESS)
		return code;
	arg = &s->arg[index];
	switch (param) {
	case CL_KERNEL_ARG_ADDRESS_QUALIFIER:
		return INFO_VALUE(out, cl_kernel_arg_address_qualifier,
		    arg->address);
	case CL_KERNEL_ARG_ACCESS_QUALIFIER:
		return INFO_VALUE(out, cl_kernel_arg_access_qualifier,
		    arg->access);
	case CL_KERNEL_ARG_TYPE_QUALIFIER:
		return INFO_VALUE(out, cl_kernel_arg_type_qualifier,
		    arg->qualifier);
	case CL_KERNEL_ARG_TYPE_NAME:
		return info_string(out, arg->type);
	case CL_KERNEL_ARG_NAME:
		return info_string(out, arg->name);
	default:
		return CL_INVALID_VALUE;
	}
}

cl_uint
kernel_device_index(const struct kernel *k, const struct device *d)
{
	const struct program *p = k->program;
	cl_uint i;

	if (d == NULL)
		return p->device_count == 1 ? 0 : p->device_count;
	i = program_device_index(p, d);
	return i < p->device_count && k->shape->work[i].work_group_size == 0 ?
	    p->device_count : i;
}

/* Local memory that arguments ask for counts too (OpenCL 3.0, 5.9.4). */
static cl_ulong
local_size(struct kernel *k, const struct work_shape *w)
{
	cl_ulong n = w->local_size;
	cl_uint i;

	pthread_mutex_lock(&k->lock);
	for (i = 0; i < k->shape->arg_count; i++)
		if (k->arg[i].set && k->arg[i].kind == ARG_LOCAL)
			n += k->arg[i].size;
	pthread_mutex_unlock(&k->lock);
	return n;
}

/* Of cl_intel_required_subgroup_size. */
static cl_int
ask_spill_size(const struct kernel *k, const struct device *d,
    struct info_out *out)
{
	const struct msg_spill_size m = { .kernel.id = k->o.id,
		.device.id = d->o.id };
	struct reply_spill_size r;
	struct buf body;
	cl_int code;

	if (!device_has_extension(d, "cl_intel_required_subgroup_size"))
		return CL_INVALID_VALUE;
	code = call_sync(&desc_spill_size, &m, &r, &body);
	buf_fini(&body);
	return code != CL_SUCCESS ? code : INFO_VALUE(out, cl_ulong, r.size);
}

cl_int
query_kernel_work_group(struct object *o, cl_device_id device, cl_uint param,
    struct info_out *out)
{
	struct kernel *k = (struct kernel *)o;
	const struct work_shape *w;
	cl_uint i = k->program->device_count;

	if (device == NULL || device_check(device) != NULL)
		i = kernel_device_index(k, device_check(device));
	if (i == k->program->device_count)
		return CL_INVALID_DEVICE;
	w = &k->shape->work[i];
	switch (param) {
	case CL_KERNEL_WORK_GROUP_SIZE:
		return INFO_VALUE(out, size_t, w->work_group_size);
	case CL_KERNEL_COMPILE_WORK_GROUP_SIZE:
		return info_bytes(out, w->compile_size,
		    sizeof(w->compile_size));
	case CL_KERNEL_LOCAL_MEM_SIZE:
		return INFO_VALUE(out, cl_ulong, local_size(k, w));
	case CL_KERNEL_PRIVATE_MEM_SIZE:
		return INFO_VALUE(out, cl_ulong, w->private_size);
	case CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE:
		return INFO_VALUE(out, size_t, w->multiple);
	case CL_KERNEL_SPILL_MEM_SIZE_INTEL:
		return ask_spill_size(k, k->program->device[i].device, out);
	case CL_KERNEL_GLOBAL_WORK_SIZE:
		return w->has_global_size ? info_bytes(out, w->global_size,
		    sizeof(w->global_size)) : CL_INVALID_VALUE;
	default:
		return CL_INVALID_VALUE;
	}
}
