/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/program.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/platform.h"

/* Is name, of n bytes, one of a list with semicolons between? */
static bool
is_listed(const char *list, size_t size, const char *name, size_t n)
{
	size_t at = 0, len;

	while (at < size && list[at] != '\0') {
		for (len = 0; at + len < size && list[at + len] != ';' &&
		    list[at + len] != '\0';)
			len++;
		if (len == n && memcmp(list + at, name, n) == 0)
			return true;
		at += len;
		if (at < size && list[at] == ';')
			at++;
	}
	return false;
}

/* Each name has to be a built-in kernel of each device. */
static cl_int
check_names(cl_uint n, const cl_device_id *list, const char *names)
{
	const char *known;
	size_t len, size;
	cl_uint i;

	if (names == NULL)
		return CL_INVALID_VALUE;
	do {
		len = strcspn(names, ";");
		for (i = 0; i < n; i++) {
			known = device_info(device_check(list[i]),
			    CL_DEVICE_BUILT_IN_KERNELS, &size);
			if (known == NULL ||
			    !is_listed(known, size, names, len))
				return CL_INVALID_VALUE;
		}
		names += len;
	} while (*names++ == ';');
	return CL_SUCCESS;
}

static cl_int
send_built_in(struct program *p, const cl_device_id *list, const char *names)
{
	uint64_t *ids = calloc(p->device_count, sizeof(*ids));
	struct msg_clCreateProgramWithBuiltInKernels m = {
		.context.id = p->context->o.id,
		.device_list = { ids, p->device_count },
		.kernel_names = { names, strlen(names) },
		.id.id = p->o.id,
	};
	cl_int code = CL_OUT_OF_HOST_MEMORY;

	if (ids != NULL && (p->built_in = strdup(names)) != NULL) {
		object_ids(ids, list, p->device_count, OBJ_DEVICE);
		code = call_async(&desc_clCreateProgramWithBuiltInKernels, &m,
		    0);
	}
	free(ids);
	return code;
}

cl_program
icd_clCreateProgramWithBuiltInKernels(cl_context context,
    cl_uint num_devices, const cl_device_id *device_list,
    const char *kernel_names, cl_int *errcode_ret)
{
	struct context *c = context_check(context);
	struct program *p = NULL;
	cl_int code;

	if (c == NULL)
		code = CL_INVALID_CONTEXT;
	else if ((code = program_check_devices(c, num_devices,
	    device_list)) != CL_SUCCESS ||
	    (code = check_names(num_devices, device_list, kernel_names)) !=
	    CL_SUCCESS)
		;
	else if ((p = program_new(c, PROGRAM_BUILT_IN, num_devices,
	    device_list)) == NULL)
		code = CL_OUT_OF_HOST_MEMORY;
	else
		code = send_built_in(p, device_list, kernel_names);
	return program_give(p, code, errcode_ret);
}
