/* SPDX-License-Identifier: ISC */
#include <stdint.h>

#include "conformance/calls/enqueue.h"
#include "conformance/calls/launches.h"


static struct launches kernels;

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	const size_t global = 16;

	return clEnqueueNDRangeKernel(q, ready_kernel(w), 1, NULL, &global,
	    NULL, n, list, event);
}

static cl_int
launch(struct world *w, cl_kernel k, cl_uint dim, const size_t *offset,
    const size_t *global, const size_t *local, cl_event *event)
{
	return clEnqueueNDRangeKernel(w->queue, k, dim, offset, global, local,
	    0, NULL, event);
}

static void
arguments(struct world *w)
{
	const size_t n = 16;
	const cl_int one = 1;
	cl_kernel k = world_kernel_of(w, world_program(w), "add");

	WANT_EVENT(w, "no argument set", launch(w, k, 1, NULL, &n, NULL,
	    &w->done), CL_INVALID_KERNEL_ARGS);
	must(clSetKernelArg(k, 0, sizeof(w->buffer), &w->buffer), "arg 0");
	must(clSetKernelArg(k, 2, 64, NULL), "arg 2");
	WANT_EVENT(w, "one argument not set", launch(w, k, 1, NULL, &n, NULL,
	    &w->done), CL_INVALID_KERNEL_ARGS);
	must(clSetKernelArg(k, 1, sizeof(one), &one), "arg 1");
	WANT_EVENT(w, "all arguments set", launch(w, k, 1, NULL, &n, NULL,
	    &w->done), CL_SUCCESS);
	clReleaseKernel(k);
}

static void
sizes(struct world *w, cl_kernel k)
{
	const bool empty = w->version >= 21;
	const cl_uint dims =
	    (cl_uint)world_info(w, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS);
	const size_t many[8] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	const size_t none[3] = { 16, 0, 1 };
	const size_t n = 16, one = 1, last = SIZE_MAX;

	WANT_EVENT(w, "no dimensions", launch(w, k, 0, NULL, many, NULL,
	    &w->done), CL_INVALID_WORK_DIMENSION);
	if (dims < 8)
		WANT_EVENT(w, "one dimension too many", launch(w, k, dims + 1,
		    NULL, many, NULL, &w->done), CL_INVALID_WORK_DIMENSION);
	WANT_EVENT(w, "offset that overflows", launch(w, k, 1, &last, &n,
	    NULL, &w->done), CL_INVALID_GLOBAL_OFFSET,
	    CL_INVALID_GLOBAL_WORK_SIZE);
	WANT_EVENT(w, "no global size", launch(w, k, 1, NULL, NULL, NULL,
	    &w->done), empty ? CL_SUCCESS : CL_INVALID_GLOBAL_WORK_SIZE);
	WANT_EVENT(w, "a global size of nothing", launch(w, k, 2, NULL, none,
	    NULL, &w->done), empty ? CL_SUCCESS :
	    CL_INVALID_GLOBAL_WORK_SIZE);
	WANT_EVENT(w, "an offset", launch(w, k, 1, &one, &n, NULL, &w->done),
	    CL_SUCCESS);
	WANT_EVENT(w, "three dimensions", launch(w, k, 3, NULL, many, many,
	    &w->done), CL_SUCCESS);
}

static void
groups(struct world *w, cl_kernel k)
{
	const size_t n = 16, four = 4, zero = 0, huge = (size_t)1 << 40;
	const size_t none[2] = { 4, 0 }, plane[2] = { 16, 16 };
	size_t max[3] = { 0, 0, 0 }, too_many;

	WANT_EVENT(w, "a group of nothing", launch(w, k, 1, NULL, &n, &zero,
	    &w->done), CL_INVALID_WORK_GROUP_SIZE);
	WANT_EVENT(w, "a group of no rows", launch(w, k, 2, NULL, plane, none,
	    &w->done), CL_INVALID_WORK_GROUP_SIZE);
	WANT_EVENT(w, "a group that is too large", launch(w, k, 1, NULL,
	    &huge, &huge, &w->done), CL_INVALID_WORK_GROUP_SIZE,
	    CL_INVALID_WORK_ITEM_SIZE);
	must(clGetDeviceInfo(w->device, CL_DEVICE_MAX_WORK_ITEM_SIZES,
	    sizeof(max), max, NULL), "CL_DEVICE_MAX_WORK_ITEM_SIZES");
	too_many = max[0] + 1;
	WANT_EVENT(w, "more work-items than the dimension has", launch(w, k,
	    1, NULL, &too_many, &too_many, &w->done),
	    CL_INVALID_WORK_ITEM_SIZE, CL_INVALID_WORK_GROUP_SIZE);
	WANT_EVENT(w, "groups", launch(w, k, 1, NULL, &n, &four, &w->done),
	    CL_SUCCESS);
}

/* What a program of OpenCL C 1.2 needs, and one of 2.0 if it says so. */
static void
uniform(struct world *w)
{
	static const char *const options[] = { "-cl-std=CL1.2",
		"-cl-std=CL2.0 -cl-uniform-work-group-size" };
	const size_t n = 16, three = 3;
	cl_program p;
	cl_kernel k;
	size_t i;

	for (i = 0; i < (w->version < 20 || w->version >= 30 ? 1 : 2); i++) {
		p = world_build(w, "kernel void f(global int *a) { *a = 1; }",
		    options[i]);
		k = world_kernel_of(w, p, "f");
		must(clSetKernelArg(k, 0, sizeof(w->buffer), &w->buffer),
		    "clSetKernelArg");
		WANT_EVENT(w, options[i], launch(w, k, 1, NULL, &n, &three,
		    &w->done), CL_INVALID_WORK_GROUP_SIZE);
		clReleaseKernel(k);
		clReleaseProgram(p);
	}
}

static void
required(struct world *w, cl_kernel k)
{
	const size_t n[3] = { 16, 16, 1 }, odd[3] = { 16, 15, 1 };
	const size_t right[3] = { 4, 2, 1 }, wrong[3] = { 2, 4, 1 };

	WANT_EVENT(w, "not the required group", launch(w, k, 2, NULL, n,
	    wrong, &w->done), CL_INVALID_WORK_GROUP_SIZE);
	WANT_EVENT(w, "less dimensions than the required group", launch(w, k,
	    1, NULL, n, right, &w->done), CL_INVALID_WORK_GROUP_SIZE);
	WANT_EVENT(w, "the required group", launch(w, k, 2, NULL, n, right,
	    &w->done), CL_SUCCESS);
	WANT_EVENT(w, "the required group, not said", launch(w, k, 2, NULL, n,
	    NULL, &w->done), CL_SUCCESS);
	WANT_EVENT(w, "a size not of required groups", launch(w, k, 2, NULL,
	    odd, right, &w->done), CL_INVALID_WORK_GROUP_SIZE,
	    w->version >= 20 ? CL_SUCCESS : CL_INVALID_WORK_GROUP_SIZE);
}

/* A program that was never built for the device has no kernels to launch. */
static void
kernel_of_another_context(struct world *w)
{
	const char *text = "kernel void f(global int *a) { *a = 1; }";
	const size_t n = 16;
	cl_program p = world_source(w, w->other_context, text);
	cl_kernel k;

	must(clBuildProgram(p, 1, &w->device, "", NULL, NULL),
	    "clBuildProgram");
	k = world_kernel_of(w, p, "f");
	must(clSetKernelArg(k, 0, sizeof(cl_mem), &w->other_buffer),
	    "clSetKernelArg");
	WANT_EVENT(w, "kernel of another context", launch(w, k, 1, NULL, &n,
	    NULL, &w->done), CL_INVALID_CONTEXT);
	clReleaseKernel(k);
	clReleaseProgram(p);
}

void
check_clEnqueueNDRangeKernel(struct world *w)
{
	const size_t n = 16;
	cl_kernel k = ready_kernel(w);

	launches_open(w, &kernels);
	WANT_HANDLE_EVENT(w, "kernel", cl_kernel,
	    launch(w, h, 1, NULL, &n, NULL, &w->done), CL_INVALID_KERNEL);
	kernel_of_another_context(w);
	arguments(w);
	sizes(w, k);
	groups(w, k);
	uniform(w);
	required(w, kernels.required);
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .type = CL_COMMAND_NDRANGE_KERNEL });
	launches_close(&kernels);
}
