/* SPDX-License-Identifier: ISC */
#include "conformance/calls/images.h"

static cl_int
ask(struct world *w, void *object, cl_uint param, size_t size, void *value,
    size_t *size_ret)
{
	(void)w;
	return clGetSamplerInfo(object, param, size, value, size_ret);
}

void
check_clGetSamplerInfo(struct world *w)
{
	cl_context context = NULL;
	cl_bool normalized = 7;
	cl_addressing_mode addressing = 7;
	cl_filter_mode filter = 7;
	cl_sampler s;

	if (no_images(w))
		return;
	query_cases(w, &(struct query){ .ask = ask,
	    .object = world_sampler(w), .type = "cl_sampler",
	    .no_object = CL_INVALID_SAMPLER, .param = CL_SAMPLER_FILTER_MODE,
	    .size = sizeof(cl_filter_mode) });
	s = clCreateSampler(w->context, CL_TRUE, CL_ADDRESS_REPEAT,
	    CL_FILTER_LINEAR, &w->err);
	must(w->err, "clCreateSampler");
	clGetSamplerInfo(s, CL_SAMPLER_CONTEXT, sizeof(context), &context,
	    NULL);
	clGetSamplerInfo(s, CL_SAMPLER_NORMALIZED_COORDS, sizeof(normalized),
	    &normalized, NULL);
	clGetSamplerInfo(s, CL_SAMPLER_ADDRESSING_MODE, sizeof(addressing),
	    &addressing, NULL);
	clGetSamplerInfo(s, CL_SAMPLER_FILTER_MODE, sizeof(filter), &filter,
	    NULL);
	IS(w, "its context", context == w->context);
	IS(w, "what it was made with", normalized == CL_TRUE &&
	    addressing == CL_ADDRESS_REPEAT && filter == CL_FILTER_LINEAR);
	clReleaseSampler(s);
}
