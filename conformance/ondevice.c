/* SPDX-License-Identifier: ISC */
/*
 * ondevice - queues that kernels enqueue to, pipes between kernels, and queues
 * that end while others work.
 *
 * Each line is what a step left in memory, or how a call ended.  Run natively
 * and through vgpu, the lines must be the same.  A device without either says
 * so, and that is compared, too.
 */
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 256
#define PACKETS 64

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_mem out;

static const char source_queue[] =
    "kernel void chain(global int *out, int depth)\n"
    "{\n"
    "	queue_t q = get_default_queue();\n"
    "	out[depth] += depth + 1;\n"
    "	if (depth < 20)\n"
    "		enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL,\n"
    "		    ndrange_1D(1), ^{ chain(out, depth + 1); });\n"
    "}\n"
    "kernel void given(queue_t q, global int *out, int n)\n"
    "{\n"
    "	enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL,\n"
    "	    ndrange_1D(n), ^{\n"
    "		out[get_global_id(0)] = (int)get_global_id(0) * 3; });\n"
    "}\n"
    "kernel void after(queue_t q, global int *out, int n)\n"
    "{\n"
    "	clk_event_t first, user = create_user_event();\n"
    "	enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n),\n"
    "	    1, &user, &first, ^{\n"
    "		out[get_global_id(0)] = 5; });\n"
    "	enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n),\n"
    "	    1, &first, 0, ^{\n"
    "		out[get_global_id(0)] *= (int)get_global_id(0); });\n"
    "	set_user_event_status(user, CL_COMPLETE);\n"
    "	release_event(user);\n"
    "	release_event(first);\n"
    "}\n"
    "kernel void scratch(queue_t q, global int *out, int n)\n"
    "{\n"
    "	void (^body)(local void *) = ^(local void *p) {\n"
    "		local int *s = (local int *)p;\n"
    "		int i = (int)get_local_id(0);\n"
    "		s[i] = i + 7;\n"
    "		barrier(CLK_LOCAL_MEM_FENCE);\n"
    "		out[get_global_id(0)] = s[get_local_size(0) - 1 - i]; };\n"
    "	enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL,\n"
    "	    ndrange_1D(n, 16), body, (uint)(16 * sizeof(int)));\n"
    "}\n";

static const char source_pipe[] =
    "kernel void fill(write_only pipe int4 p, int seed)\n"
    "{\n"
    "	int i = (int)get_global_id(0);\n"
    "	int4 v = (int4)(i, i * seed, i ^ seed, seed);\n"
    "	write_pipe(p, &v);\n"
    "}\n"
    "kernel void drain(read_only pipe int4 p, global int *out)\n"
    "{\n"
    "	int4 v;\n"
    "	while (read_pipe(p, &v) == 0)\n"
    "		vstore4(v, v.x, out);\n"
    "	out[4 * get_pipe_max_packets(p)] =\n"
    "	    (int)get_pipe_num_packets(p);\n"
    "}\n"
    "kernel void reserve(write_only pipe int4 p, int n)\n"
    "{\n"
    "	reserve_id_t r = reserve_write_pipe(p, n);\n"
    "	if (!is_valid_reserve_id(r))\n"
    "		return;\n"
    "	for (int i = 0; i < n; i++) {\n"
    "		int4 v = (int4)(i, -i, 2 * i, 9);\n"
    "		write_pipe(p, r, i, &v);\n"
    "	}\n"
    "	commit_write_pipe(p, r);\n"
    "}\n";

static void
must(cl_int code, const char *what)
{
	if (code == CL_SUCCESS)
		return;
	fprintf(stderr, "ondevice: %s: OpenCL error %d\n", what, code);
	exit(1);
}

/* ---- what all steps use ------------------------------------------------ */

static void
build(const char *source, const char *options)
{
	cl_int e;

	program = clCreateProgramWithSource(context, 1, &source, NULL, &e);
	must(e, "clCreateProgramWithSource");
	must(clBuildProgram(program, 1, &device, options, NULL, NULL),
	    "clBuildProgram");
}

static cl_kernel
kernel(const char *name)
{
	cl_int e;
	cl_kernel k = clCreateKernel(program, name, &e);

	must(e, name);
	return k;
}

static void
set(cl_kernel k, cl_uint i, size_t n, const void *value)
{
	must(clSetKernelArg(k, i, n, value), "clSetKernelArg");
}

static void
run(cl_kernel k, size_t n)
{
	must(clEnqueueNDRangeKernel(queue, k, 1, NULL, &n, NULL, 0, NULL,
	    NULL), "clEnqueueNDRangeKernel");
	must(clFinish(queue), "clFinish");
	must(clReleaseKernel(k), "clReleaseKernel");
}

static void
clear(void)
{
	const cl_int zero = 0;

	must(clEnqueueFillBuffer(queue, out, &zero, sizeof(zero), 0,
	    ITEMS * 2 * sizeof(zero), 0, NULL, NULL), "clEnqueueFillBuffer");
}

static void
show(const char *what)
{
	cl_int v[ITEMS * 2];
	int i;

	must(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof(v), v, 0,
	    NULL, NULL), "clEnqueueReadBuffer");
	printf("%s:", what);
	for (i = 0; i < ITEMS * 2; i++)
		if (v[i] != 0)
			printf(" %d=%d", i, v[i]);
	printf("\n");
}

/* ---- queues on the device ---------------------------------------------- */

static cl_command_queue
device_queue(cl_command_queue_properties more, cl_uint size)
{
	const cl_queue_properties list[] = { CL_QUEUE_PROPERTIES,
		CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE |
		more, size != 0 ? CL_QUEUE_SIZE : 0, size, 0 };
	cl_command_queue q;
	cl_int e;

	q = clCreateCommandQueueWithProperties(context, device, list, &e);
	printf("device queue of %u: %d\n", size, e);
	return q;
}

static void
tell(cl_command_queue q, const char *what)
{
	cl_command_queue_properties p = 0;
	cl_queue_properties list[8];
	cl_command_queue fallback = NULL;
	cl_uint size = 0;
	size_t n = 0, i;
	cl_int code;

	code = clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof(p), &p,
	    NULL);
	printf("%s: properties %d 0x%llx", what, code,
	    (unsigned long long)p);
	code = clGetCommandQueueInfo(q, CL_QUEUE_SIZE, sizeof(size), &size,
	    NULL);
	printf(" size %d %u", code, size);
	code = clGetCommandQueueInfo(q, CL_QUEUE_DEVICE_DEFAULT,
	    sizeof(fallback), &fallback, NULL);
	printf(" default %d %s", code, fallback == NULL ? "none" :
	    fallback == q ? "itself" : "another");
	code = clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES_ARRAY,
	    sizeof(list), list, &n);
	printf(" list %d", code);
	for (i = 0; i < n / sizeof(list[0]); i++)
		printf(" 0x%llx", (unsigned long long)list[i]);
	printf("\n");
}

static void
with_queue(const char *name, cl_command_queue q)
{
	const cl_int n = ITEMS;
	cl_kernel k = kernel(name);

	clear();
	set(k, 0, sizeof(q), &q);
	set(k, 1, sizeof(out), &out);
	set(k, 2, sizeof(n), &n);
	run(k, 1);
	show(name);
}

static void
no_queue(void)
{
	cl_kernel k = kernel("given");
	cl_command_queue none = NULL;

	printf("no queue as argument: %d\n",
	    clSetKernelArg(k, 0, sizeof(none), &none));
	must(clReleaseKernel(k), "clReleaseKernel");
}

static void
default_queue(void)
{
	const cl_int start = 0;
	cl_kernel k = kernel("chain");

	clear();
	set(k, 0, sizeof(out), &out);
	set(k, 1, sizeof(start), &start);
	run(k, 1);
	show("default queue");
}

static void
queues_on_device(void)
{
	cl_device_device_enqueue_capabilities has = 0;
	cl_command_queue first, second, third;

	if (clGetDeviceInfo(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES,
	    sizeof(has), &has, NULL) != CL_SUCCESS || has == 0) {
		printf("no queues on the device\n");
		return;
	}
	build(source_queue, "-cl-std=CL2.0");
	first = device_queue(CL_QUEUE_ON_DEVICE_DEFAULT, 0);
	second = device_queue(0, 65536);
	tell(queue, "host queue");
	tell(first, "first");
	tell(second, "second");
	default_queue();
	with_queue("given", second);
	with_queue("given", first);
	with_queue("after", second);
	with_queue("scratch", second);
	no_queue();
	printf("a second default: %d\n", clSetDefaultDeviceCommandQueue(
	    context, device, second));
	printf("a host queue as default: %d\n",
	    clSetDefaultDeviceCommandQueue(context, device, queue));
	tell(first, "first");
	tell(second, "second");
	default_queue();
	printf("a command in a device queue: %d\n",
	    clEnqueueMarkerWithWaitList(second, 0, NULL, NULL));
	printf("finish: %d\n", clFinish(second));
	third = device_queue(CL_QUEUE_ON_DEVICE_DEFAULT, 0);
	tell(third, "third");
	must(clReleaseCommandQueue(third), "clReleaseCommandQueue");
	must(clReleaseCommandQueue(first), "clReleaseCommandQueue");
	must(clReleaseCommandQueue(second), "clReleaseCommandQueue");
	must(clReleaseProgram(program), "clReleaseProgram");
}

/* ---- queues without order ----------------------------------------------- */

static const char source_large[] =
    "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n";

#define LARGE ((size_t)1 << 20)

static void
add(cl_command_queue q, cl_mem b, size_t n)
{
	const cl_int one = 1;
	cl_kernel k = kernel("add");

	set(k, 0, sizeof(b), &b);
	set(k, 1, sizeof(one), &one);
	must(clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL),
	    "clEnqueueNDRangeKernel");
	must(clReleaseKernel(k), "clReleaseKernel");
}

/* One that ends as soon as its last command has leaves the others at work. */
static void
queue_that_ends(cl_mem b)
{
	const cl_queue_properties list[] = { CL_QUEUE_PROPERTIES,
		CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0 };
	cl_command_queue q;
	cl_event end;
	cl_int e;
	int i;

	q = clCreateCommandQueueWithProperties(context, device, list, &e);
	must(e, "clCreateCommandQueueWithProperties");
	for (i = 0; i < 8; i++)
		add(q, out, ITEMS);
	must(clEnqueueMarkerWithWaitList(q, 0, NULL, &end),
	    "clEnqueueMarkerWithWaitList");
	must(clWaitForEvents(1, &end), "clWaitForEvents");
	must(clReleaseEvent(end), "clReleaseEvent");
	must(clReleaseCommandQueue(q), "clReleaseCommandQueue");
	add(queue, b, LARGE);
	must(clFinish(queue), "clFinish");
}

static void
queues_that_end(void)
{
	const cl_int zero = 0;
	cl_int last = 0, e;
	cl_mem b;
	int i;

	build(source_large, "");
	b = clCreateBuffer(context, CL_MEM_READ_WRITE, LARGE * sizeof(cl_int),
	    NULL, &e);
	must(e, "clCreateBuffer");
	must(clEnqueueFillBuffer(queue, b, &zero, sizeof(zero), 0,
	    LARGE * sizeof(zero), 0, NULL, NULL), "clEnqueueFillBuffer");
	for (i = 0; i < 40; i++)
		queue_that_ends(b);
	must(clEnqueueReadBuffer(queue, b, CL_TRUE, (LARGE - 1) * sizeof(last),
	    sizeof(last), &last, 0, NULL, NULL), "clEnqueueReadBuffer");
	printf("after queues that ended: %d\n", last);
	must(clReleaseMemObject(b), "clReleaseMemObject");
	must(clReleaseProgram(program), "clReleaseProgram");
}

/* ---- pipes ------------------------------------------------------------- */

/* What one kernel writes to a new pipe another one reads. */
static void
through_pipe(const char *writer, size_t items, cl_int number)
{
	cl_uint size = 0, packets = 0;
	cl_int e;
	cl_mem pipe = clCreatePipe(context, 0, sizeof(cl_int4), PACKETS, NULL,
	    &e);
	cl_kernel k = kernel(writer);

	must(e, "clCreatePipe");
	must(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, sizeof(size), &size,
	    NULL), "clGetPipeInfo");
	must(clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, sizeof(packets),
	    &packets, NULL), "clGetPipeInfo");
	printf("pipe of %u packets of %u bytes\n", packets, size);
	clear();
	set(k, 0, sizeof(pipe), &pipe);
	set(k, 1, sizeof(number), &number);
	run(k, items);
	k = kernel("drain");
	set(k, 0, sizeof(pipe), &pipe);
	set(k, 1, sizeof(out), &out);
	run(k, 1);
	show(writer);
	must(clReleaseMemObject(pipe), "clReleaseMemObject");
}

static void
pipes(void)
{
	cl_bool has = CL_FALSE;

	if (clGetDeviceInfo(device, CL_DEVICE_PIPE_SUPPORT, sizeof(has), &has,
	    NULL) != CL_SUCCESS || !has) {
		printf("no pipes\n");
		return;
	}
	build(source_pipe, "-cl-std=CL2.0");
	through_pipe("fill", PACKETS, 11);
	through_pipe("fill", PACKETS / 2, 3);
	through_pipe("reserve", 1, 40);
	must(clReleaseProgram(program), "clReleaseProgram");
}

int
main(void)
{
	cl_platform_id platform;
	cl_int e;

	must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
	    "clGetDeviceIDs");
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
	must(e, "clCreateContext");
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &e);
	must(e, "clCreateCommandQueueWithProperties");
	out = clCreateBuffer(context, CL_MEM_READ_WRITE,
	    ITEMS * 2 * sizeof(cl_int), NULL, &e);
	must(e, "clCreateBuffer");
	queues_on_device();
	pipes();
	queues_that_end();
	must(clReleaseMemObject(out), "clReleaseMemObject");
	must(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	must(clReleaseContext(context), "clReleaseContext");
	return 0;
}
