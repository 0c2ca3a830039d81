/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/calls.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/context.h"
#include "icd-vgpu/enqueue.h"
#include "icd-vgpu/platform.h"
#include "icd-vgpu/svm.h"
#include "icd-vgpu/svm_defer.h"

/*
 * clEnqueueSVMMemcpy takes SVM and the program's own memory on either side:
 * SVM to SVM is the host's alone, one of each is a read or a write, and
 * neither is our own work.
 */

/* One side: *svm says which kind; CL_INVALID_VALUE: only partly SVM. */
static cl_int
check_side(const struct queue *q, const void *p, size_t n, bool *svm)
{
	const struct svm *s;

	if (p == NULL)
		return CL_INVALID_VALUE;
	s = svm_find(p);
	*svm = s != NULL;
	if (s == NULL)
		return CL_SUCCESS;
	if (s->context != q->context)
		return CL_INVALID_CONTEXT;
	return svm_find_range(p, n) != NULL ? CL_SUCCESS : CL_INVALID_VALUE;
}

static cl_int
check_copy(const struct queue *q, const void *dst, const void *src, size_t n,
    bool *to_svm, bool *from_svm)
{
	const uintptr_t d = (uintptr_t)dst, s = (uintptr_t)src;
	cl_int code;

	if (q == NULL)
		return CL_INVALID_COMMAND_QUEUE;
	if (device_u64(q->device, CL_DEVICE_SVM_CAPABILITIES) == 0)
		return CL_INVALID_OPERATION;
	if ((code = check_side(q, dst, n, to_svm)) != CL_SUCCESS ||
	    (code = check_side(q, src, n, from_svm)) != CL_SUCCESS)
		return code;
	return d < s + n && s < d + n ? CL_MEM_COPY_OVERLAP : CL_SUCCESS;
}

struct copying {
	void *dst;
	const void *src;
	size_t n;
};

static void
copying_run(void *arg)
{
	const struct copying *c = arg;

	memcpy(c->dst, c->src, c->n);
}

static cl_int
copy_here(cl_command_queue queue, bool blocking, void *dst, const void *src,
    size_t size, cl_uint n, const cl_event *list, cl_event *event)
{
	struct deferred d = { CL_COMMAND_SVM_MEMCPY, blocking, copying_run,
		free, malloc(sizeof(struct copying)) };

	if (d.arg == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	*(struct copying *)d.arg = (struct copying){ dst, src, size };
	return svm_defer(queue, &d, n, list, event);
}

static cl_int
copy_there(struct command *c, void *dst, const void *src, size_t size,
    bool to_svm, bool from_svm)
{
	struct msg_clEnqueueSVMMemcpy m = {
		.command_queue.id = c->queue->o.id,
		.size = size,
		.event_wait_list = c->list,
		.event = c->event_id,
		.dst = to_svm ? (uintptr_t)dst : 0,
		.src = from_svm ? (uintptr_t)src : 0,
	};
	struct layout to = layout_flat(dst, size);
	struct layout from = layout_flat(src, size);

	if (!to_svm)
		return enqueue_read(c, &desc_clEnqueueSVMMemcpy, &m,
		    &m.transfer, &to, NULL);
	if (!from_svm)
		return enqueue_write(c, &desc_clEnqueueSVMMemcpy, &m, &m.data,
		    &m.transfer, &from, NULL);
	return command_send(c, &desc_clEnqueueSVMMemcpy, &m, NULL);
}

cl_int
icd_clEnqueueSVMMemcpy(cl_command_queue command_queue, cl_bool blocking,
    void *dst_ptr, const void *src_ptr, size_t size, cl_uint n,
    const cl_event *list, cl_event *event)
{
	struct queue *q = (struct queue *)object_check(command_queue,
	    OBJ_QUEUE);
	bool to_svm, from_svm;
	struct command c;
	cl_int code = check_copy(q, dst_ptr, src_ptr, size, &to_svm,
	    &from_svm);

	if (code != CL_SUCCESS)
		return code;
	if (!to_svm && !from_svm)
		return copy_here(command_queue, blocking, dst_ptr, src_ptr,
		    size, n, list, event);
	code = command_open(&c, command_queue,
	    &(struct command_options){ CL_COMMAND_SVM_MEMCPY, blocking,
	    !to_svm || !from_svm }, n, list, event);
	if (code != CL_SUCCESS)
		return code;
	return copy_there(&c, dst_ptr, src_ptr, size, to_svm, from_svm);
}
