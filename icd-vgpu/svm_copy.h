/* SPDX-License-Identifier: ISC */
/*
 * svm_copy - copies and fills of memory of either kind, shared virtual and
 * unified shared, once the arguments of their own calls are checked.
 */
#ifndef VGPU_ICD_SVM_COPY_H
#define VGPU_ICD_SVM_COPY_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

struct span;

struct svm_copy {
	cl_command_type type;
	bool blocking;
	void *dst;
	const void *src;
	size_t size;
};

/*
 * Enqueue a copy between such memory, or between it and the program's own, or
 * within that.  Checks ranges, contexts and overlap.
 */
cl_int svm_copy(cl_command_queue, const struct svm_copy *, cl_uint n,
    const cl_event *list, cl_event *event);

/* Enqueue a fill; checks range, context, alignment and size. */
cl_int svm_fill(cl_command_queue, cl_command_type, void *dst,
    const struct span *pattern, size_t size, cl_uint n, const cl_event *list,
    cl_event *event);

#endif
