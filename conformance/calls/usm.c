/* SPDX-License-Identifier: ISC */
#include "conformance/calls/usm.h"

typedef cl_mem_properties_intel property;

static void
properties(struct world *w, usm_function *f, bool placed)
{
	const property unknown[] = { NO_SUCH_NAME, 1, 0 };
	const property bits[] = { CL_MEM_ALLOC_FLAGS_INTEL, NO_SUCH_BIT, 0 };
	const property twice[] = { CL_MEM_ALLOC_FLAGS_INTEL, 0,
		CL_MEM_ALLOC_FLAGS_INTEL, 0, 0 };
	const property device[] = { CL_MEM_ALLOC_FLAGS_INTEL,
		CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, 0 };
	const property both[] = { CL_MEM_ALLOC_FLAGS_INTEL,
		CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL |
		CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0 };

	WANT_NEW(w, "unknown property", f(w, w->context, unknown, 64, 0),
	    CL_INVALID_PROPERTY);
	WANT_NEW(w, "unknown flags", f(w, w->context, bits, 64, 0),
	    CL_INVALID_PROPERTY);
	WANT_NEW(w, "flags twice", f(w, w->context, twice, 64, 0),
	    CL_INVALID_PROPERTY);
	WANT_NEW(w, "two places", f(w, w->context, both, 64, 0),
	    CL_INVALID_PROPERTY);
	if (!placed)
		WANT_NEW(w, "a place", f(w, w->context, device, 64, 0),
		    CL_INVALID_PROPERTY);
}

void
usm_cases(struct world *w, usm_function *f, bool placed)
{
	const size_t max = (size_t)world_info(w, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
	const property empty[] = { 0 };
	void *p = NULL;

	WANT_HANDLE_NEW(w, "context", cl_context, f(w, h, NULL, 64, 0),
	    CL_INVALID_CONTEXT);
	WANT_NEW(w, "no size", f(w, w->context, NULL, 0, 0),
	    CL_INVALID_BUFFER_SIZE);
	WANT_NEW(w, "larger than can be", f(w, w->context, NULL, max + 1, 0),
	    CL_INVALID_BUFFER_SIZE);
	WANT_NEW(w, "alignment of 3", f(w, w->context, NULL, 64, 3),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "alignment of more than any type", f(w, w->context, NULL,
	    64, 1 << 20), CL_INVALID_VALUE);
	properties(w, f, placed);
	WANT_NEW(w, "some memory", p = f(w, w->context, empty, 64, 64),
	    CL_SUCCESS);
	IS(w, "it is aligned", (size_t)p % 64 == 0);
	if (p != NULL)
		usm_free(w, p);
}

void *
usm_alloc(struct world *w, size_t n)
{
	const clDeviceMemAllocINTEL_fn f = (clDeviceMemAllocINTEL_fn)extension(
	    w, USM, "clDeviceMemAllocINTEL");
	cl_int e = CL_INVALID_OPERATION;
	void *p = f != NULL ? f(w->context, w->device, NULL, n, 0, &e) : NULL;

	must(e, "clDeviceMemAllocINTEL");
	return p;
}

void
usm_free(struct world *w, void *p)
{
	const clMemFreeINTEL_fn f = (clMemFreeINTEL_fn)extension(w, USM,
	    "clMemFreeINTEL");

	if (f != NULL)
		f(w->context, p);
}
