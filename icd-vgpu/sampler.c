/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/sampler.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/platform.h"

static void
sampler_fini(struct object *o)
{
	struct sampler *s = (struct sampler *)o;

	free(s->property);
	object_unuse(s->context);
}

static bool
has_images(const struct context *c)
{
	cl_uint i;

	for (i = 0; i < c->device_count; i++)
		if (device_u64(c->device[i], CL_DEVICE_IMAGE_SUPPORT) != 0)
			return true;
	return false;
}

/* Take one pair of a property list; CL_INVALID_VALUE: unknown. */
static cl_int
take_property(struct sampler *s, cl_sampler_properties name,
    cl_sampler_properties value)
{
	switch (name) {
	case CL_SAMPLER_NORMALIZED_COORDS:
		if (value != CL_TRUE && value != CL_FALSE)
			return CL_INVALID_VALUE;
		s->normalized = (cl_bool)value;
		return CL_SUCCESS;
	case CL_SAMPLER_ADDRESSING_MODE:
		if (value < CL_ADDRESS_NONE ||
		    value > CL_ADDRESS_MIRRORED_REPEAT)
			return CL_INVALID_VALUE;
		s->addressing = (cl_addressing_mode)value;
		return CL_SUCCESS;
	case CL_SAMPLER_FILTER_MODE:
		if (value != CL_FILTER_NEAREST && value != CL_FILTER_LINEAR)
			return CL_INVALID_VALUE;
		s->filter = (cl_filter_mode)value;
		return CL_SUCCESS;
	default:
		return CL_INVALID_VALUE;
	}
}

static cl_int
take_properties(struct sampler *s, const cl_sampler_properties *p)
{
	cl_int code;
	size_t n, i;

	for (n = 0; p != NULL && p[n] != 0; n += 2) {
		for (i = 0; i < n; i += 2)
			if (p[i] == p[n])
				return CL_INVALID_VALUE;
		if ((code = take_property(s, p[n], p[n + 1])) != CL_SUCCESS)
			return code;
	}
	/* 5.7.1: repeating needs normalized coordinates. */
	if (!s->normalized && (s->addressing == CL_ADDRESS_REPEAT ||
	    s->addressing == CL_ADDRESS_MIRRORED_REPEAT))
		return CL_INVALID_VALUE;
	if (p == NULL)
		return CL_SUCCESS;
	if ((s->property = malloc((n + 1) * sizeof(*p))) == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	memcpy(s->property, p, (n + 1) * sizeof(*p));
	s->property_count = n + 1;
	return CL_SUCCESS;
}

static cl_int
sampler_send(const struct sampler *s)
{
	const uint64_t list[] = {
		CL_SAMPLER_NORMALIZED_COORDS, s->normalized,
		CL_SAMPLER_ADDRESSING_MODE, s->addressing,
		CL_SAMPLER_FILTER_MODE, s->filter,
	};
	struct msg_clCreateSamplerWithProperties m = {
		.context.id = s->context->o.id,
		.property_list = { list, sizeof(list) / sizeof(list[0]) },
		.id.id = s->o.id,
	};

	return call_async(&desc_clCreateSamplerWithProperties, &m, 0);
}

/* Make a sampler; NULL with *code set. */
static struct sampler *
sampler_new(struct context *c, const cl_sampler_properties *properties,
    cl_int *code)
{
	struct sampler *s = object_new(OBJ_SAMPLER, sizeof(*s), sampler_fini);

	*code = CL_OUT_OF_HOST_MEMORY;
	if (s == NULL)
		return NULL;
	s->context = object_use(c);
	s->normalized = CL_TRUE;
	s->addressing = CL_ADDRESS_CLAMP;
	s->filter = CL_FILTER_NEAREST;
	if ((*code = take_properties(s, properties)) == CL_SUCCESS &&
	    (*code = sampler_send(s)) == CL_SUCCESS)
		return s;
	s->o.local = true;
	object_unuse(s);
	return NULL;
}

cl_sampler
icd_clCreateSamplerWithProperties(cl_context context,
    const cl_sampler_properties *properties, cl_int *errcode_ret)
{
	struct context *c = context_check(context);
	struct sampler *s = NULL;
	cl_int code;

	if (c == NULL)
		code = CL_INVALID_CONTEXT;
	else if (!has_images(c))
		code = CL_INVALID_OPERATION;
	else
		s = sampler_new(c, properties, &code);
	if (errcode_ret != NULL)
		*errcode_ret = code;
	return (cl_sampler)(void *)s;
}

cl_sampler
icd_clCreateSampler(cl_context context, cl_bool normalized_coords,
    cl_addressing_mode addressing_mode, cl_filter_mode filter_mode,
    cl_int *errcode_ret)
{
	const cl_sampler_properties list[] = {
		CL_SAMPLER_NORMALIZED_COORDS, normalized_coords,
		CL_SAMPLER_ADDRESSING_MODE, addressing_mode,
		CL_SAMPLER_FILTER_MODE, filter_mode,
		0
	};
	cl_sampler sampler = icd_clCreateSamplerWithProperties(context, list,
	    errcode_ret);

	/* No list was given here, so none is told. */
	if (sampler != NULL)
		((struct sampler *)(void *)sampler)->property_count = 0;
	return sampler;
}

cl_int
query_sampler(struct object *o, cl_uint param, struct info_out *out)
{
	const struct sampler *s = (const struct sampler *)o;

	switch (param) {
	case CL_SAMPLER_REFERENCE_COUNT:
		return INFO_VALUE(out, cl_uint, atomic_load(&o->refs));
	case CL_SAMPLER_CONTEXT:
		return INFO_VALUE(out, cl_context, (void *)s->context);
	case CL_SAMPLER_NORMALIZED_COORDS:
		return INFO_VALUE(out, cl_bool, s->normalized);
	case CL_SAMPLER_ADDRESSING_MODE:
		return INFO_VALUE(out, cl_addressing_mode, s->addressing);
	case CL_SAMPLER_FILTER_MODE:
		return INFO_VALUE(out, cl_filter_mode, s->filter);
	case CL_SAMPLER_PROPERTIES:
		return info_bytes(out, s->property,
		    s->property_count * sizeof(*s->property));
	default:
		return CL_INVALID_VALUE;
	}
}
