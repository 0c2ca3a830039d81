/* SPDX-License-Identifier: ISC */
#include "conformance/calls/usm.h"

static clHostMemAllocINTEL_fn call;

static void *
alloc(struct world *w, cl_context c, const cl_mem_properties_intel *p,
    size_t n, cl_uint alignment)
{
	return call(c, p, n, alignment, &w->err);
}

void
check_clHostMemAllocINTEL(struct world *w)
{
	call = (clHostMemAllocINTEL_fn)extension(w, USM,
	    "clHostMemAllocINTEL");
	if (call == NULL)
		return;
	if (world_info(w, CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL) == 0) {
		WANT_NEW(w, "no device can", alloc(w, w->context, NULL, 64,
		    0), CL_INVALID_OPERATION);
		return;
	}
	usm_cases(w, alloc, false);
	IS(w, "without errcode_ret, failing", call(w->context, NULL, 0, 0,
	    NULL) == NULL);
}
