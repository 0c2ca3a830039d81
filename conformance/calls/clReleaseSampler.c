/* SPDX-License-Identifier: ISC */
#include "conformance/calls/images.h"

void
check_clReleaseSampler(struct world *w)
{
	cl_sampler o;

	if (no_images(w))
		return;
	o = clCreateSampler(
	    w->context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &w->err);
	must(w->err, "a new object");
	WANT_HANDLE(
	    w, "sampler", cl_sampler, clReleaseSampler(h), CL_INVALID_SAMPLER);
	WANT(
	    w, "a sampler with two references", clRetainSampler(o), CL_SUCCESS);
	WANT(w, "the first release", clReleaseSampler(o), CL_SUCCESS);
	WANT(w, "the last release", clReleaseSampler(o), CL_SUCCESS);
}
