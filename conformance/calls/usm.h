/* SPDX-License-Identifier: ISC */
/*
 * usm - the cases that calls on unified shared memory share.
 */
#ifndef VGPU_CONFORMANCE_CALLS_USM_H
#define VGPU_CONFORMANCE_CALLS_USM_H

#include <CL/cl_ext.h>

#include "conformance/calls/calls.h"

#define USM "cl_intel_unified_shared_memory"

/* An allocating call with everything given that is not a parameter. */
typedef void *usm_function(struct world *, cl_context,
    const cl_mem_properties_intel *, size_t, cl_uint alignment);

/* What all three have in common; placed: places may be asked for. */
void usm_cases(struct world *, usm_function *, bool placed);

/* An allocation of the device's, and its end. */
void *usm_alloc(struct world *, size_t);
void usm_free(struct world *, void *);

#endif
