/* SPDX-License-Identifier: ISC */
#include "conformance/queries.h"

#include <CL/cl_ext.h>
#include <stdio.h>
#include <string.h>

static cl_device_id device;

static int
device_has(const char *extension)
{
	char text[8192] = "";

	return clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof(text),
	    text, NULL) == CL_SUCCESS && strstr(text, extension) != NULL;
}

/* ---- cl_intel_concurrent_dispatch, which has no header ------------------ */

typedef cl_int concurrent_function(cl_command_queue, cl_kernel, cl_uint,
    const size_t *, const size_t *, size_t *);

#define EXEC_INFO_DISPATCH_TYPE 0x4257

static const char source[] =
    "kernel void k(global uint *out) { out[get_global_id(0)] = 1; }\n";

static void
ask_at_once(concurrent_function *ask, cl_command_queue q, cl_kernel k)
{
	const size_t local[3] = { 16, 4, 2 }, none[3] = { 0, 1, 1 };
	const cl_uint type = 0;
	size_t count;
	cl_uint dim;
	cl_int code;

	for (dim = 0; dim <= 4; dim++) {
		count = 0;
		code = ask(q, k, dim, NULL, local, &count);
		printf("work-groups at once in %u dimensions: %d %zu\n", dim,
		    code, count);
	}
	printf("work-groups at once, no size: %d, a size of 0: %d, no queue:"
	    " %d, no kernel: %d, no room: %d\n",
	    ask(q, k, 1, NULL, NULL, &count), ask(q, k, 1, NULL, none, &count),
	    ask(NULL, k, 1, NULL, local, &count),
	    ask(q, NULL, 1, NULL, local, &count),
	    ask(q, k, 1, NULL, local, NULL));
	printf("type of dispatch: %d\n", clSetKernelExecInfo(k,
	    EXEC_INFO_DISPATCH_TYPE, sizeof(type), &type));
}

static void
at_once(cl_platform_id platform)
{
	const char *text = source;
	concurrent_function *ask;
	cl_command_queue q;
	cl_context c;
	cl_program p;
	cl_kernel k;
	cl_int e;

	if (!device_has("cl_intel_concurrent_dispatch"))
		return;
	*(void **)&ask = clGetExtensionFunctionAddressForPlatform(platform,
	    "clGetKernelMaxConcurrentWorkGroupCountINTEL");
	must(ask != NULL ? CL_SUCCESS : CL_INVALID_OPERATION,
	    "clGetKernelMaxConcurrentWorkGroupCountINTEL");
	c = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
	must(e, "clCreateContext");
	q = clCreateCommandQueueWithProperties(c, device, NULL, &e);
	must(e, "clCreateCommandQueueWithProperties");
	p = clCreateProgramWithSource(c, 1, &text, NULL, &e);
	must(e, "clCreateProgramWithSource");
	must(clBuildProgram(p, 1, &device, "", NULL, NULL), "clBuildProgram");
	k = clCreateKernel(p, "k", &e);
	must(e, "clCreateKernel");
	ask_at_once(ask, q, k);
	must(clReleaseKernel(k), "clReleaseKernel");
	must(clReleaseProgram(p), "clReleaseProgram");
	must(clReleaseCommandQueue(q), "clReleaseCommandQueue");
	must(clReleaseContext(c), "clReleaseContext");
}

/* ---- cl_intel_device_partition_by_names ---------------------------------- */

static void
part(const char *what, const cl_device_partition_property *p)
{
	cl_device_id sub[8];
	cl_uint n = 0, units = 0, i;
	cl_int code = clCreateSubDevices(device, p, 8, sub, &n);

	printf("part by names, %s: %d\n", what, code);
	if (code != CL_SUCCESS)
		return;
	must(clGetDeviceInfo(sub[0], CL_DEVICE_MAX_COMPUTE_UNITS,
	    sizeof(units), &units, NULL), "CL_DEVICE_MAX_COMPUTE_UNITS");
	printf("%u parts, the first of %u units\n", n, units);
	for (i = 0; i < n; i++)
		must(clReleaseDevice(sub[i]), "clReleaseDevice");
}

static void
by_names(void)
{
	const cl_device_partition_property one[] = {
		CL_DEVICE_PARTITION_BY_NAMES_INTEL, 0,
		CL_PARTITION_BY_NAMES_LIST_END_INTEL, 0 };
	const cl_device_partition_property far[] = {
		CL_DEVICE_PARTITION_BY_NAMES_INTEL, 100000,
		CL_PARTITION_BY_NAMES_LIST_END_INTEL, 0 };
	const cl_device_partition_property more[] = {
		CL_DEVICE_PARTITION_BY_NAMES_INTEL, 1,
		CL_PARTITION_BY_NAMES_LIST_END_INTEL, 5, 0 };

	if (!device_has("cl_intel_device_partition_by_names"))
		return;
	part("the first", one);
	part("one that is not there", far);
	part("something behind", more);
}

/* ---- cl_khr_priority_hints, cl_khr_throttle_hints ------------------------ */

static void
hint(cl_context c, const char *what, cl_queue_properties name,
    cl_queue_properties value)
{
	const cl_queue_properties list[] = { CL_QUEUE_PROPERTIES, 0, name,
		value, 0 };
	cl_queue_properties told[8];
	size_t n = 0;
	cl_int e;
	cl_command_queue q = clCreateCommandQueueWithProperties(c, device,
	    list, &e);

	printf("queue with %s %llu: %d\n", what, (unsigned long long)value,
	    e);
	if (e != CL_SUCCESS)
		return;
	must(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES_ARRAY, sizeof(told),
	    told, &n), "CL_QUEUE_PROPERTIES_ARRAY");
	printf("its list: %s, its end: %d\n", n == sizeof(list) &&
	    memcmp(told, list, n) == 0 ? "the same" : "another", clFinish(q));
	must(clReleaseCommandQueue(q), "clReleaseCommandQueue");
}

static void
hints(void)
{
	cl_queue_properties value;
	cl_context c;
	cl_int e;

	c = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
	must(e, "clCreateContext");
	for (value = 0; value <= 8; value++) {
		hint(c, "priority", CL_QUEUE_PRIORITY_KHR, value);
		hint(c, "throttle", CL_QUEUE_THROTTLE_KHR, value);
	}
	must(clReleaseContext(c), "clReleaseContext");
}

void
queries_of_extensions(cl_platform_id platform, cl_device_id d)
{
	device = d;
	at_once(platform);
	by_names();
	hints();
}
