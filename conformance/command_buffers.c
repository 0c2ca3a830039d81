/* SPDX-License-Identifier: ISC */
/*
 * Command buffers and mutable dispatches: what they leave in memory, and the
 * codes of wrong calls.  Natively it needs a runtime with the extensions of
 * today.  "messages N" only replays, N times.
 */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol/khr.h"

#define N 1024
#define RECORDED cl_uint, const cl_uint *, cl_uint *, \
	struct _cl_mutable_command_khr **
#define RECORDER struct _cl_command_buffer_khr *, cl_command_queue, \
	const cl_ulong *

#define FUNCTIONS(X) \
	X(clCreateCommandBufferKHR, struct _cl_command_buffer_khr *, \
	    cl_uint, const cl_command_queue *, const cl_ulong *, cl_int *) \
	X(clFinalizeCommandBufferKHR, cl_int, \
	    struct _cl_command_buffer_khr *) \
	X(clReleaseCommandBufferKHR, cl_int, \
	    struct _cl_command_buffer_khr *) \
	X(clEnqueueCommandBufferKHR, cl_int, cl_uint, cl_command_queue *, \
	    struct _cl_command_buffer_khr *, cl_uint, const cl_event *, \
	    cl_event *) \
	X(clCommandBarrierWithWaitListKHR, cl_int, RECORDER, RECORDED) \
	X(clCommandCopyBufferKHR, cl_int, RECORDER, cl_mem, cl_mem, size_t, \
	    size_t, size_t, RECORDED) \
	X(clCommandCopyBufferRectKHR, cl_int, RECORDER, cl_mem, cl_mem, \
	    const size_t *, const size_t *, const size_t *, size_t, size_t, \
	    size_t, size_t, RECORDED) \
	X(clCommandFillBufferKHR, cl_int, RECORDER, cl_mem, const void *, \
	    size_t, size_t, size_t, RECORDED) \
	X(clCommandNDRangeKernelKHR, cl_int, RECORDER, cl_kernel, cl_uint, \
	    const size_t *, const size_t *, const size_t *, RECORDED) \
	X(clGetCommandBufferInfoKHR, cl_int, \
	    struct _cl_command_buffer_khr *, cl_uint, size_t, void *, \
	    size_t *) \
	X(clGetMutableCommandInfoKHR, cl_int, \
	    struct _cl_mutable_command_khr *, cl_uint, size_t, void *, \
	    size_t *) \
	X(clUpdateMutableCommandsKHR, cl_int, \
	    struct _cl_command_buffer_khr *, cl_uint, const cl_uint *, \
	    const void **)
#define REAL(name) real_##name
#define DECLARE(name, ret, ...) static ret (*REAL(name))(__VA_ARGS__);
FUNCTIONS(DECLARE)
#define LOAD(name, ret, ...) \
	*(void **)&REAL(name) = function(#name);

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_program program;
static cl_mem a, b;

static const char source[] =
    "kernel void add(global int *a, int n) { a[get_global_id(0)] += n; }\n"
    "kernel void store(global int *a, int n) { a[get_global_id(0)] = n; }\n";

static void
must(cl_int code, const char *what)
{
	if (code == CL_SUCCESS)
		return;
	fprintf(stderr, "command_buffers: %s: OpenCL error %d\n", what, code);
	exit(1);
}

static void *
function(const char *name)
{
	void *f = clGetExtensionFunctionAddressForPlatform(platform, name);

	if (f != NULL)
		return f;
	fprintf(stderr, "command_buffers: no %s\n", name);
	exit(77);
}

static void
open_device(void)
{
	const char *text = source;
	cl_int code;

	must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
	    "clGetDeviceIDs");
	FUNCTIONS(LOAD)
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
	must(code, "clCreateContext");
	program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
	must(code, "clCreateProgramWithSource");
	must(clBuildProgram(program, 0, NULL, NULL, NULL, NULL),
	    "clBuildProgram");
	a = clCreateBuffer(context, 0, N * sizeof(int), NULL, &code);
	must(code, "clCreateBuffer");
	b = clCreateBuffer(context, 0, N * sizeof(int), NULL, &code);
	must(code, "clCreateBuffer");
}

static cl_command_queue
open_queue(cl_command_queue_properties properties)
{
	const cl_queue_properties list[] = { CL_QUEUE_PROPERTIES, properties,
		0 };
	cl_int code;
	cl_command_queue q = clCreateCommandQueueWithProperties(context,
	    device, list, &code);

	must(code, "clCreateCommandQueueWithProperties");
	return q;
}

static cl_kernel
kernel_of(const char *name, cl_mem mem, int n)
{
	cl_int code;
	cl_kernel k = clCreateKernel(program, name, &code);

	must(code, "clCreateKernel");
	must(clSetKernelArg(k, 0, sizeof(mem), &mem), "clSetKernelArg");
	must(clSetKernelArg(k, 1, sizeof(n), &n), "clSetKernelArg");
	return k;
}

static struct _cl_command_buffer_khr *
open_buffer(cl_command_queue q, cl_ulong flags)
{
	const cl_ulong list[] = { CL_COMMAND_BUFFER_FLAGS_KHR, flags, 0 };
	struct _cl_command_buffer_khr *cb;
	cl_int code;

	cb = REAL(clCreateCommandBufferKHR)(1, &q, list, &code);
	must(code, "clCreateCommandBufferKHR");
	return cb;
}

static void
show(const char *what, cl_command_queue q, cl_mem mem)
{
	static int got[N];
	unsigned long sum = 0;
	unsigned i;

	must(clEnqueueReadBuffer(q, mem, CL_TRUE, 0, sizeof(got), got, 0,
	    NULL, NULL), "clEnqueueReadBuffer");
	for (i = 0; i < N; i++)
		sum += (unsigned)got[i];
	printf("%s: %d %d sum %lu\n", what, got[0], got[N - 1], sum);
}

static void
replay(cl_command_queue q, struct _cl_command_buffer_khr *cb)
{
	cl_event e;

	must(REAL(clEnqueueCommandBufferKHR)(1, &q, cb, 0, NULL, &e),
	    "clEnqueueCommandBufferKHR");
	must(clWaitForEvents(1, &e), "clWaitForEvents");
	must(clReleaseEvent(e), "clReleaseEvent");
}

/* ---- contents ------------------------------------------------------------ */

/* Everything that is recorded here depends on what is before it. */
static void
record_chain(struct _cl_command_buffer_khr *cb, cl_kernel k)
{
	const size_t from[] = { 0, 0, 0 }, to[] = { 64, 1, 0 };
	const size_t region[] = { 64, 2, 1 }, size = N;
	const int seven = 7;
	cl_uint sync[3];

	must(REAL(clCommandFillBufferKHR)(cb, NULL, NULL, a, &seven,
	    sizeof(seven), 0, N * sizeof(int), 0, NULL, &sync[0], NULL),
	    "clCommandFillBufferKHR");
	must(REAL(clCommandNDRangeKernelKHR)(cb, NULL, NULL, k, 1, NULL,
	    &size, NULL, 1, &sync[0], &sync[1], NULL),
	    "clCommandNDRangeKernelKHR");
	must(REAL(clCommandBarrierWithWaitListKHR)(cb, NULL, NULL, 0, NULL,
	    NULL, NULL), "clCommandBarrierWithWaitListKHR");
	must(REAL(clCommandCopyBufferKHR)(cb, NULL, NULL, a, b, 0, 0,
	    N * sizeof(int), 0, NULL, &sync[2], NULL),
	    "clCommandCopyBufferKHR");
	must(REAL(clCommandFillBufferKHR)(cb, NULL, NULL, a, "\0\0\0", 4, 0,
	    N * sizeof(int), 1, &sync[2], &sync[0], NULL),
	    "clCommandFillBufferKHR");
	must(REAL(clCommandCopyBufferRectKHR)(cb, NULL, NULL, a, b, from, to,
	    region, 256, 0, 256, 0, 1, &sync[0], NULL, NULL),
	    "clCommandCopyBufferRectKHR");
}

static void
chains(cl_command_queue_properties properties, const char *name)
{
	cl_command_queue q = open_queue(properties), other = open_queue(0);
	struct _cl_command_buffer_khr *cb = open_buffer(q, 0);
	cl_kernel k = kernel_of("add", a, 100);
	const int other_value = 5;
	int i;

	record_chain(cb, k);
	/* The launch keeps the argument that it was recorded with. */
	must(clSetKernelArg(k, 1, sizeof(int), &other_value),
	    "clSetKernelArg");
	must(clReleaseKernel(k), "clReleaseKernel");
	must(REAL(clFinalizeCommandBufferKHR)(cb),
	    "clFinalizeCommandBufferKHR");
	for (i = 0; i < 3; i++)
		replay(q, cb);
	show(name, q, b);
	replay(other, cb);
	show("in another queue", other, b);
	must(REAL(clReleaseCommandBufferKHR)(cb),
	    "clReleaseCommandBufferKHR");
	must(clReleaseCommandQueue(q), "clReleaseCommandQueue");
	must(clReleaseCommandQueue(other), "clReleaseCommandQueue");
}

/* A replay waits for its events, and what waits for it comes after. */
static void
events(void)
{
	cl_command_queue q = open_queue(0), other = open_queue(0);
	struct _cl_command_buffer_khr *cb = open_buffer(q, 0);
	cl_kernel k = kernel_of("store", a, 3);
	const size_t size = N;
	const int zero = 0;
	cl_event gate, done, copied;
	cl_int code, status;

	must(REAL(clCommandNDRangeKernelKHR)(cb, NULL, NULL, k, 1, NULL,
	    &size, NULL, 0, NULL, NULL, NULL), "clCommandNDRangeKernelKHR");
	must(REAL(clFinalizeCommandBufferKHR)(cb),
	    "clFinalizeCommandBufferKHR");
	must(clEnqueueFillBuffer(q, a, &zero, 4, 0, N * sizeof(int), 0, NULL,
	    NULL), "clEnqueueFillBuffer");
	must(clFinish(q), "clFinish");
	gate = clCreateUserEvent(context, &code);
	must(code, "clCreateUserEvent");
	must(REAL(clEnqueueCommandBufferKHR)(0, NULL, cb, 1, &gate, &done),
	    "clEnqueueCommandBufferKHR");
	must(clEnqueueCopyBuffer(other, a, b, 0, 0, N * sizeof(int), 1,
	    &done, &copied), "clEnqueueCopyBuffer");
	must(clFlush(q), "clFlush");
	must(clFlush(other), "clFlush");
	must(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS,
	    sizeof(status), &status, NULL), "clGetEventInfo");
	printf("before its event: %s\n", status > 0 ? "waits" : "done");
	must(clGetEventInfo(done, CL_EVENT_COMMAND_TYPE, sizeof(status),
	    &status, NULL), "clGetEventInfo");
	printf("type: 0x%x\n", (unsigned)status);
	must(clSetUserEventStatus(gate, CL_COMPLETE), "clSetUserEventStatus");
	must(clWaitForEvents(1, &copied), "clWaitForEvents");
	show("after its event", other, b);
	clReleaseEvent(gate);
	clReleaseEvent(done);
	clReleaseEvent(copied);
	clReleaseKernel(k);
	REAL(clReleaseCommandBufferKHR)(cb);
	clReleaseCommandQueue(q);
	clReleaseCommandQueue(other);
}

/* ---- changes ------------------------------------------------------------- */

static cl_int
update(struct _cl_command_buffer_khr *cb, struct khr_dispatch_config *config)
{
	const cl_uint type = KHR_UPDATE_DISPATCH_CONFIG;
	const void *one = config;

	return REAL(clUpdateMutableCommandsKHR)(cb, 1, &type, &one);
}

static void
updates(void)
{
	const cl_ulong list[] = { CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
		CL_MUTABLE_DISPATCH_ARGUMENTS_KHR |
		CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, 0 };
	cl_command_queue q = open_queue(0);
	struct _cl_command_buffer_khr *cb = open_buffer(q,
	    CL_COMMAND_BUFFER_MUTABLE_KHR);
	cl_kernel k = kernel_of("store", a, 1);
	const size_t size = N, half = N / 2;
	const int two = 2, three = 3;
	struct _cl_mutable_command_khr *launch;
	struct khr_arg arg = { 1, sizeof(int), &two };
	struct khr_dispatch_config config = { .num_args = 1, .args = &arg };
	size_t got = 0;

	must(REAL(clCommandNDRangeKernelKHR)(cb, NULL, list, k, 1, NULL,
	    &size, NULL, 0, NULL, NULL, &launch), "clCommandNDRangeKernelKHR");
	config.command = launch;
	printf("update while recording: %d\n", update(cb, &config));
	must(REAL(clFinalizeCommandBufferKHR)(cb),
	    "clFinalizeCommandBufferKHR");
	replay(q, cb);
	show("as recorded", q, a);
	printf("update: %d\n", update(cb, &config));
	replay(q, cb);
	show("updated", q, a);
	arg.value = &three;
	config.global_work_size = &half;
	printf("update of both: %d\n", update(cb, &config));
	replay(q, cb);
	show("half", q, a);
	must(REAL(clGetMutableCommandInfoKHR)(launch,
	    CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, sizeof(got), &got,
	    NULL), "clGetMutableCommandInfoKHR");
	printf("global size %zu\n", got);
	config.global_work_offset = &half;
	printf("offset: %d\n", update(cb, &config));
	config.global_work_offset = NULL;
	arg.index = 2;
	printf("no such argument: %d\n", update(cb, &config));
	replay(q, cb);
	show("after wrong updates", q, a);
	clReleaseKernel(k);
	REAL(clReleaseCommandBufferKHR)(cb);
	clReleaseCommandQueue(q);
}

/* Without properties, all that the device is able to may be changed. */
static void
default_fields(void)
{
	cl_command_queue q = open_queue(0);
	struct _cl_command_buffer_khr *cb = open_buffer(q,
	    CL_COMMAND_BUFFER_MUTABLE_KHR);
	cl_kernel k = kernel_of("store", a, 1);
	const size_t size = N;
	const int four = 4;
	struct khr_arg arg = { 1, sizeof(int), &four };
	struct khr_dispatch_config config = { .num_args = 1, .args = &arg };

	must(REAL(clCommandNDRangeKernelKHR)(cb, NULL, NULL, k, 1, NULL,
	    &size, NULL, 0, NULL, NULL, &config.command),
	    "clCommandNDRangeKernelKHR");
	must(REAL(clFinalizeCommandBufferKHR)(cb),
	    "clFinalizeCommandBufferKHR");
	printf("update by default: %d\n", update(cb, &config));
	replay(q, cb);
	show("updated by default", q, a);
	clReleaseKernel(k);
	REAL(clReleaseCommandBufferKHR)(cb);
	clReleaseCommandQueue(q);
}

/* ---- codes --------------------------------------------------------------- */

static cl_uint
state_of(struct _cl_command_buffer_khr *cb)
{
	cl_uint state = 99;

	must(REAL(clGetCommandBufferInfoKHR)(cb, CL_COMMAND_BUFFER_STATE_KHR,
	    sizeof(state), &state, NULL), "clGetCommandBufferInfoKHR");
	return state;
}

static void
codes(void)
{
	cl_command_queue q = open_queue(0);
	struct _cl_command_buffer_khr *cb = open_buffer(q, 0);
	const cl_ulong unknown[] = { 0x7777, 1, 0 };
	const cl_uint future = 5;
	cl_int code;

	REAL(clCreateCommandBufferKHR)(0, &q, NULL, &code);
	printf("no queue: %d\n", code);
	REAL(clCreateCommandBufferKHR)(1, NULL, NULL, &code);
	printf("no list of queues: %d\n", code);
	REAL(clCreateCommandBufferKHR)(1, &q, unknown, &code);
	printf("unknown property: %d\n", code);
	printf("state: %u\n", state_of(cb));
	printf("enqueue while recording: %d\n",
	    REAL(clEnqueueCommandBufferKHR)(0, NULL, cb, 0, NULL, NULL));
	printf("no command buffer: %d\n",
	    REAL(clFinalizeCommandBufferKHR)(NULL));
	printf("past the end: %d\n", REAL(clCommandCopyBufferKHR)(cb, NULL,
	    NULL, a, b, 4, 0, N * sizeof(int), 0, NULL, NULL, NULL));
	printf("no memory object: %d\n", REAL(clCommandCopyBufferKHR)(cb,
	    NULL, NULL, NULL, b, 0, 0, 4, 0, NULL, NULL, NULL));
	printf("sync-points without a list: %d\n",
	    REAL(clCommandCopyBufferKHR)(cb, NULL, NULL, a, b, 0, 0, 4, 1,
	    NULL, NULL, NULL));
	printf("unknown sync-point: %d\n", REAL(clCommandCopyBufferKHR)(cb,
	    NULL, NULL, a, b, 0, 0, 4, 1, &future, NULL, NULL));
	printf("finalize: %d\n", REAL(clFinalizeCommandBufferKHR)(cb));
	printf("state: %u\n", state_of(cb));
	printf("finalize again: %d\n", REAL(clFinalizeCommandBufferKHR)(cb));
	printf("record too late: %d\n", REAL(clCommandCopyBufferKHR)(cb,
	    NULL, NULL, a, b, 0, 0, 4, 0, NULL, NULL, NULL));
	printf("queues without a list: %d\n",
	    REAL(clEnqueueCommandBufferKHR)(1, NULL, cb, 0, NULL, NULL));
	printf("empty: %d\n", REAL(clEnqueueCommandBufferKHR)(0, NULL, cb, 0,
	    NULL, NULL));
	must(clFinish(q), "clFinish");
	REAL(clReleaseCommandBufferKHR)(cb);
	clReleaseCommandQueue(q);
}

/* ---- how many messages --------------------------------------------------- */

static void
replays(int n)
{
	cl_command_queue q = open_queue(0);
	struct _cl_command_buffer_khr *cb = open_buffer(q, 0);
	cl_kernel k = kernel_of("store", a, 1);

	record_chain(cb, k);
	must(REAL(clFinalizeCommandBufferKHR)(cb),
	    "clFinalizeCommandBufferKHR");
	while (n-- > 0)
		must(REAL(clEnqueueCommandBufferKHR)(0, NULL, cb, 0, NULL,
		    NULL), "clEnqueueCommandBufferKHR");
	must(clFinish(q), "clFinish");
	show("replays", q, b);
}

int
main(int argc, char **argv)
{
	open_device();
	if (argc == 3 && strcmp(argv[1], "messages") == 0) {
		replays(atoi(argv[2]));
		return 0;
	}
	chains(0, "in order");
	chains(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, "out of order");
	chains(CL_QUEUE_PROFILING_ENABLE, "profiled");
	events();
	updates();
	default_fields();
	codes();
	return 0;
}
