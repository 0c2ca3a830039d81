/* SPDX-License-Identifier: ISC */
/*
 * semaphores - the cases that calls on semaphores share.
 */
#ifndef VGPU_CONFORMANCE_CALLS_SEMAPHORES_H
#define VGPU_CONFORMANCE_CALLS_SEMAPHORES_H

#include "conformance/calls/calls.h"
#include "protocol/khr.h"

#define SEMAPHORES "cl_khr_semaphore"

/* A binary semaphore of a context, and a release. */
cl_semaphore_khr semaphore_open(struct world *, cl_context);
void semaphore_close(struct world *, cl_semaphore_khr);

/* The cases of clEnqueueSignalSemaphoresKHR and clEnqueueWaitSemaphoresKHR. */
typedef cl_int semaphores_function(cl_command_queue, cl_uint,
    const cl_semaphore_khr *, const cl_ulong *, cl_uint, const cl_event *,
    cl_event *);
void semaphores_cases(struct world *, semaphores_function *,
    cl_command_type, bool waits);

#endif
