/* SPDX-License-Identifier: ISC */
/*
 * linear - what reads, writes and maps of buffers have in common: ranges, host
 * access, sub-buffers that the device of the queue can't take.
 */
#ifndef VGPU_CONFORMANCE_CALLS_LINEAR_H
#define VGPU_CONFORMANCE_CALLS_LINEAR_H

#include "conformance/calls/calls.h"

typedef cl_int linear_function(struct world *, cl_mem, size_t offset,
    size_t size, cl_event *event);

/* Handles and ranges of a buffer of WORLD_SIZE bytes. */
void linear_cases(struct world *, linear_function *);

/* A function of an object made with given flags. */
typedef cl_int access_function(struct world *, cl_mem);
void access_cases(struct world *, bool image, access_function *, bool reads,
    bool writes);

#endif
