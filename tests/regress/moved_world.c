/* SPDX-License-Identifier: ISC */
#include "tests/regress/moved_world.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/regress/check.h"

#define MS 1000000L
#define GONE_MS 5000

static const char *const source =
    "kernel void step_on(global uint *a, uint round, local uint *l) {\n"
    "	const size_t i = get_global_id(0), j = get_local_id(0);\n"
    "	l[j] = a[i];\n"
    "	barrier(CLK_LOCAL_MEM_FENCE);\n"
    "	a[i] = l[j] * FACTOR + round;\n"
    "}\n"
    "kernel void sample(read_only image2d_t from, sampler_t s,\n"
    "    global uint *to) {\n"
    "	const int i = get_global_id(0);\n"
    "	to[i] = read_imageui(from, s, (int2)(i, 0)).x;\n"
    "}\n";
static const char *const add_source =
    "kernel void add(global uint *a, uint n) {\n"
    "	a[get_global_id(0)] += n;\n"
    "}\n";
static const char *const part_source =
    "void help(global uint *at, uint n);\n"
    "void help(global uint *at, uint n) { *at += n; }\n";
static const char *const whole_source =
    "void help(global uint *at, uint n);\n"
    "kernel void linked(global uint *a, ulong last) {\n"
    "	help(a + last, 3);\n"
    "}\n";
static const char *const plain_source =
    "kernel void linked(global uint *a, ulong last) { a[last] += 3; }\n";

static void
find_device(struct world *w)
{
	cl_platform_id platform;

	check("clGetPlatformIDs", clGetPlatformIDs(1, &platform, NULL));
	check("clGetDeviceIDs", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1,
	    &w->device, NULL));
	check("clGetDeviceInfo", clGetDeviceInfo(w->device, CL_DEVICE_NAME,
	    sizeof(w->name), w->name, NULL));
}

static void
make_queues(struct world *w)
{
	const cl_queue_properties order[] = { CL_QUEUE_PROPERTIES,
		CL_QUEUE_PROFILING_ENABLE, 0 };
	const cl_queue_properties none[] = { CL_QUEUE_PROPERTIES,
		CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0 };
	cl_int code;

	w->context = clCreateContext(NULL, 1, &w->device, NULL, NULL, &code);
	check("clCreateContext", code);
	w->queue = clCreateCommandQueueWithProperties(w->context, w->device,
	    order, &code);
	check("clCreateCommandQueueWithProperties", code);
	w->free = clCreateCommandQueueWithProperties(w->context, w->device,
	    none, &code);
	check("clCreateCommandQueueWithProperties", code);
}

/* ---- programs ---------------------------------------------------------- */

static cl_program
of_source(struct world *w, const char *text)
{
	cl_int code;
	cl_program p = clCreateProgramWithSource(w->context, 1, &text, NULL,
	    &code);

	check("clCreateProgramWithSource", code);
	return p;
}

/* The same as a program of its binary. */
static cl_program
of_binary(struct world *w, cl_program p)
{
	unsigned char *bytes;
	const unsigned char *in;
	cl_program made;
	size_t n;
	cl_int code;

	check("clGetProgramInfo", clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES,
	    sizeof(n), &n, NULL));
	bytes = malloc(n);
	check("clGetProgramInfo", clGetProgramInfo(p, CL_PROGRAM_BINARIES,
	    sizeof(bytes), &bytes, NULL));
	in = bytes;
	made = clCreateProgramWithBinary(w->context, 1, &w->device, &n, &in,
	    NULL, &code);
	check("clCreateProgramWithBinary", code);
	check("clBuildProgram", clBuildProgram(made, 1, &w->device, "", NULL,
	    NULL));
	free(bytes);
	return made;
}

static cl_program
build(struct world *w, const char *text)
{
	cl_program p = of_source(w, text);

	check("clBuildProgram", clBuildProgram(p, 1, &w->device, "", NULL,
	    NULL));
	return p;
}

static void
make_programs(struct world *w)
{
	cl_program add = build(w, add_source), list[2];
	cl_int code;

	w->source = of_source(w, source);
	check("clBuildProgram", clBuildProgram(w->source, 1, &w->device,
	    "-DFACTOR=3", NULL, NULL));
	if (w->plain) {
		w->binary = add;
		w->whole = build(w, plain_source);
		return;
	}
	w->binary = of_binary(w, add);
	clReleaseProgram(add);
	list[0] = w->part = of_source(w, part_source);
	list[1] = of_source(w, whole_source);
	check("clCompileProgram", clCompileProgram(list[0], 0, NULL, "", 0,
	    NULL, NULL, NULL, NULL));
	check("clCompileProgram", clCompileProgram(list[1], 0, NULL, "", 0,
	    NULL, NULL, NULL, NULL));
	w->whole = clLinkProgram(w->context, 0, NULL, "", 2, list, NULL, NULL,
	    &code);
	check("clLinkProgram", code);
	clReleaseProgram(list[1]);
}

/* ---- memory ------------------------------------------------------------ */

static void CL_CALLBACK
on_gone(cl_mem m, void *arg)
{
	(void)m;
	atomic_fetch_add((atomic_uint *)arg, 1);
}

static cl_mem
buffer(struct world *w, size_t size)
{
	void *zeros = calloc(1, size);
	cl_int code;
	cl_mem m = clCreateBuffer(w->context, CL_MEM_READ_WRITE |
	    CL_MEM_COPY_HOST_PTR, size, zeros, &code);

	check("clCreateBuffer", code);
	free(zeros);
	return m;
}

static void
make_memory(struct world *w)
{
	const cl_buffer_region half = { SIZE / 2 * sizeof(cl_uint),
		SIZE / 2 * sizeof(cl_uint) };
	const cl_image_format format = { CL_R, CL_UNSIGNED_INT32 };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D,
		.image_width = SIZE, .image_height = 1 };
	const cl_sampler_properties plain[] = { CL_SAMPLER_NORMALIZED_COORDS,
		CL_FALSE, 0 };
	cl_int code;

	w->a = buffer(w, SIZE * sizeof(cl_uint));
	w->out = buffer(w, SIZE * sizeof(cl_uint));
	w->mapped = buffer(w, SIZE * sizeof(cl_uint));
	w->large = buffer(w, LARGE);
	check("clSetMemObjectDestructorCallback",
	    clSetMemObjectDestructorCallback(w->out, on_gone, &w->gone));
	w->half = clCreateSubBuffer(w->a, CL_MEM_READ_WRITE,
	    CL_BUFFER_CREATE_TYPE_REGION, &half, &code);
	check("clCreateSubBuffer", code);
	w->image = clCreateImage(w->context, CL_MEM_READ_WRITE, &format, &desc,
	    NULL, &code);
	check("clCreateImage", code);
	w->sampler = clCreateSamplerWithProperties(w->context, plain, &code);
	check("clCreateSamplerWithProperties", code);
}

/* ---- kernels ----------------------------------------------------------- */

static cl_kernel
kernel(cl_program p, const char *name)
{
	cl_int code;
	cl_kernel k = clCreateKernel(p, name, &code);

	check("clCreateKernel", code);
	return k;
}

static void
set(cl_kernel k, cl_uint i, size_t n, const void *value)
{
	check("clSetKernelArg", clSetKernelArg(k, i, n, value));
}

static void
make_kernels(struct world *w)
{
	const cl_ulong last = LARGE / sizeof(cl_uint) - 1;
	const cl_uint five = 5;

	w->step = kernel(w->source, "step_on");
	set(w->step, 0, sizeof(w->a), &w->a);
	set(w->step, 2, LOCAL * sizeof(cl_uint), NULL);
	w->sample = kernel(w->source, "sample");
	set(w->sample, 0, sizeof(w->image), &w->image);
	set(w->sample, 1, sizeof(w->sampler), &w->sampler);
	set(w->sample, 2, sizeof(w->out), &w->out);
	w->add = kernel(w->binary, "add");
	set(w->add, 0, sizeof(w->half), &w->half);
	set(w->add, 1, sizeof(five), &five);
	w->linked = kernel(w->whole, "linked");
	set(w->linked, 0, sizeof(w->large), &w->large);
	set(w->linked, 1, sizeof(last), &last);
	/* Their kernels keep them. */
	clReleaseProgram(w->source);
	clReleaseProgram(w->binary);
}

/* ---- a command buffer -------------------------------------------------- */

static void *
function(const struct world *w, const char *name)
{
	cl_platform_id platform;

	check("clGetDeviceInfo", clGetDeviceInfo(w->device,
	    CL_DEVICE_PLATFORM, sizeof(platform), &platform, NULL));
	return clGetExtensionFunctionAddressForPlatform(platform, name);
}

static void
record(struct world *w)
{
	clCreateCommandBufferKHR_fn create =
	    (clCreateCommandBufferKHR_fn)function(w,
	    "clCreateCommandBufferKHR");
	clCommandNDRangeKernelKHR_fn launch =
	    (clCommandNDRangeKernelKHR_fn)function(w,
	    "clCommandNDRangeKernelKHR");
	clFinalizeCommandBufferKHR_fn finalize =
	    (clFinalizeCommandBufferKHR_fn)function(w,
	    "clFinalizeCommandBufferKHR");
	const size_t n = SIZE / 2;
	cl_int code;

	w->replay = (clEnqueueCommandBufferKHR_fn)function(w,
	    "clEnqueueCommandBufferKHR");
	if (create == NULL)
		return;
	w->recorded = create(1, &w->free, NULL, &code);
	check("clCreateCommandBufferKHR", code);
	check("clCommandNDRangeKernelKHR", launch(w->recorded, NULL, NULL,
	    w->add, 1, NULL, &n, NULL, 0, NULL, NULL, NULL));
	check("clFinalizeCommandBufferKHR", finalize(w->recorded));
}

static void
forget(struct world *w)
{
	clReleaseCommandBufferKHR_fn release =
	    (clReleaseCommandBufferKHR_fn)function(w,
	    "clReleaseCommandBufferKHR");

	if (w->recorded != NULL)
		release(w->recorded);
}

void
world_open(struct world *w)
{
	find_device(w);
	make_queues(w);
	if (w->wants_svm)
		w->svm = clSVMAlloc(w->context, CL_MEM_READ_WRITE, SIZE, 0);
	check("clSVMAlloc", w->wants_svm && w->svm == NULL);
	make_programs(w);
	make_memory(w);
	make_kernels(w);
	record(w);
}

void
world_close(struct world *w)
{
	const struct timespec pause = { 0, MS };
	unsigned i;

	clFinish(w->queue);
	clFinish(w->free);
	clSVMFree(w->context, w->svm);
	forget(w);
	clReleaseKernel(w->step);
	clReleaseKernel(w->add);
	clReleaseKernel(w->sample);
	clReleaseKernel(w->linked);
	if (w->part != NULL)
		clReleaseProgram(w->part);
	clReleaseProgram(w->whole);
	clReleaseSampler(w->sampler);
	clReleaseMemObject(w->half);
	clReleaseMemObject(w->a);
	clReleaseMemObject(w->out);
	clReleaseMemObject(w->image);
	clReleaseMemObject(w->mapped);
	clReleaseMemObject(w->large);
	for (i = 0; i < GONE_MS && atomic_load(&w->gone) == 0; i++)
		nanosleep(&pause, NULL);
	clReleaseCommandQueue(w->queue);
	clReleaseCommandQueue(w->free);
	clReleaseContext(w->context);
}
