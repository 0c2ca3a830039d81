/* SPDX-License-Identifier: ISC */
/*
 * launch_concurrent - how many of a kernel's work-groups can run at once
 * (cl_intel_concurrent_dispatch).
 */
#include "icd-vgpu/launch.h"

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"

static cl_int
check(cl_uint dim, const size_t *local, const size_t *count)
{
	cl_uint i;

	if (dim == 0 || dim > 3)
		return CL_INVALID_WORK_DIMENSION;
	if (local == NULL)
		return CL_INVALID_WORK_GROUP_SIZE;
	for (i = 0; i < dim; i++)
		if (local[i] == 0)
			return CL_INVALID_WORK_GROUP_SIZE;
	return count != NULL ? CL_SUCCESS : CL_INVALID_VALUE;
}

cl_int
icd_clGetKernelMaxConcurrentWorkGroupCountINTEL(
    cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
    const size_t *global_work_offset, const size_t *local_work_size,
    size_t *suggested_work_group_count)
{
	const struct queue *q = (const struct queue *)object_check(
	    command_queue, OBJ_QUEUE);
	const struct kernel *k = kernel_check(kernel);
	struct msg_clGetKernelMaxConcurrentWorkGroupCountINTEL m;
	struct reply_clGetKernelMaxConcurrentWorkGroupCountINTEL r;
	struct buf body;
	cl_int code;

	if (q == NULL || q->on_device)
		return CL_INVALID_COMMAND_QUEUE;
	if (k == NULL)
		return CL_INVALID_KERNEL;
	if (k->program->context != q->context)
		return CL_INVALID_CONTEXT;
	code = check(work_dim, local_work_size, suggested_work_group_count);
	if (code != CL_SUCCESS)
		return code;
	m.command_queue.id = q->o.id;
	m.kernel.id = k->o.id;
	m.work_dim = work_dim;
	m.global_work_offset = launch_sizes(global_work_offset, work_dim);
	m.local_work_size = launch_sizes(local_work_size, work_dim);
	code = call_sync(&desc_clGetKernelMaxConcurrentWorkGroupCountINTEL,
	    &m, &r, &body);
	buf_fini(&body);
	if (code == CL_SUCCESS)
		*suggested_work_group_count = (size_t)r.count;
	return code;
}
