/* SPDX-License-Identifier: ISC */
/*
 * A program from a binary, which need not tell what its arguments are: images,
 * a sampler, a pipe, and among them a struct and a number of a handle's size,
 * the number being that of the image's handle.
 */
#include <stdint.h>

#include "conformance/traps/traps.h"

#define W 4

static const char source[] =
    "typedef struct { long a; } one;\n"
    "kernel void shift(read_only image2d_t in, write_only image2d_t out,\n"
    "    one n, ulong word, sampler_t s, global ulong *told)\n"
    "{\n"
    "	int2 at = (int2)(get_global_id(0), 0);\n"
    "	write_imagei(out, at, read_imagei(in, s, at) + (int)n.a);\n"
    "	told[at.x] = word;\n"
    "}\n";

static const char source_pipe[] =
    "kernel void put(write_only pipe int p, int v) { write_pipe(p, &v); }\n"
    "kernel void take(read_only pipe int p, global int *to)\n"
    "{\n"
    "	int v = 0;\n"
    "	if (read_pipe(p, &v) == 0)\n"
    "		*to = v;\n"
    "}\n";

static cl_kernel
kernel_of(cl_program p, const char *name)
{
	cl_int code;
	cl_kernel k = clCreateKernel(p, name, &code);

	must(code, name);
	return k;
}

static cl_mem
image_new(void *content)
{
	const cl_image_format format = { CL_RGBA, CL_SIGNED_INT32 };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = W, .image_height = 1 };
	cl_int code;
	cl_mem m = clCreateImage(context, content != NULL ?
	    CL_MEM_COPY_HOST_PTR : 0, &format, &desc, content, &code);

	must(code, "clCreateImage");
	return m;
}

static void
launch(cl_kernel k, size_t n)
{
	must(clEnqueueNDRangeKernel(queue, k, 1, NULL, &n, NULL, 0, NULL,
	    NULL), "clEnqueueNDRangeKernel");
	say("finish: %d", clFinish(queue));
}

static void
images(void)
{
	const size_t origin[3] = { 0 }, region[3] = { W, 1, 1 };
	int px[4 * W], i;
	cl_program p = program_again(program_new(source, ""));
	cl_kernel k = kernel_of(p, "shift");
	cl_mem in, out, told = buffer_new(W * sizeof(uint64_t), NULL);
	const int64_t by = 1000;
	uint64_t word, words[W];
	static const cl_sampler_properties unscaled[] = {
		CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE,
		CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST, 0 };
	cl_sampler s;
	cl_int code;

	for (i = 0; i < 4 * W; i++)
		px[i] = i;
	in = image_new(px);
	out = image_new(NULL);
	s = clCreateSamplerWithProperties(context, unscaled, &code);
	must(code, "clCreateSamplerWithProperties");
	word = (uintptr_t)in;
	must(clSetKernelArg(k, 0, sizeof(in), &in), "in");
	must(clSetKernelArg(k, 1, sizeof(out), &out), "out");
	must(clSetKernelArg(k, 2, sizeof(by), &by), "struct");
	must(clSetKernelArg(k, 3, sizeof(word), &word), "word");
	must(clSetKernelArg(k, 4, sizeof(s), &s), "sampler");
	must(clSetKernelArg(k, 5, sizeof(told), &told), "buffer");
	launch(k, W);
	must(clEnqueueReadImage(queue, out, CL_TRUE, origin, region, 0, 0, px,
	    0, NULL, NULL), "clEnqueueReadImage");
	must(clEnqueueReadBuffer(queue, told, CL_TRUE, 0, sizeof(words), words,
	    0, NULL, NULL), "clEnqueueReadBuffer");
	for (i = 0; i < W; i++)
		say("%d %d %d %d, the handle: %d", px[4 * i], px[4 * i + 1],
		    px[4 * i + 2], px[4 * i + 3], words[i] == word);
	say("too small: %d", clSetKernelArg(k, 0, 4, &in));
}

static void
pipes(void)
{
	cl_bool has = CL_FALSE;
	cl_kernel put, take;
	cl_program p;
	cl_mem pipe, to;
	cl_int v = 77, code;

	if (clGetDeviceInfo(device, CL_DEVICE_PIPE_SUPPORT, sizeof(has), &has,
	    NULL) != CL_SUCCESS || !has)
		return;
	p = program_again(program_new(source_pipe, "-cl-std=CL3.0"));
	put = kernel_of(p, "put");
	take = kernel_of(p, "take");
	pipe = clCreatePipe(context, CL_MEM_HOST_NO_ACCESS, sizeof(cl_int), 4,
	    NULL, &code);
	must(code, "clCreatePipe");
	to = buffer_new(sizeof(v), NULL);
	must(clSetKernelArg(put, 0, sizeof(pipe), &pipe), "pipe");
	must(clSetKernelArg(put, 1, sizeof(v), &v), "number");
	must(clSetKernelArg(take, 0, sizeof(pipe), &pipe), "pipe");
	must(clSetKernelArg(take, 1, sizeof(to), &to), "buffer");
	launch(put, 1);
	launch(take, 1);
	v = 0;
	must(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof(v), &v, 0,
	    NULL, NULL), "clEnqueueReadBuffer");
	say("from the pipe: %d", v);
}

void
image_binary(void)
{
	cl_bool has = CL_FALSE;

	open_device();
	must(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof(has),
	    &has, NULL), "CL_DEVICE_IMAGE_SUPPORT");
	if (has)
		images();
	pipes();
}
