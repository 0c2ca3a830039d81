/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/svm_copy.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/enqueue.h"
#include "icd-vgpu/platform.h"
#include "icd-vgpu/svm.h"
#include "icd-vgpu/svm_defer.h"
#include "icd-vgpu/usm.h"

/*
 * A copy takes SVM and the program's own memory on either side:
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
check_copy(const struct queue *q, const struct svm_copy *k, bool *to_svm,
    bool *from_svm)
{
	const uintptr_t d = (uintptr_t)k->dst, s = (uintptr_t)k->src;
	cl_int code;

	if ((code = check_side(q, k->dst, k->size, to_svm)) != CL_SUCCESS ||
	    (code = check_side(q, k->src, k->size, from_svm)) != CL_SUCCESS)
		return code;
	return d < s + k->size && s < d + k->size ? CL_MEM_COPY_OVERLAP :
	    CL_SUCCESS;
}

/* ---- copies ------------------------------------------------------------ */

static void
copying_run(void *arg)
{
	const struct svm_copy *k = arg;

	memcpy(k->dst, k->src, k->size);
}

static cl_int
copy_here(cl_command_queue queue, const struct svm_copy *k, cl_uint n,
    const cl_event *list, cl_event *event)
{
	struct deferred d = { k->type, k->blocking, copying_run, free,
		malloc(sizeof(*k)) };

	if (d.arg == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	*(struct svm_copy *)d.arg = *k;
	return svm_defer(queue, &d, n, list, event);
}

static cl_int
copy_there(struct command *c, const struct svm_copy *k, bool to_svm,
    bool from_svm)
{
	struct msg_clEnqueueSVMMemcpy m = {
		.command_queue.id = c->queue->o.id,
		.size = k->size,
		.event_wait_list = c->list,
		.event = c->event_id,
		.dst = to_svm ? (uintptr_t)k->dst : 0,
		.src = from_svm ? (uintptr_t)k->src : 0,
	};
	struct layout to = layout_flat(k->dst, k->size);
	struct layout from = layout_flat(k->src, k->size);

	if (!to_svm)
		return enqueue_read(c, &desc_clEnqueueSVMMemcpy, &m,
		    &m.transfer, &to, NULL);
	if (!from_svm)
		return enqueue_write(c, &desc_clEnqueueSVMMemcpy, &m, &m.data,
		    &m.transfer, &from, NULL);
	return command_send(c, &desc_clEnqueueSVMMemcpy, &m, NULL);
}

cl_int
svm_copy(cl_command_queue queue, const struct svm_copy *k, cl_uint n,
    const cl_event *list, cl_event *event)
{
	const void *both[] = { k->dst, k->src };
	const struct usm_set touched = { .count = 2, .p = both };
	const bool usm = usm_exists();
	bool to_svm, from_svm;
	struct command c;
	cl_int code = check_copy((struct queue *)(void *)queue, k, &to_svm,
	    &from_svm);

	if (code != CL_SUCCESS)
		return code;
	if (!to_svm && !from_svm)
		return copy_here(queue, k, n, list, event);
	code = command_open(&c, queue, &(struct command_options){ k->type,
	    k->blocking, !to_svm || !from_svm || usm }, n, list, event);
	if (code != CL_SUCCESS)
		return code;
	c.usm = usm ? &touched : NULL;
	return copy_there(&c, k, to_svm, from_svm);
}

cl_int
icd_clEnqueueSVMMemcpy(cl_command_queue command_queue, cl_bool blocking,
    void *dst_ptr, const void *src_ptr, size_t size, cl_uint n,
    const cl_event *list, cl_event *event)
{
	struct queue *q = (struct queue *)object_check(command_queue,
	    OBJ_QUEUE);

	if (q == NULL)
		return CL_INVALID_COMMAND_QUEUE;
	if (device_u64(q->device, CL_DEVICE_SVM_CAPABILITIES) == 0)
		return CL_INVALID_OPERATION;
	return svm_copy(command_queue, &(struct svm_copy){
	    CL_COMMAND_SVM_MEMCPY, blocking, dst_ptr, src_ptr, size }, n,
	    list, event);
}

/* ---- fills ------------------------------------------------------------- */

static cl_int
check_fill(const struct queue *q, const void *dst, size_t pattern,
    size_t size)
{
	bool svm = false;
	cl_int code = check_side(q, dst, size, &svm);

	if (code != CL_SUCCESS)
		return code;
	return svm && (uintptr_t)dst % pattern == 0 && size % pattern == 0 ?
	    CL_SUCCESS : CL_INVALID_VALUE;
}

cl_int
svm_fill(cl_command_queue queue, cl_command_type type, void *dst,
    const struct span *pattern, size_t size, cl_uint n, const cl_event *list,
    cl_event *event)
{
	const void *p = dst;
	const struct usm_set touched = { .count = 1, .p = &p };
	struct msg_clEnqueueSVMMemFill m;
	const bool usm = usm_exists();
	struct command c;
	cl_int code = command_open(&c, queue, &(struct command_options){
	    .type = type, .need_event = usm }, n, list, event);

	if (code != CL_SUCCESS)
		return code;
	if ((code = check_fill(c.queue, dst, pattern->n, size)) != CL_SUCCESS)
		return command_drop(&c, code);
	m.command_queue.id = c.queue->o.id;
	m.size = size;
	m.event_wait_list = c.list;
	m.event = c.event_id;
	m.address = (uintptr_t)dst;
	m.pattern_bytes = *pattern;
	c.usm = usm ? &touched : NULL;
	return command_send(&c, &desc_clEnqueueSVMMemFill, &m, NULL);
}

cl_int
icd_clEnqueueSVMMemFill(cl_command_queue command_queue, void *svm_ptr,
    const void *pattern, size_t pattern_size, size_t size, cl_uint n,
    const cl_event *list, cl_event *event)
{
	struct queue *q = (struct queue *)object_check(command_queue,
	    OBJ_QUEUE);
	cl_int code;

	if (q == NULL || q->on_device)
		return CL_INVALID_COMMAND_QUEUE;
	if (device_u64(q->device, CL_DEVICE_SVM_CAPABILITIES) == 0)
		return CL_INVALID_OPERATION;
	if ((code = check_pattern(pattern, pattern_size)) != CL_SUCCESS)
		return code;
	return svm_fill(command_queue, CL_COMMAND_SVM_MEMFILL, svm_ptr,
	    &(struct span){ pattern, pattern_size }, size, n, list, event);
}
