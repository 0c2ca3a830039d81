/* SPDX-License-Identifier: ISC */
#include "conformance/calls/images.h"

static cl_uint
count(cl_sampler o)
{
	cl_uint n = 0;

	clGetSamplerInfo(o, CL_SAMPLER_REFERENCE_COUNT, sizeof(n), &n, NULL);
	return n;
}

static cl_sampler
make(struct world *w)
{
	cl_sampler o = clCreateSampler(
	    w->context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &w->err);

	must(w->err, "a new object");
	return o;
}

void
check_clRetainSampler(struct world *w)
{
	cl_sampler o;

	if (no_images(w))
		return;
	o = make(w);
	WANT_HANDLE(
	    w, "sampler", cl_sampler, clRetainSampler(h), CL_INVALID_SAMPLER);
	IS(w, "a new sampler has one reference", count(o) == 1);
	WANT(w, "a sampler", clRetainSampler(o), CL_SUCCESS);
	IS(w, "it has one reference more", count(o) == 2);
	clReleaseSampler(o);
	IS(w, "and one less after its release", count(o) == 1);
	clReleaseSampler(o);
}
