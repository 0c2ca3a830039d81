/* SPDX-License-Identifier: ISC */
#include "conformance/calls/usm.h"

static clDeviceMemAllocINTEL_fn call;

static void *
alloc(struct world *w, cl_context c, const cl_mem_properties_intel *p,
    size_t n, cl_uint alignment)
{
	return call(c, w->device, p, n, alignment, &w->err);
}

void
check_clDeviceMemAllocINTEL(struct world *w)
{
	call = (clDeviceMemAllocINTEL_fn)extension(w, USM,
	    "clDeviceMemAllocINTEL");
	if (call == NULL)
		return;
	WANT_HANDLE_NEW(w, "device", cl_device_id, call(w->context, h, NULL,
	    64, 0, &w->err), CL_INVALID_DEVICE);
	if (w->stranger != NULL)
		WANT_NEW(w, "device of no context", call(w->context,
		    w->stranger, NULL, 64, 0, &w->err), CL_INVALID_DEVICE);
	usm_cases(w, alloc, false);
}
