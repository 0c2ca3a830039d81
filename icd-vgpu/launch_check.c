/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/launch.h"

#include "icd-vgpu/context.h"
#include "icd-vgpu/platform.h"

/* The largest size_t of the device. */
static uint64_t
size_max(const struct device *d)
{
	return device_u64(d, CL_DEVICE_ADDRESS_BITS) == 32 ? UINT32_MAX :
	    UINT64_MAX;
}

/* Nothing to run: no global size, or a dimension without work-items. */
static bool
is_empty(const struct range *r)
{
	cl_uint i;

	if (r->global == NULL)
		return true;
	for (i = 0; i < r->dim; i++)
		if (r->global[i] == 0)
			return true;
	return false;
}

static cl_int
check_global(const struct range *r, const struct device *d)
{
	const uint64_t max = size_max(d);
	cl_uint i;

	/* Before OpenCL 2.1 an empty range was an error. */
	if (is_empty(r))
		return device_version(d) >= CL_MAKE_VERSION(2, 1, 0) ?
		    CL_SUCCESS : CL_INVALID_GLOBAL_WORK_SIZE;
	for (i = 0; i < r->dim; i++)
		if (r->global[i] > max)
			return CL_INVALID_GLOBAL_WORK_SIZE;
	for (i = 0; r->offset != NULL && i < r->dim; i++)
		if (r->offset[i] > max - r->global[i])
			return CL_INVALID_GLOBAL_OFFSET;
	return CL_SUCCESS;
}

/* May the last work-groups of the device be smaller than the others? */
static bool
is_non_uniform(const struct kernel *k, const struct device *d)
{
	cl_version version = device_version(d);

	if (!k->program->non_uniform || version < CL_MAKE_VERSION(2, 0, 0))
		return false;
	return version < CL_MAKE_VERSION(3, 0, 0) ||
	    device_u64(d, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT) != 0;
}

static bool
divides(const size_t *local, const struct range *r)
{
	cl_uint i;

	for (i = 0; r->global != NULL && i < r->dim; i++)
		if (local[i] == 0 || r->global[i] % local[i] != 0)
			return false;
	return true;
}

/* A size that the program's source demands (reqd_work_group_size). */
static cl_int
check_required(const struct work_shape *w, const struct range *r)
{
	cl_uint i;

	if (w->compile_size[0] == 0)
		return CL_SUCCESS;
	for (i = 0; i < 3; i++)
		if (w->compile_size[i] != (i >= r->dim ? 1 :
		    r->local != NULL ? r->local[i] : w->compile_size[i]))
			return CL_INVALID_WORK_GROUP_SIZE;
	return CL_SUCCESS;
}

static cl_int
check_limits(const struct work_shape *w, const struct range *r,
    const struct device *d)
{
	size_t n, total = 1;
	const size_t *max = device_info(d, CL_DEVICE_MAX_WORK_ITEM_SIZES, &n);
	cl_uint i;

	for (i = 0; i < r->dim; i++) {
		if (r->local[i] == 0)
			return CL_INVALID_WORK_GROUP_SIZE;
		if (total > w->work_group_size / r->local[i])
			return CL_INVALID_WORK_GROUP_SIZE;
		total *= r->local[i];
	}
	for (i = 0; max != NULL && i < r->dim && i < n / sizeof(*max); i++)
		if (r->local[i] > max[i])
			return CL_INVALID_WORK_ITEM_SIZE;
	return CL_SUCCESS;
}

static cl_int
check_local(const struct kernel *k, const struct work_shape *w,
    const struct range *r, const struct device *d)
{
	cl_int code;

	if ((code = check_required(w, r)) != CL_SUCCESS)
		return code;
	if (!is_non_uniform(k, d) &&
	    ((r->local != NULL && !divides(r->local, r)) ||
	    (w->compile_size[0] != 0 && !divides(w->compile_size, r))))
		return CL_INVALID_WORK_GROUP_SIZE;
	return r->local == NULL ? CL_SUCCESS : check_limits(w, r, d);
}

cl_int
launch_check(const struct kernel *k, const struct queue *q,
    struct range *r)
{
	const struct device *d = q->device;
	const struct work_shape *w;
	cl_uint i;
	cl_int code;

	if (q->context != k->program->context)
		return CL_INVALID_CONTEXT;
	if ((code = atomic_load(&k->o.error)) != CL_SUCCESS)
		return code;
	i = kernel_device_index(k, d);
	if (i == k->program->device_count)
		return CL_INVALID_PROGRAM_EXECUTABLE;
	if (r->dim < 1 || r->dim > 3)
		return CL_INVALID_WORK_DIMENSION;
	if ((code = check_global(r, d)) != CL_SUCCESS)
		return code;
	w = &k->shape->work[i];
	if ((code = check_local(k, w, r, d)) != CL_SUCCESS)
		return code;
	if (r->local == NULL && w->compile_size[0] != 0 && !is_empty(r))
		r->local = w->compile_size;
	return CL_SUCCESS;
}
