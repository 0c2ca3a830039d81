/* SPDX-License-Identifier: ISC */
/*
 * absent - calls that make what fakecl does not have.  They can't be one
 * function, as each has the place for its error elsewhere.
 */
#include "tests/fakecl/calls.h"

#define ABSENT(ret) do { \
	PLAY_NEW(ret); \
	return fake_none(ret, CL_INVALID_OPERATION); \
} while (0)

cl_mem
fake_clCreateImage(cl_context context, cl_mem_flags flags,
    const cl_image_format *format, const cl_image_desc *desc, void *host,
    cl_int *ret)
{
	(void)context;
	(void)flags;
	(void)format;
	(void)desc;
	(void)host;
	ABSENT(ret);
}

cl_mem
fake_clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint size,
    cl_uint packets, const cl_pipe_properties *properties, cl_int *ret)
{
	(void)context;
	(void)flags;
	(void)size;
	(void)packets;
	(void)properties;
	ABSENT(ret);
}

cl_sampler
fake_clCreateSampler(cl_context context, cl_bool normalized,
    cl_addressing_mode addressing, cl_filter_mode filter, cl_int *ret)
{
	(void)context;
	(void)normalized;
	(void)addressing;
	(void)filter;
	ABSENT(ret);
}

cl_sampler
fake_clCreateSamplerWithProperties(cl_context context,
    const cl_sampler_properties *properties, cl_int *ret)
{
	(void)context;
	(void)properties;
	ABSENT(ret);
}

cl_program
fake_clCreateProgramWithBuiltInKernels(cl_context context, cl_uint n,
    const cl_device_id *devices, const char *names, cl_int *ret)
{
	(void)context;
	(void)n;
	(void)devices;
	(void)names;
	ABSENT(ret);
}

cl_program
fake_clLinkProgram(cl_context context, cl_uint n, const cl_device_id *devices,
    const char *options, cl_uint count, const cl_program *input,
    void (CL_CALLBACK *notify)(cl_program, void *), void *arg, cl_int *ret)
{
	(void)context;
	(void)n;
	(void)devices;
	(void)options;
	(void)count;
	(void)input;
	(void)notify;
	(void)arg;
	ABSENT(ret);
}
