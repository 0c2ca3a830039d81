/* SPDX-License-Identifier: ISC */
#include <string.h>

#include "conformance/calls/images.h"

static const struct {
	const char *what;
	cl_sampler_properties list[7];
	cl_int code;
} lists[] = {
	{ "unknown property", { NO_SUCH_NAME, 1, 0 }, CL_INVALID_VALUE },
	{ "unknown property behind one", { CL_SAMPLER_FILTER_MODE,
	    CL_FILTER_LINEAR, NO_SUCH_NAME, 1, 0 }, CL_INVALID_VALUE },
	{ "neither true nor false", { CL_SAMPLER_NORMALIZED_COORDS, 2, 0 },
	    CL_INVALID_VALUE },
	{ "unknown addressing mode", { CL_SAMPLER_ADDRESSING_MODE,
	    NO_SUCH_NAME, 0 }, CL_INVALID_VALUE },
	{ "unknown filter mode", { CL_SAMPLER_FILTER_MODE, NO_SUCH_NAME, 0 },
	    CL_INVALID_VALUE },
	{ "a property twice", { CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
	    CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0 }, CL_INVALID_VALUE },
	{ "empty list", { 0 }, CL_SUCCESS },
	{ "one property", { CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0 },
	    CL_SUCCESS },
	{ "all properties", { CL_SAMPLER_NORMALIZED_COORDS, CL_TRUE,
	    CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_REPEAT,
	    CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0 }, CL_SUCCESS },
};

static cl_sampler
make(struct world *w, const cl_sampler_properties *list)
{
	return clCreateSamplerWithProperties(w->context, list, &w->err);
}

static void
defaults(struct world *w)
{
	cl_sampler s = make(w, NULL);
	cl_bool normalized = 7;
	cl_addressing_mode addressing = 7;
	cl_filter_mode filter = 7;

	must(w->err, "clCreateSamplerWithProperties");
	clGetSamplerInfo(s, CL_SAMPLER_NORMALIZED_COORDS, sizeof(normalized),
	    &normalized, NULL);
	clGetSamplerInfo(s, CL_SAMPLER_ADDRESSING_MODE, sizeof(addressing),
	    &addressing, NULL);
	clGetSamplerInfo(s, CL_SAMPLER_FILTER_MODE, sizeof(filter), &filter,
	    NULL);
	IS(w, "what is not given has the default", normalized == CL_TRUE &&
	    addressing == CL_ADDRESS_CLAMP && filter == CL_FILTER_NEAREST);
	clReleaseSampler(s);
}

/* As 5.7.2 wants it: empty where none was given. */
static void
told(struct world *w)
{
	const cl_sampler_properties *list = lists[7].list;
	cl_sampler_properties got[7];
	cl_sampler s = make(w, list);
	size_t n = 77;

	must(w->err, "clCreateSamplerWithProperties");
	WANT(w, "query of the list", clGetSamplerInfo(s,
	    CL_SAMPLER_PROPERTIES, sizeof(got), got, &n), CL_SUCCESS);
	IS(w, "the list as it was given", n == 3 * sizeof(got[0]) &&
	    memcmp(got, list, n) == 0);
	clReleaseSampler(s);
	s = make(w, NULL);
	must(w->err, "clCreateSamplerWithProperties");
	WANT(w, "query of no list", clGetSamplerInfo(s, CL_SAMPLER_PROPERTIES,
	    sizeof(got), got, &n), CL_SUCCESS);
	IS(w, "no list", n == 0);
	clReleaseSampler(s);
}

void
check_clCreateSamplerWithProperties(struct world *w)
{
	size_t i;

	if (older(w, 20) || no_images(w))
		return;
	WANT_HANDLE_NEW(w, "context", cl_context,
	    clCreateSamplerWithProperties(h, NULL, &w->err),
	    CL_INVALID_CONTEXT);
	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		WANT_NEW(w, lists[i].what, make(w, lists[i].list),
		    lists[i].code);
	WANT_NEW(w, "no list", make(w, NULL), CL_SUCCESS);
	defaults(w);
	if (w->version >= 30)
		told(w);
}
