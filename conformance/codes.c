/* SPDX-License-Identifier: ISC */
/*
 * codes - which error code each wrong call returns, one line each.
 *
 * Run natively and through vgpu, the lines must be the same.  It asks only
 * what the specification answers in one way; handles are never of another
 * kind, since native implementations may crash on those.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#define SIZE 4096
#define BAD_FLAGS ((cl_mem_flags)1 << 40)
#define BAD_INFO 0x0badu

static const char source[] =
    "kernel void add(global int *to, int n, local int *tmp)\n"
    "{ to[get_global_id(0)] += n; }\n";

/* What valid calls made; two contexts, so that objects can be in the wrong. */
static cl_platform_id platform;
static cl_device_id device;
static cl_context context, other_context;
static cl_command_queue queue;
static cl_mem buffer, other_buffer, read_only, write_only;
static cl_program program, unbuilt;
static cl_kernel kernel;
static cl_event event, other_event;

static void
row(const char *what, cl_int code)
{
	printf("%s: %d\n", what, code);
}

static void
must(cl_int code, const char *what)
{
	if (code == CL_SUCCESS)
		return;
	fprintf(stderr, "codes: %s: OpenCL error %d\n", what, code);
	exit(1);
}

static cl_mem
new_buffer(cl_context c, cl_mem_flags flags)
{
	cl_int e;
	cl_mem m = clCreateBuffer(c, flags, SIZE, NULL, &e);

	must(e, "clCreateBuffer");
	return m;
}

static cl_program
new_program(const char *text)
{
	cl_int e;
	cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &e);

	must(e, "clCreateProgramWithSource");
	return p;
}

static void
set_up(void)
{
	cl_int e;

	must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
	    "clGetDeviceIDs");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
	must(e, "clCreateContext");
	other_context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
	must(e, "clCreateContext");
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &e);
	must(e, "clCreateCommandQueueWithProperties");
	buffer = new_buffer(context, CL_MEM_READ_WRITE);
	other_buffer = new_buffer(other_context, CL_MEM_READ_WRITE);
	read_only = new_buffer(context, CL_MEM_HOST_READ_ONLY);
	write_only = new_buffer(context, CL_MEM_HOST_WRITE_ONLY);
	program = new_program(source);
	unbuilt = new_program(source);
	must(clBuildProgram(program, 1, &device, "", NULL, NULL),
	    "clBuildProgram");
	kernel = clCreateKernel(program, "add", &e);
	must(e, "clCreateKernel");
	event = clCreateUserEvent(context, &e);
	must(e, "clCreateUserEvent");
	other_event = clCreateUserEvent(other_context, &e);
	must(e, "clCreateUserEvent");
}

static void
platforms_and_devices(void)
{
	cl_device_id d;
	cl_uint n;
	size_t size;
	char text[4];

	row("clGetPlatformIDs, no place for anything",
	    clGetPlatformIDs(0, NULL, NULL));
	row("clGetPlatformIDs, room for none",
	    clGetPlatformIDs(0, &platform, NULL));
	row("clGetDeviceIDs, no such type",
	    clGetDeviceIDs(platform, (cl_device_type)1 << 30, 1, &d, &n));
	row("clGetDeviceIDs, all bits, as OpenCV asks",
	    clGetDeviceIDs(platform, ~(cl_device_type)0, 1, &d, &n));
	row("clGetDeviceIDs, room for none",
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &d, &n));
	row("clGetDeviceIDs, no place for anything",
	    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, NULL));
	row("clGetPlatformInfo, no such name",
	    clGetPlatformInfo(platform, BAD_INFO, 0, NULL, &size));
	row("clGetPlatformInfo, too little room",
	    clGetPlatformInfo(platform, CL_PLATFORM_NAME, 1, text, NULL));
	row("clGetDeviceInfo, no such name",
	    clGetDeviceInfo(device, BAD_INFO, 0, NULL, &size));
	row("clGetDeviceInfo, too little room",
	    clGetDeviceInfo(device, CL_DEVICE_NAME, 1, text, NULL));
	row("clGetDeviceInfo, no device",
	    clGetDeviceInfo(NULL, CL_DEVICE_NAME, 0, NULL, &size));
}

static void
contexts_and_queues(void)
{
	const cl_context_properties unknown[] = { BAD_INFO, 1, 0 };
	const cl_queue_properties wrong[] = { BAD_INFO, 1, 0 };
	const cl_queue_properties odd[] = { CL_QUEUE_PROPERTIES,
		(cl_queue_properties)1 << 40, 0 };
	size_t size;
	cl_int e;

	clCreateContext(NULL, 0, &device, NULL, NULL, &e);
	row("clCreateContext, no devices", e);
	clCreateContext(NULL, 1, NULL, NULL, NULL, &e);
	row("clCreateContext, devices nowhere", e);
	clCreateContext(NULL, 1, &device, NULL, &e, &e);
	row("clCreateContext, user data without callback", e);
	clCreateContext(unknown, 1, &device, NULL, NULL, &e);
	row("clCreateContext, unknown property", e);
	row("clRetainContext, none", clRetainContext(NULL));
	row("clGetContextInfo, no such name",
	    clGetContextInfo(context, BAD_INFO, 0, NULL, &size));
	row("clGetContextInfo, too little room",
	    clGetContextInfo(context, CL_CONTEXT_DEVICES, 1, &size, NULL));
	clCreateCommandQueueWithProperties(NULL, device, NULL, &e);
	row("clCreateCommandQueueWithProperties, no context", e);
	clCreateCommandQueueWithProperties(context, NULL, NULL, &e);
	row("clCreateCommandQueueWithProperties, no device", e);
	clCreateCommandQueueWithProperties(context, device, wrong, &e);
	row("clCreateCommandQueueWithProperties, unknown property", e);
	clCreateCommandQueueWithProperties(context, device, odd, &e);
	row("clCreateCommandQueueWithProperties, unknown bits", e);
	row("clGetCommandQueueInfo, no such name",
	    clGetCommandQueueInfo(queue, BAD_INFO, 0, NULL, &size));
	row("clFlush, none", clFlush(NULL));
	row("clFinish, none", clFinish(NULL));
}

static void
region(const char *what, size_t origin, size_t size)
{
	cl_buffer_region r = { origin, size };
	cl_int e;

	clCreateSubBuffer(buffer, CL_MEM_READ_WRITE,
	    CL_BUFFER_CREATE_TYPE_REGION, &r, &e);
	row(what, e);
}

static void
memory_objects(void)
{
	char host[SIZE];
	size_t size;
	cl_int e;

	clCreateBuffer(NULL, CL_MEM_READ_WRITE, SIZE, NULL, &e);
	row("clCreateBuffer, no context", e);
	clCreateBuffer(context, CL_MEM_READ_WRITE, 0, NULL, &e);
	row("clCreateBuffer, no size", e);
	clCreateBuffer(context, BAD_FLAGS, SIZE, NULL, &e);
	row("clCreateBuffer, unknown flags", e);
	clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, SIZE,
	    NULL, &e);
	row("clCreateBuffer, flags that exclude each other", e);
	clCreateBuffer(context, CL_MEM_USE_HOST_PTR, SIZE, NULL, &e);
	row("clCreateBuffer, no host pointer", e);
	clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, host, &e);
	row("clCreateBuffer, needless host pointer", e);
	clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR,
	    SIZE, host, &e);
	row("clCreateBuffer, used and allocated host pointer", e);
	region("clCreateSubBuffer, no size", 0, 0);
	region("clCreateSubBuffer, beyond the end", 0, SIZE + 1);
	region("clCreateSubBuffer, begins beyond the end", SIZE, 128);
	region("clCreateSubBuffer, not aligned", 1, 128);
	row("clRetainMemObject, none", clRetainMemObject(NULL));
	row("clReleaseMemObject, none", clReleaseMemObject(NULL));
	row("clGetMemObjectInfo, no such name",
	    clGetMemObjectInfo(buffer, BAD_INFO, 0, NULL, &size));
	row("clGetMemObjectInfo, too little room",
	    clGetMemObjectInfo(buffer, CL_MEM_SIZE, 1, &size, NULL));
	row("clSetMemObjectDestructorCallback, none",
	    clSetMemObjectDestructorCallback(buffer, NULL, NULL));
}

static void
programs(void)
{
	const char *text = source, *nothing = NULL;
	cl_program broken = new_program("kernel void f(global int *a) { b; }");
	size_t size;
	cl_int e;

	clCreateProgramWithSource(NULL, 1, &text, NULL, &e);
	row("clCreateProgramWithSource, no context", e);
	clCreateProgramWithSource(context, 0, &text, NULL, &e);
	row("clCreateProgramWithSource, no strings", e);
	clCreateProgramWithSource(context, 1, &nothing, NULL, &e);
	row("clCreateProgramWithSource, a string nowhere", e);
	row("clBuildProgram, none",
	    clBuildProgram(NULL, 1, &device, "", NULL, NULL));
	row("clBuildProgram, devices nowhere",
	    clBuildProgram(unbuilt, 1, NULL, "", NULL, NULL));
	row("clBuildProgram, no devices",
	    clBuildProgram(unbuilt, 0, &device, "", NULL, NULL));
	row("clBuildProgram, user data without callback",
	    clBuildProgram(unbuilt, 1, &device, "", NULL, &e));
	row("clBuildProgram, with kernels",
	    clBuildProgram(program, 1, &device, "", NULL, NULL));
	row("clBuildProgram, unknown option",
	    clBuildProgram(broken, 1, &device, "-no-such-option", NULL, NULL));
	row("clBuildProgram, wrong source",
	    clBuildProgram(broken, 1, &device, "", NULL, NULL));
	row("clGetProgramInfo, no such name",
	    clGetProgramInfo(program, BAD_INFO, 0, NULL, &size));
	row("clGetProgramInfo, kernels of none built",
	    clGetProgramInfo(unbuilt, CL_PROGRAM_NUM_KERNELS, sizeof(size),
	    &size, NULL));
	row("clGetProgramBuildInfo, no such name",
	    clGetProgramBuildInfo(program, device, BAD_INFO, 0, NULL, &size));
	row("clGetProgramBuildInfo, no device",
	    clGetProgramBuildInfo(program, NULL, CL_PROGRAM_BUILD_LOG, 0,
	    NULL, &size));
	clReleaseProgram(broken);
}

static void
kernels(void)
{
	cl_int n = 1, e;
	size_t size;

	clCreateKernel(NULL, "add", &e);
	row("clCreateKernel, no program", e);
	clCreateKernel(unbuilt, "add", &e);
	row("clCreateKernel, not built", e);
	clCreateKernel(program, "subtract", &e);
	row("clCreateKernel, no such kernel", e);
	clCreateKernel(program, NULL, &e);
	row("clCreateKernel, no name", e);
	row("clSetKernelArg, no kernel", clSetKernelArg(NULL, 0, 4, &n));
	row("clSetKernelArg, no such argument",
	    clSetKernelArg(kernel, 3, sizeof(n), &n));
	row("clSetKernelArg, wrong size of a number",
	    clSetKernelArg(kernel, 1, 2, &n));
	row("clSetKernelArg, a number from nowhere",
	    clSetKernelArg(kernel, 1, sizeof(n), NULL));
	row("clSetKernelArg, wrong size of a buffer",
	    clSetKernelArg(kernel, 0, 3, &buffer));
	row("clSetKernelArg, local memory with a value",
	    clSetKernelArg(kernel, 2, sizeof(n), &n));
	row("clSetKernelArg, local memory of no size",
	    clSetKernelArg(kernel, 2, 0, NULL));
	row("clGetKernelInfo, no such name",
	    clGetKernelInfo(kernel, BAD_INFO, 0, NULL, &size));
	row("clGetKernelArgInfo, no such argument",
	    clGetKernelArgInfo(kernel, 3, CL_KERNEL_ARG_NAME, 0, NULL, &size));
	row("clGetKernelWorkGroupInfo, no such name",
	    clGetKernelWorkGroupInfo(kernel, device, BAD_INFO, 0, NULL,
	    &size));
}

static cl_int
launch(cl_uint dims, const size_t *global, const size_t *local)
{
	return clEnqueueNDRangeKernel(queue, kernel, dims, NULL, global, local,
	    0, NULL, NULL);
}

static void
launches(void)
{
	const size_t n = 32, three = 3, huge = (size_t)1 << 40;
	const cl_int one = 1;

	row("clEnqueueNDRangeKernel, arguments not set", launch(1, &n, NULL));
	must(clSetKernelArg(kernel, 0, sizeof(buffer), &buffer), "arg 0");
	must(clSetKernelArg(kernel, 1, sizeof(one), &one), "arg 1");
	must(clSetKernelArg(kernel, 2, 16, NULL), "arg 2");
	row("clEnqueueNDRangeKernel, no dimension", launch(0, &n, NULL));
	row("clEnqueueNDRangeKernel, four dimensions", launch(4, &n, NULL));
	row("clEnqueueNDRangeKernel, uneven groups", launch(1, &n, &three));
	row("clEnqueueNDRangeKernel, huge group", launch(1, &huge, &huge));
	row("clEnqueueNDRangeKernel, no queue",
	    clEnqueueNDRangeKernel(NULL, kernel, 1, NULL, &n, NULL, 0, NULL,
	    NULL));
}

static cl_int
read_at(cl_mem m, size_t offset, size_t size)
{
	char host[SIZE];

	return clEnqueueReadBuffer(queue, m, CL_TRUE, offset, size, host, 0,
	    NULL, NULL);
}

static cl_int
write_to(cl_mem m)
{
	char host[SIZE] = "";

	return clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, 16, host, 0, NULL,
	    NULL);
}

static cl_int
copy(cl_mem from, cl_mem to, size_t from_at, size_t to_at, size_t size)
{
	return clEnqueueCopyBuffer(queue, from, to, from_at, to_at, size, 0,
	    NULL, NULL);
}

static cl_int
fill(size_t pattern_size, size_t offset, size_t size)
{
	const char pattern[256] = "";

	return clEnqueueFillBuffer(queue, buffer, pattern, pattern_size,
	    offset, size, 0, NULL, NULL);
}

static void
transfers(void)
{
	char host[SIZE];
	cl_int e;

	row("clEnqueueReadBuffer, no buffer", read_at(NULL, 0, 16));
	row("clEnqueueReadBuffer, beyond the end", read_at(buffer, SIZE, 1));
	row("clEnqueueReadBuffer, overflow", read_at(buffer, 16, (size_t)-8));
	row("clEnqueueReadBuffer, other context",
	    read_at(other_buffer, 0, 16));
	row("clEnqueueReadBuffer, not for reading",
	    read_at(write_only, 0, 16));
	row("clEnqueueReadBuffer, to nowhere",
	    clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 16, NULL, 0, NULL,
	    NULL));
	row("clEnqueueWriteBuffer, not for writing", write_to(read_only));
	row("clEnqueueCopyBuffer, overlap", copy(buffer, buffer, 0, 8, 16));
	row("clEnqueueCopyBuffer, beyond the end",
	    copy(buffer, write_only, 0, SIZE - 8, 16));
	row("clEnqueueCopyBuffer, other context",
	    copy(buffer, other_buffer, 0, 0, 16));
	row("clEnqueueFillBuffer, pattern of three bytes", fill(3, 0, 6));
	row("clEnqueueFillBuffer, pattern of no bytes", fill(0, 0, 16));
	row("clEnqueueFillBuffer, uneven size", fill(8, 0, 12));
	row("clEnqueueFillBuffer, uneven offset", fill(8, 4, 16));
	row("clEnqueueFillBuffer, pattern too long", fill(256, 0, 256));
	clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, SIZE, 1, 0,
	    NULL, NULL, &e);
	row("clEnqueueMapBuffer, beyond the end", e);
	clEnqueueMapBuffer(queue, write_only, CL_TRUE, CL_MAP_READ, 0, 16, 0,
	    NULL, NULL, &e);
	row("clEnqueueMapBuffer, not for reading", e);
	clEnqueueMapBuffer(queue, read_only, CL_TRUE, CL_MAP_WRITE, 0, 16, 0,
	    NULL, NULL, &e);
	row("clEnqueueMapBuffer, not for writing", e);
	row("clEnqueueUnmapMemObject, never mapped",
	    clEnqueueUnmapMemObject(queue, buffer, host, 0, NULL, NULL));
}

static void
events(void)
{
	const cl_event none = NULL;
	cl_ulong t;
	size_t size;

	row("clWaitForEvents, none", clWaitForEvents(0, &event));
	row("clWaitForEvents, nowhere", clWaitForEvents(1, NULL));
	row("clWaitForEvents, no event", clWaitForEvents(1, &none));
	row("wait list, nowhere",
	    clEnqueueMarkerWithWaitList(queue, 1, NULL, NULL));
	row("wait list, none",
	    clEnqueueMarkerWithWaitList(queue, 0, &event, NULL));
	row("wait list, no event",
	    clEnqueueMarkerWithWaitList(queue, 1, &none, NULL));
	row("wait list, other context",
	    clEnqueueMarkerWithWaitList(queue, 1, &other_event, NULL));
	row("clGetEventInfo, no such name",
	    clGetEventInfo(event, BAD_INFO, 0, NULL, &size));
	row("clGetEventProfilingInfo, user event",
	    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED,
	    sizeof(t), &t, NULL));
	row("clSetEventCallback, no function",
	    clSetEventCallback(event, CL_COMPLETE, NULL, NULL));
	row("clSetUserEventStatus, submitted",
	    clSetUserEventStatus(event, CL_SUBMITTED));
	row("clSetUserEventStatus, complete",
	    clSetUserEventStatus(event, CL_COMPLETE));
	row("clSetUserEventStatus, again",
	    clSetUserEventStatus(event, CL_COMPLETE));
	row("clRetainEvent, none", clRetainEvent(NULL));
	row("clReleaseEvent, none", clReleaseEvent(NULL));
}

int
main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	set_up();
	platforms_and_devices();
	contexts_and_queues();
	memory_objects();
	programs();
	kernels();
	launches();
	transfers();
	events();
	return 0;
}
