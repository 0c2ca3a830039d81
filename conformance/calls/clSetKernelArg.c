/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static const char images_source[] =
    "kernel void f(read_only image2d_t in, write_only image2d_t out,\n"
    "    sampler_t s)\n"
    "{ write_imagef(out, (int2)(0, 0),\n"
    "    read_imagef(in, s, (int2)(0, 0))); }\n";

static void
numbers(struct world *w, cl_kernel k)
{
	const cl_int four[4] = { 0 };

	WANT_HANDLE(w, "kernel", cl_kernel, clSetKernelArg(h, 1, 4, four),
	    CL_INVALID_KERNEL);
	WANT(w, "no such argument", clSetKernelArg(k, 3, 4, four),
	    CL_INVALID_ARG_INDEX);
	WANT(w, "argument -1", clSetKernelArg(k, (cl_uint)-1, 4, four),
	    CL_INVALID_ARG_INDEX);
	WANT(w, "number of 2 bytes, not 4", clSetKernelArg(k, 1, 2, four),
	    CL_INVALID_ARG_SIZE);
	WANT(w, "number of 8 bytes, not 4", clSetKernelArg(k, 1, 8, four),
	    CL_INVALID_ARG_SIZE);
	WANT(w, "number of no bytes", clSetKernelArg(k, 1, 0, four),
	    CL_INVALID_ARG_SIZE);
	WANT(w, "number from nowhere", clSetKernelArg(k, 1, 4, NULL),
	    CL_INVALID_ARG_VALUE);
	WANT(w, "a number", clSetKernelArg(k, 1, 4, four), CL_SUCCESS);
	WANT(w, "local memory of no size", clSetKernelArg(k, 2, 0, NULL),
	    CL_INVALID_ARG_SIZE);
	WANT(w, "local memory with a value", clSetKernelArg(k, 2, 4, four),
	    CL_INVALID_ARG_VALUE);
	WANT(w, "local memory", clSetKernelArg(k, 2, 4, NULL), CL_SUCCESS);
}

static void
buffers(struct world *w, cl_kernel k)
{
	const size_t n = sizeof(cl_mem);
	const cl_mem none = NULL, wrong = (cl_mem)w->queue;
	cl_mem image = world_image(w);

	WANT(w, "buffer of 3 bytes", clSetKernelArg(k, 0, 3, &w->buffer),
	    CL_INVALID_ARG_SIZE);
	WANT(w, "buffer of no bytes", clSetKernelArg(k, 0, 0, &w->buffer),
	    CL_INVALID_ARG_SIZE);
	WANT(w, "buffer of its own size", clSetKernelArg(k, 0, WORLD_SIZE,
	    &w->buffer), CL_INVALID_ARG_SIZE);
	WANT(w, "buffer of another kind", clSetKernelArg(k, 0, n, &wrong),
	    CL_INVALID_MEM_OBJECT);
	if (image != NULL)
		WANT(w, "image for a buffer", clSetKernelArg(k, 0, n, &image),
		    CL_INVALID_MEM_OBJECT);
	WANT(w, "buffer of another context", clSetKernelArg(k, 0, n,
	    &w->other_buffer), CL_INVALID_CONTEXT);
	WANT(w, "buffer nowhere", clSetKernelArg(k, 0, n, NULL), CL_SUCCESS);
	WANT(w, "buffer that is null", clSetKernelArg(k, 0, n, &none),
	    CL_SUCCESS);
	WANT(w, "a buffer", clSetKernelArg(k, 0, n, &w->buffer), CL_SUCCESS);
}

static void
images(struct world *w, cl_kernel k)
{
	const size_t n = sizeof(cl_mem);
	const cl_mem none = NULL, wrong = (cl_mem)w->queue;
	cl_mem in = world_image_of(w, CL_MEM_OBJECT_IMAGE2D, CL_MEM_READ_ONLY);
	cl_mem out = world_image_of(w, CL_MEM_OBJECT_IMAGE2D,
	    CL_MEM_WRITE_ONLY);
	cl_mem cube = world_image_of(w, CL_MEM_OBJECT_IMAGE3D, 0);
	cl_mem image = world_image(w), other = world_other_image(w);

	WANT(w, "image nowhere", clSetKernelArg(k, 0, n, NULL),
	    CL_INVALID_MEM_OBJECT);
	WANT(w, "image that is null", clSetKernelArg(k, 0, n, &none),
	    CL_INVALID_MEM_OBJECT);
	WANT(w, "image of 3 bytes", clSetKernelArg(k, 0, 3, &image),
	    CL_INVALID_ARG_SIZE);
	WANT(w, "image of another kind", clSetKernelArg(k, 0, n, &wrong),
	    CL_INVALID_MEM_OBJECT);
	WANT(w, "buffer for an image", clSetKernelArg(k, 0, n, &w->buffer),
	    CL_INVALID_MEM_OBJECT);
	WANT(w, "image of three dimensions for two", clSetKernelArg(k, 0, n,
	    &cube), CL_INVALID_MEM_OBJECT);
	WANT(w, "image of another context", clSetKernelArg(k, 0, n, &other),
	    CL_INVALID_CONTEXT);
	WANT(w, "image for writing to read", clSetKernelArg(k, 0, n, &out),
	    CL_INVALID_ARG_VALUE);
	WANT(w, "image for reading to write", clSetKernelArg(k, 1, n, &in),
	    CL_INVALID_ARG_VALUE);
	WANT(w, "an image to read", clSetKernelArg(k, 0, n, &in),
	    CL_SUCCESS);
	WANT(w, "an image to write", clSetKernelArg(k, 1, n, &out),
	    CL_SUCCESS);
	WANT(w, "an image for both", clSetKernelArg(k, 1, n, &image),
	    CL_SUCCESS);
	clReleaseMemObject(in);
	clReleaseMemObject(out);
	clReleaseMemObject(cube);
}

static void
samplers(struct world *w, cl_kernel k)
{
	const size_t n = sizeof(cl_sampler);
	const cl_sampler none = NULL, wrong = (cl_sampler)w->queue;
	cl_sampler s = world_sampler(w), other;
	cl_int e;

	other = clCreateSampler(w->other_context, CL_FALSE, CL_ADDRESS_CLAMP,
	    CL_FILTER_NEAREST, &e);
	must(e, "clCreateSampler");
	WANT(w, "sampler nowhere", clSetKernelArg(k, 2, n, NULL),
	    CL_INVALID_SAMPLER);
	WANT(w, "sampler that is null", clSetKernelArg(k, 2, n, &none),
	    CL_INVALID_SAMPLER);
	WANT(w, "sampler of another kind", clSetKernelArg(k, 2, n, &wrong),
	    CL_INVALID_SAMPLER);
	WANT(w, "sampler of 4 bytes", clSetKernelArg(k, 2, 4, &s),
	    CL_INVALID_ARG_SIZE);
	WANT(w, "sampler of another context", clSetKernelArg(k, 2, n, &other),
	    CL_INVALID_CONTEXT);
	WANT(w, "a sampler", clSetKernelArg(k, 2, n, &s), CL_SUCCESS);
	clReleaseSampler(other);
}

static void
queues(struct world *w)
{
	const cl_queue_properties list[] = { CL_QUEUE_PROPERTIES,
		CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
		0 };
	cl_program p = world_build(w, "kernel void f(queue_t q) {}\n",
	    "-cl-std=CL2.0");
	cl_kernel k = world_kernel_of(w, p, "f");
	const cl_command_queue wrong = (cl_command_queue)w->context;
	const size_t n = sizeof(cl_command_queue);
	cl_command_queue q;
	cl_int e;

	q = clCreateCommandQueueWithProperties(w->context, w->device, list,
	    &e);
	must(e, "clCreateCommandQueueWithProperties");
	WANT(w, "queue nowhere", clSetKernelArg(k, 0, n, NULL),
	    CL_INVALID_DEVICE_QUEUE);
	WANT(w, "queue of another kind", clSetKernelArg(k, 0, n, &wrong),
	    CL_INVALID_DEVICE_QUEUE);
	WANT(w, "queue of the host", clSetKernelArg(k, 0, n, &w->queue),
	    CL_INVALID_DEVICE_QUEUE);
	WANT(w, "queue of 4 bytes", clSetKernelArg(k, 0, 4, &q),
	    CL_INVALID_ARG_SIZE);
	WANT(w, "a queue", clSetKernelArg(k, 0, n, &q), CL_SUCCESS);
	clReleaseCommandQueue(q);
	clReleaseKernel(k);
	clReleaseProgram(p);
}

/* A call that fails leaves the argument as it was. */
static void
kept(struct world *w, cl_kernel k)
{
	const cl_int zero = 0, five = 5;
	cl_int v = -1;

	must(clEnqueueWriteBuffer(w->queue, w->buffer, CL_TRUE, 0,
	    sizeof(zero), &zero, 0, NULL, NULL), "clEnqueueWriteBuffer");
	must(clSetKernelArg(k, 1, sizeof(five), &five), "clSetKernelArg");
	clSetKernelArg(k, 1, 2, &zero);
	clSetKernelArg(k, 2, 0, NULL);
	must(clEnqueueTask(w->queue, k, 0, NULL, NULL), "clEnqueueTask");
	must(clEnqueueReadBuffer(w->queue, w->buffer, CL_TRUE, 0, sizeof(v),
	    &v, 0, NULL, NULL), "clEnqueueReadBuffer");
	IS(w, "wrong calls change no argument", v == 5);
}

void
check_clSetKernelArg(struct world *w)
{
	cl_kernel k = world_kernel(w);
	cl_program p;

	numbers(w, k);
	buffers(w, k);
	kept(w, k);
	if (world_image(w) != NULL) {
		p = world_build(w, images_source, "");
		k = world_kernel_of(w, p, "f");
		images(w, k);
		samplers(w, k);
		clReleaseKernel(k);
		clReleaseProgram(p);
	} else
		skip(w, "images and samplers", "the device has none");
	if (w->version >= 20 &&
	    world_info(w, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES))
		queues(w);
	else
		skip(w, "queues", "the device has none of its own");
}
