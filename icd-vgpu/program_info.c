/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/program.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/platform.h"
#include "icd-vgpu/program_binary.h"

static cl_int
give_devices(const struct program *p, struct info_out *out)
{
	cl_device_id *list = calloc(p->device_count, sizeof(*list));
	cl_uint i;
	cl_int code;

	if (list == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	for (i = 0; i < p->device_count; i++)
		list[i] = (cl_device_id)(void *)p->device[i].device;
	code = info_bytes(out, list, p->device_count * sizeof(*list));
	free(list);
	return code;
}

static cl_int
give_names(const struct program *p, struct info_out *out)
{
	struct buf names;
	cl_uint i;
	cl_int code = CL_OUT_OF_HOST_MEMORY;

	buf_init(&names);
	for (i = 0; i < p->shape_count; i++) {
		if (i > 0)
			buf_append(&names, ";", 1);
		buf_append(&names, p->shape[i].name,
		    strlen(p->shape[i].name));
	}
	buf_append_zero(&names, 1);
	if (!names.failed)
		code = info_bytes(out, buf_front(&names), buf_len(&names));
	buf_fini(&names);
	return code;
}

/* What is known only once there is an executable; no vendor has the last two
 * of these, constructors and destructors. */
static cl_int
give_kernels(struct program *p, cl_uint param, struct info_out *out)
{
	cl_int code;

	pthread_mutex_lock(&p->lock);
	if (!program_has_executable(p))
		code = CL_INVALID_PROGRAM_EXECUTABLE;
	else if (param == CL_PROGRAM_NUM_KERNELS)
		code = INFO_VALUE(out, size_t, p->shape_count);
	else if (param == CL_PROGRAM_KERNEL_NAMES)
		code = give_names(p, out);
	else
		code = INFO_VALUE(out, cl_bool, CL_FALSE);
	pthread_mutex_unlock(&p->lock);
	return code;
}

cl_int
query_program(struct object *o, cl_uint param, struct info_out *out)
{
	struct program *p = (struct program *)o;

	switch (param) {
	case CL_PROGRAM_REFERENCE_COUNT:
		return INFO_VALUE(out, cl_uint, atomic_load(&o->refs));
	case CL_PROGRAM_CONTEXT:
		return INFO_VALUE(out, cl_context, (void *)p->context);
	case CL_PROGRAM_NUM_DEVICES:
		return INFO_VALUE(out, cl_uint, p->device_count);
	case CL_PROGRAM_DEVICES:
		return give_devices(p, out);
	case CL_PROGRAM_SOURCE:
		return p->source == NULL ? info_string(out, "") :
		    info_bytes(out, p->source, p->source_len + 1);
	case CL_PROGRAM_IL:
		return info_bytes(out, p->il, p->il_len);
	case CL_PROGRAM_BINARY_SIZES:
		return program_binary_sizes(p, out);
	case CL_PROGRAM_BINARIES:
		return program_binaries(p, out);
	case CL_PROGRAM_NUM_KERNELS:
	case CL_PROGRAM_KERNEL_NAMES:
	case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
	case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
		return give_kernels(p, param, out);
	default:
		return CL_INVALID_VALUE;
	}
}

static cl_int
give_build(const struct program_device *d, cl_uint param,
    struct info_out *out)
{
	switch (param) {
	case CL_PROGRAM_BUILD_STATUS:
		return INFO_VALUE(out, cl_build_status, d->status);
	case CL_PROGRAM_BUILD_OPTIONS:
		return info_string(out, d->options != NULL ? d->options : "");
	case CL_PROGRAM_BUILD_LOG:
		return info_string(out, d->log != NULL ? d->log : "");
	case CL_PROGRAM_BINARY_TYPE:
		return INFO_VALUE(out, cl_program_binary_type, d->type);
	case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
		return INFO_VALUE(out, size_t, d->global_size);
	default:
		return CL_INVALID_VALUE;
	}
}

cl_int
query_program_build(struct object *o, cl_device_id device, cl_uint param,
    struct info_out *out)
{
	struct program *p = (struct program *)o;
	struct device *d = device_check(device);
	cl_uint i;
	cl_int code;

	if (d == NULL || (i = program_device_index(p, d)) == p->device_count)
		return CL_INVALID_DEVICE;
	pthread_mutex_lock(&p->lock);
	code = give_build(&p->device[i], param, out);
	pthread_mutex_unlock(&p->lock);
	return code;
}
