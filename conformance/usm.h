/* SPDX-License-Identifier: ISC */
/*
 * usm - unified shared memory: what allocations hold after copies, fills and
 * kernels, and the codes of its calls.
 *
 * Each line is what a step left in memory, or how a call ended.  Run natively
 * and through vgpu, the lines must be the same.
 */
#ifndef VGPU_CONFORMANCE_USM_H
#define VGPU_CONFORMANCE_USM_H

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stddef.h>

extern cl_device_id device;
extern cl_context context;
extern cl_command_queue queue;

extern clHostMemAllocINTEL_fn host_alloc;
extern clDeviceMemAllocINTEL_fn device_alloc;
extern clSharedMemAllocINTEL_fn shared_alloc;
extern clMemFreeINTEL_fn mem_free;
extern clMemBlockingFreeINTEL_fn mem_blocking_free;
extern clGetMemAllocInfoINTEL_fn mem_info;
extern clSetKernelArgMemPointerINTEL_fn set_pointer;
extern clEnqueueMemFillINTEL_fn mem_fill;
extern clEnqueueMemcpyINTEL_fn mem_copy;
extern clEnqueueMigrateMemINTEL_fn mem_migrate;
extern clEnqueueMemAdviseINTEL_fn mem_advise;

/* End the program, with a message, unless code is CL_SUCCESS. */
void must(cl_int code, const char *what);

/* One allocation of a kind, CL_MEM_TYPE_..., or the end. */
void *get(cl_uint type, size_t size);

/* Print a step's line: a number made of n bytes. */
void line(const char *what, const void *, size_t n);

/* Kernels with coherent memory; and what the calls refuse. */
void usm_coherence(void);
void usm_codes(void);
void usm_with_buffers(void);

#endif
