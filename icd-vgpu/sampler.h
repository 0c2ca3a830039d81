/* SPDX-License-Identifier: ISC */
/*
 * sampler - samplers.
 */
#ifndef VGPU_ICD_SAMPLER_H
#define VGPU_ICD_SAMPLER_H

#include <stddef.h>

#include "icd-vgpu/object.h"

struct context;

struct sampler {
	struct object o;
	struct context *context;
	cl_bool normalized;
	cl_addressing_mode addressing;
	cl_filter_mode filter;
	cl_sampler_properties *property;	/* as given, with the final 0 */
	size_t property_count;			/* 0: none were given */
};

/* The sampler of a handle, NULL when it is none. */
static inline struct sampler *
sampler_check(cl_sampler handle)
{
	return (struct sampler *)object_check(handle, OBJ_SAMPLER);
}

#endif
