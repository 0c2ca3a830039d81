/* SPDX-License-Identifier: ISC */
/*
 * enqueue_usm - commands on unified shared memory; copies and fills are those
 * of shared virtual memory, with other checks.
 */
#include "icd-vgpu/calls.h"

#include "icd-vgpu/enqueue.h"
#include "icd-vgpu/svm.h"
#include "icd-vgpu/svm_copy.h"
#include "icd-vgpu/usm.h"

static cl_int
check_queue(cl_command_queue queue)
{
	const struct queue *q = (const struct queue *)object_check(queue,
	    OBJ_QUEUE);

	return q != NULL && !q->on_device ? CL_SUCCESS :
	    CL_INVALID_COMMAND_QUEUE;
}

cl_int
icd_clEnqueueMemcpyINTEL(cl_command_queue command_queue, cl_bool blocking,
    void *dst_ptr, const void *src_ptr, size_t size, cl_uint n,
    const cl_event *list, cl_event *event)
{
	cl_int code = check_queue(command_queue);

	if (code != CL_SUCCESS)
		return code;
	if (dst_ptr == NULL || src_ptr == NULL)
		return CL_INVALID_VALUE;
	return svm_copy(command_queue, &(struct svm_copy){
	    CL_COMMAND_MEMCPY_INTEL, blocking, dst_ptr, src_ptr, size }, n,
	    list, event);
}

cl_int
icd_clEnqueueMemFillINTEL(cl_command_queue command_queue, void *dst_ptr,
    const void *pattern, size_t pattern_size, size_t size, cl_uint n,
    const cl_event *list, cl_event *event)
{
	cl_int code = check_queue(command_queue);

	if (code != CL_SUCCESS)
		return code;
	if (dst_ptr == NULL || (code = check_pattern(pattern, pattern_size)) !=
	    CL_SUCCESS)
		return CL_INVALID_VALUE;
	return svm_fill(command_queue, CL_COMMAND_MEMFILL_INTEL, dst_ptr,
	    &(struct span){ pattern, pattern_size }, size, n, list, event);
}

/* Hints: the order of commands is kept, which is all that can be seen. */
static cl_int
hint(cl_command_queue queue, cl_command_type type, cl_uint n,
    const cl_event *list, cl_event *event)
{
	return command_empty(queue, &(struct command_options){ .type = type },
	    n, list, event);
}

cl_int
icd_clEnqueueMigrateMemINTEL(cl_command_queue command_queue, const void *ptr,
    size_t size, cl_mem_migration_flags flags, cl_uint n,
    const cl_event *list, cl_event *event)
{
	const cl_mem_migration_flags known = CL_MIGRATE_MEM_OBJECT_HOST |
	    CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED;

	(void)ptr;
	(void)size;
	if (check_queue(command_queue) == CL_SUCCESS && (flags & ~known))
		return CL_INVALID_VALUE;
	return hint(command_queue, CL_COMMAND_MIGRATEMEM_INTEL, n, list,
	    event);
}

cl_int
icd_clEnqueueMemAdviseINTEL(cl_command_queue command_queue, const void *ptr,
    size_t size, cl_mem_advice_intel advice, cl_uint n, const cl_event *list,
    cl_event *event)
{
	(void)ptr;
	(void)size;
	(void)advice;
	return hint(command_queue, CL_COMMAND_MEMADVISE_INTEL, n, list, event);
}
