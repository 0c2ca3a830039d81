/* SPDX-License-Identifier: ISC */
#include "conformance/calls/usm.h"

static clSharedMemAllocINTEL_fn call;

static void *
alloc(struct world *w, cl_context c, const cl_mem_properties_intel *p,
    size_t n, cl_uint alignment)
{
	return call(c, w->device, p, n, alignment, &w->err);
}

static void *
alloc_for_all(struct world *w, cl_context c, const cl_mem_properties_intel *p,
    size_t n, cl_uint alignment)
{
	return call(c, NULL, p, n, alignment, &w->err);
}

void
check_clSharedMemAllocINTEL(struct world *w)
{
	cl_device_id wrong = (cl_device_id)w->queue;

	call = (clSharedMemAllocINTEL_fn)extension(w, USM,
	    "clSharedMemAllocINTEL");
	if (call == NULL)
		return;
	if (world_info(w,
	    CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL) == 0) {
		WANT_NEW(w, "no device can", alloc(w, w->context, NULL, 64,
		    0), CL_INVALID_OPERATION);
		return;
	}
	WANT_NEW(w, "device of another kind", call(w->context, wrong, NULL,
	    64, 0, &w->err), CL_INVALID_DEVICE);
	if (w->stranger != NULL)
		WANT_NEW(w, "device of no context", call(w->context,
		    w->stranger, NULL, 64, 0, &w->err), CL_INVALID_DEVICE);
	usm_cases(w, alloc, true);
	usm_cases(w, alloc_for_all, true);
}
