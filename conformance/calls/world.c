/* SPDX-License-Identifier: ISC */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "conformance/calls/calls.h"

unsigned world_device_index;

static void
find_device(struct world *w)
{
	cl_device_id list[16];
	cl_uint n = 0;
	char text[128] = "";
	unsigned major = 1, minor = 0;

	must(clGetPlatformIDs(1, &w->platform, NULL), "clGetPlatformIDs");
	must(clGetDeviceIDs(w->platform, CL_DEVICE_TYPE_ALL, 16, list, &n),
	    "clGetDeviceIDs");
	if (world_device_index >= n)
		must(CL_DEVICE_NOT_FOUND, "no device of that number");
	w->device = list[world_device_index];
	must(clGetDeviceInfo(w->device, CL_DEVICE_VERSION, sizeof(text), text,
	    NULL), "CL_DEVICE_VERSION");
	sscanf(text, "OpenCL %u.%u", &major, &minor);
	w->version = major * 10 + minor;
}

/* Half of the device is a device of its own, where it can be parted. */
static void
find_stranger(struct world *w)
{
	const cl_device_partition_property parts[] = {
		CL_DEVICE_PARTITION_BY_COUNTS, 1,
		CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0
	};

	if (w->version < 12 || clCreateSubDevices(w->device, parts, 1,
	    &w->stranger, NULL) != CL_SUCCESS)
		w->stranger = NULL;
}

static cl_context
open_context(struct world *w)
{
	cl_int e;
	cl_context c = clCreateContext(NULL, 1, &w->device, NULL, NULL, &e);

	must(e, "clCreateContext");
	return c;
}

static cl_command_queue
open_queue(struct world *w, cl_context c)
{
	cl_int e;
	cl_command_queue q = clCreateCommandQueue(c, w->device, 0, &e);

	must(e, "clCreateCommandQueue");
	return q;
}

static cl_mem
open_buffer(cl_context c, cl_mem_flags flags, size_t size)
{
	cl_int e;
	cl_mem m = clCreateBuffer(c, flags, size, NULL, &e);

	must(e, "clCreateBuffer");
	return m;
}

static cl_event
open_event(cl_context c)
{
	cl_int e;
	cl_event event = clCreateUserEvent(c, &e);

	must(e, "clCreateUserEvent");
	return event;
}

void
world_open(struct world *w)
{
	memset(w, 0, sizeof(*w));
	find_device(w);
	find_stranger(w);
	w->context = open_context(w);
	w->other_context = open_context(w);
	w->queue = open_queue(w, w->context);
	w->other_queue = open_queue(w, w->other_context);
	w->buffer = open_buffer(w->context, 0, WORLD_SIZE);
	w->other_buffer = open_buffer(w->other_context, 0, WORLD_SIZE);
	w->event = open_event(w->context);
	w->other_event = open_event(w->other_context);
}

void
world_close(struct world *w)
{
	/* What waits for them, if anything does, may end. */
	clSetUserEventStatus(w->event, CL_COMPLETE);
	clSetUserEventStatus(w->other_event, CL_COMPLETE);
	if (w->sampler != NULL)
		clReleaseSampler(w->sampler);
	if (w->image != NULL)
		clReleaseMemObject(w->image);
	if (w->other_image != NULL)
		clReleaseMemObject(w->other_image);
	if (w->kernel != NULL)
		clReleaseKernel(w->kernel);
	if (w->program != NULL)
		clReleaseProgram(w->program);
	clReleaseEvent(w->event);
	clReleaseEvent(w->other_event);
	clReleaseMemObject(w->buffer);
	clReleaseMemObject(w->other_buffer);
	clReleaseCommandQueue(w->queue);
	clReleaseCommandQueue(w->other_queue);
	clReleaseContext(w->context);
	clReleaseContext(w->other_context);
	if (w->stranger != NULL)
		clReleaseDevice(w->stranger);
}

cl_program
world_source(struct world *w, cl_context c, const char *text)
{
	cl_int e;
	cl_program p = clCreateProgramWithSource(c, 1, &text, NULL, &e);

	(void)w;
	must(e, "clCreateProgramWithSource");
	return p;
}

cl_program
world_build(struct world *w, const char *text, const char *options)
{
	cl_program p = world_source(w, w->context, text);

	must(clBuildProgram(p, 1, &w->device, options, NULL, NULL),
	    "clBuildProgram");
	return p;
}

cl_kernel
world_kernel_of(struct world *w, cl_program p, const char *name)
{
	cl_int e;
	cl_kernel k = clCreateKernel(p, name, &e);

	(void)w;
	must(e, "clCreateKernel");
	return k;
}

cl_mem
world_buffer(struct world *w, cl_mem_flags flags, size_t size)
{
	return open_buffer(w->context, flags, size);
}

cl_program
world_program(struct world *w)
{
	if (w->program == NULL)
		w->program = world_build(w, "kernel void add("
		    "global int *to, int n, local int *tmp)\n"
		    "{ tmp[0] = n; to[get_global_id(0)] += tmp[0]; }\n", "");
	return w->program;
}

cl_kernel
world_kernel(struct world *w)
{
	if (w->kernel == NULL)
		w->kernel = world_kernel_of(w, world_program(w), "add");
	return w->kernel;
}

static cl_mem
open_image(struct world *w, cl_context c, cl_mem_object_type type,
    cl_mem_flags flags)
{
	const cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
	const cl_image_desc desc = { .image_type = type,
		.image_width = WORLD_WIDTH, .image_height = WORLD_WIDTH,
		.image_depth = type == CL_MEM_OBJECT_IMAGE3D ? 2 : 0 };
	cl_int e;
	cl_mem m;

	if (!world_info(w, CL_DEVICE_IMAGE_SUPPORT))
		return NULL;
	m = clCreateImage(c, flags, &format, &desc, NULL, &e);
	must(e, "clCreateImage");
	return m;
}

cl_mem
world_image_of(struct world *w, cl_mem_object_type type, cl_mem_flags flags)
{
	return open_image(w, w->context, type, flags);
}

cl_mem
world_image(struct world *w)
{
	if (w->image == NULL)
		w->image = world_image_of(w, CL_MEM_OBJECT_IMAGE2D, 0);
	return w->image;
}

cl_mem
world_other_image(struct world *w)
{
	if (w->other_image == NULL)
		w->other_image = open_image(w, w->other_context,
		    CL_MEM_OBJECT_IMAGE2D, 0);
	return w->other_image;
}

cl_sampler
world_sampler(struct world *w)
{
	cl_int e = CL_SUCCESS;

	if (w->sampler == NULL && world_info(w, CL_DEVICE_IMAGE_SUPPORT))
		w->sampler = clCreateSampler(w->context, CL_FALSE,
		    CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &e);
	must(e, "clCreateSampler");
	return w->sampler;
}

bool
soon(atomic_int *counter, int n)
{
	const struct timespec pause = { 0, 5000000 };
	int turns;

	for (turns = 0; turns < 2000 && atomic_load(counter) < n; turns++)
		nanosleep(&pause, NULL);
	return atomic_load(counter) >= n;
}

void *
extension(struct world *w, const char *name, const char *function)
{
	char text[16384] = " ", word[128];

	clGetDeviceInfo(w->device, CL_DEVICE_EXTENSIONS, sizeof(text) - 2,
	    text + 1, NULL);
	strcat(text, " ");
	snprintf(word, sizeof(word), " %s ", name);
	if (strstr(text, word) != NULL)
		return clGetExtensionFunctionAddressForPlatform(w->platform,
		    function);
	snprintf(word, sizeof(word), "the device has no %s", name);
	skip(w, "all", word);
	return NULL;
}

unsigned long long
world_info(struct world *w, cl_device_info param)
{
	unsigned long long value = 0;
	size_t n = 0;

	if (clGetDeviceInfo(w->device, param, sizeof(value), &value, &n) !=
	    CL_SUCCESS || n > sizeof(value))
		return 0;
	return value;
}

void *
world_other(struct world *w, const char *type)
{
	if (strcmp(type, "cl_context") == 0)
		return w->queue;
	return w->context;
}
