/* SPDX-License-Identifier: ISC */
#include "conformance/calls/images.h"

static cl_sampler
make(struct world *w, cl_bool normalized, cl_addressing_mode addressing,
    cl_filter_mode filter)
{
	return clCreateSampler(w->context, normalized, addressing, filter,
	    &w->err);
}

void
check_clCreateSampler(struct world *w)
{
	cl_addressing_mode a;

	if (no_images(w))
		return;
	WANT_HANDLE_NEW(w, "context", cl_context, clCreateSampler(h, CL_TRUE,
	    CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &w->err), CL_INVALID_CONTEXT);
	WANT_NEW(w, "neither true nor false",
	    make(w, 2, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR), CL_INVALID_VALUE);
	WANT_NEW(w, "unknown addressing mode",
	    make(w, CL_TRUE, NO_SUCH_NAME, CL_FILTER_LINEAR),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "unknown filter mode",
	    make(w, CL_TRUE, CL_ADDRESS_CLAMP, NO_SUCH_NAME),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "repeated without normalized coordinates",
	    make(w, CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "mirrored without normalized coordinates",
	    make(w, CL_FALSE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR),
	    CL_INVALID_VALUE);
	for (a = CL_ADDRESS_NONE; a <= CL_ADDRESS_MIRRORED_REPEAT; a++) {
		WANT_NEW(w, "normalized, nearest", make(w, CL_TRUE, a,
		    CL_FILTER_NEAREST), CL_SUCCESS);
		WANT_NEW(w, "normalized, linear", make(w, CL_TRUE, a,
		    CL_FILTER_LINEAR), CL_SUCCESS);
	}
	for (a = CL_ADDRESS_NONE; a <= CL_ADDRESS_CLAMP; a++)
		WANT_NEW(w, "not normalized", make(w, CL_FALSE, a,
		    CL_FILTER_NEAREST), CL_SUCCESS);
}
