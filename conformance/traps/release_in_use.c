/* SPDX-License-Identifier: ISC */
/*
 * Everything is released while commands wait to use it, in an order in which
 * nothing is left but the last event.
 */
#include "conformance/traps/traps.h"

static const char source[] =
    "kernel void sum(global int *to, global const int *a,\n"
    "    read_only image2d_t i, sampler_t s, local int *l)\n"
    "{\n"
    "	size_t n = get_global_id(0);\n"
    "	l[get_local_id(0)] = read_imagei(i, s, (int2)(n, 0)).x;\n"
    "	to[n] += a[n] + l[get_local_id(0)];\n"
    "}\n";

static cl_mem
image_new(int *x)
{
	const cl_image_format format = { CL_RGBA, CL_SIGNED_INT32 };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = 4, .image_height = 1 };
	cl_int code;
	cl_mem m = clCreateImage(context, CL_MEM_READ_ONLY |
	    CL_MEM_COPY_HOST_PTR, &format, &desc, x, &code);

	must(code, "clCreateImage");
	return m;
}

static cl_mem
part_of(cl_mem m, size_t origin, size_t size)
{
	const cl_buffer_region r = { origin, size };
	cl_int code;
	cl_mem part = clCreateSubBuffer(m, CL_MEM_READ_WRITE,
	    CL_BUFFER_CREATE_TYPE_REGION, &r, &code);

	must(code, "clCreateSubBuffer");
	return part;
}

static void
set(cl_kernel k, cl_uint i, size_t n, const void *value)
{
	must(clSetKernelArg(k, i, n, value), "clSetKernelArg");
}

void
release_in_use(void)
{
	const cl_sampler_properties nearest[] = { CL_SAMPLER_NORMALIZED_COORDS,
		CL_FALSE, 0 };
	int x[16], y[4] = { 0 }, i;
	size_t n = 4;
	cl_mem whole, part, to, image;
	cl_sampler sampler;
	cl_event gate, e, last;
	cl_kernel k;
	cl_int code;

	open_device();
	for (i = 0; i < 16; i++)
		x[i] = i + 1;
	whole = buffer_new(sizeof(x), x);
	part = part_of(whole, 0, 16);
	to = buffer_new(sizeof(y), x);
	image = image_new(x);
	sampler = clCreateSamplerWithProperties(context, nearest, &code);
	must(code, "clCreateSamplerWithProperties");
	k = kernel_new(source, "sum");
	gate = gate_new();
	set(k, 0, sizeof(to), &to);
	set(k, 1, sizeof(part), &part);
	set(k, 2, sizeof(image), &image);
	set(k, 3, sizeof(sampler), &sampler);
	set(k, 4, 16, NULL);
	must(clEnqueueNDRangeKernel(queue, k, 1, NULL, &n, &n, 1, &gate, &e),
	    "clEnqueueNDRangeKernel");
	must(clEnqueueReadBuffer(queue, to, CL_FALSE, 0, sizeof(y), y, 1, &e,
	    &last), "clEnqueueReadBuffer");
	say("buffer: %d", clReleaseMemObject(whole));
	say("part: %d", clReleaseMemObject(part));
	say("result: %d", clReleaseMemObject(to));
	say("image: %d", clReleaseMemObject(image));
	say("sampler: %d", clReleaseSampler(sampler));
	say("kernel: %d", clReleaseKernel(k));
	say("event: %d", clReleaseEvent(e));
	say("queue: %d", clReleaseCommandQueue(queue));
	say("context: %d", clReleaseContext(context));
	gate_open(gate, CL_COMPLETE);
	say("gate: %d", clReleaseEvent(gate));
	say("status: %d", poll_end(last));
	for (i = 0; i < 4; i++)
		say("%d", y[i]);
	say("last: %d", clReleaseEvent(last));
}
