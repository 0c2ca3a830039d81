/* SPDX-License-Identifier: ISC */
/*
 * launch_suggest - cl_khr_suggested_local_work_size: what the vendor would
 * choose for a launch without a local size.
 */
#include "icd-vgpu/launch.h"

#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"

/*
 * With the kernel's lock held.  Arguments go along, as the answer may depend
 * on them, and stay changed: the next launch sends them again.
 */
static cl_int
ask(struct queue *q, struct kernel *k, const struct range *r, size_t *out)
{
	struct msg_clGetKernelSuggestedLocalWorkSizeKHR m = {
		.command_queue.id = q->o.id,
		.kernel.id = k->o.id,
		.work_dim = r->dim,
		.global_work_offset = launch_sizes(r->offset, r->dim),
		.global_work_size = launch_sizes(r->global, r->dim),
	};
	struct reply_clGetKernelSuggestedLocalWorkSizeKHR reply;
	struct buf body;
	cl_int code = launch_gather(k, NULL, &m.args);
	const uint64_t *size;
	cl_uint i;

	if (code != CL_SUCCESS)
		return code;
	code = call_sync(&desc_clGetKernelSuggestedLocalWorkSizeKHR, &m,
	    &reply, &body);
	size = reply.local_work_size.p;
	if (code == CL_SUCCESS && reply.local_work_size.n != r->dim)
		code = CL_OUT_OF_RESOURCES;
	for (i = 0; code == CL_SUCCESS && i < r->dim; i++)
		out[i] = size[i];
	buf_fini(&body);
	launch_give_back(k);
	return code;
}

cl_int
icd_clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue command_queue,
    cl_kernel kernel, cl_uint work_dim, const size_t *global_work_offset,
    const size_t *global_work_size, size_t *suggested_local_work_size)
{
	struct queue *q = (struct queue *)object_check(command_queue,
	    OBJ_QUEUE);
	struct kernel *k = kernel_check(kernel);
	struct range r = { work_dim, global_work_offset, global_work_size,
		NULL };
	cl_uint i;
	cl_int code;

	if (q == NULL || q->on_device)
		return CL_INVALID_COMMAND_QUEUE;
	if (k == NULL)
		return CL_INVALID_KERNEL;
	if ((code = launch_check(k, q, &r)) != CL_SUCCESS)
		return code;
	for (i = 0; i < work_dim; i++)
		if (global_work_size == NULL || global_work_size[i] == 0)
			return CL_INVALID_GLOBAL_WORK_SIZE;
	if (suggested_local_work_size == NULL)
		return CL_INVALID_VALUE;
	pthread_mutex_lock(&k->lock);
	code = k->unset > 0 ? CL_INVALID_KERNEL_ARGS :
	    ask(q, k, &r, suggested_local_work_size);
	pthread_mutex_unlock(&k->lock);
	return code;
}
