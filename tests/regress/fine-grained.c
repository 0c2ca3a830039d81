/* SPDX-License-Identifier: ISC */
/*
 * fine-grained - the program and its kernels at work on the same memory, with
 * no call between them that would move it.
 *
 * Prints one line for each step; natively they are the same.  Ends with 77
 * where the device has no fine-grained buffers.
 */
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 4096
#define THREADS 4
#define ROUNDS 40

static cl_context context;
static cl_command_queue queue;
static cl_device_id device;
static cl_device_svm_capabilities capabilities;
static cl_program program;

static const char source[] =
    "typedef struct node { global struct node *next; int value; } node;\n"
    "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n"
    "kernel void walk(global node *n, global int *sum) {\n"
    "	for (; n; n = n->next) { *sum += n->value; n->value = -n->value; }\n"
    "}\n"
    "kernel void talk(volatile global int *word, int turns) {\n"
    "	for (int i = 1; i <= turns; i++) {\n"
    "		atomic_xchg(&word[0], i);\n"
    "		for (int j = 0; j < 1000000000; j++)\n"
    "			if (atomic_or(&word[32], 0) == i)\n"
    "				break;\n"
    "	}\n"
    "}\n";

static void
check(cl_int code, const char *what)
{
	if (code == CL_SUCCESS)
		return;
	printf("%s: %d\n", what, code);
	exit(1);
}

static void *
fine(size_t n, cl_svm_mem_flags more)
{
	void *p = clSVMAlloc(context, CL_MEM_READ_WRITE |
	    CL_MEM_SVM_FINE_GRAIN_BUFFER | more, n, 0);

	if (p == NULL)
		check(-1, "clSVMAlloc");
	return p;
}

static cl_kernel
kernel(const char *name)
{
	cl_int code;
	cl_kernel k = clCreateKernel(program, name, &code);

	check(code, name);
	return k;
}

static void
launch(cl_kernel k, size_t n)
{
	check(clEnqueueNDRangeKernel(queue, k, 1, NULL, &n, NULL, 0, NULL,
	    NULL), "clEnqueueNDRangeKernel");
}

static long
sum(const int *p, size_t n)
{
	long s = 0;

	while (n-- > 0)
		s += *p++;
	return s;
}

static void
open_device(void)
{
	cl_context_properties properties[3] = { CL_CONTEXT_PLATFORM };
	const char *text = source;
	cl_platform_id platform;
	cl_int code;

	check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
	    "clGetDeviceIDs");
	check(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES,
	    sizeof(capabilities), &capabilities, NULL), "capabilities");
	if ((capabilities & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) == 0) {
		printf("no fine-grained buffers\n");
		exit(77);
	}
	properties[1] = (cl_context_properties)platform;
	context = clCreateContext(properties, 1, &device, NULL, NULL, &code);
	check(code, "clCreateContext");
	queue = clCreateCommandQueueWithProperties(context, device, NULL,
	    &code);
	check(code, "queue");
	program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
	check(code, "program");
	check(clBuildProgram(program, 1, &device, "-cl-std=CL2.0", NULL, NULL),
	    "clBuildProgram");
}

/* --- steps ---------------------------------------------------------------- */

/* The program writes, a kernel adds, the program reads; then the middle. */
static void
plain(void)
{
	cl_kernel add = kernel("add");
	int *p = fine(N * sizeof(int), 0), i, n = 3;

	for (i = 0; i < N; i++)
		p[i] = i;
	clSetKernelArgSVMPointer(add, 0, p);
	clSetKernelArg(add, 1, sizeof(n), &n);
	launch(add, N);
	check(clFinish(queue), "clFinish");
	printf("plain %ld\n", sum(p, N));
	for (i = 0; i < N; i++)
		p[i] = 1;
	clSetKernelArgSVMPointer(add, 0, p + 1000);
	launch(add, 100);
	launch(add, 10);
	check(clFinish(queue), "clFinish");
	printf("middle %ld %d %d %d %d\n", sum(p, N), p[999], p[1009],
	    p[1099], p[1100]);
	clSVMFree(context, p);
	clReleaseKernel(add);
}

struct node {
	struct node *next;
	int value;
};

/* Pointers of one allocation into another. */
static void
list(void)
{
	cl_kernel walk = kernel("walk");
	int *total = fine(sizeof(int), 0), i;
	struct node *n[10];

	for (i = 0; i < 10; i++) {
		n[i] = fine(sizeof(*n[i]), 0);
		n[i]->value = i + 1;
		n[i]->next = i > 0 ? n[i - 1] : NULL;
	}
	*total = 100;
	clSetKernelArgSVMPointer(walk, 0, n[9]);
	clSetKernelArgSVMPointer(walk, 1, total);
	check(clSetKernelExecInfo(walk, CL_KERNEL_EXEC_INFO_SVM_PTRS,
	    sizeof(n), n), "clSetKernelExecInfo");
	launch(walk, 1);
	check(clFinish(queue), "clFinish");
	printf("list %d:", *total);
	for (i = 0; i < 10; i++)
		printf(" %d", n[i]->value);
	printf("\n");
	for (i = 0; i < 10; i++)
		clSVMFree(context, n[i]);
	clSVMFree(context, total);
	clReleaseKernel(walk);
}

/* A buffer over the memory, and a part of it. */
static void
buffer(void)
{
	const cl_buffer_region region = { 1024, 1024 };
	cl_kernel add = kernel("add");
	int *p = fine(N * sizeof(int), 0), i, n = 5, *mapped, one[4];
	cl_mem whole, part;
	cl_bool uses;
	cl_int code;

	for (i = 0; i < N; i++)
		p[i] = 1;
	whole = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N * sizeof(int),
	    p, &code);
	check(code, "clCreateBuffer");
	part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION,
	    &region, &code);
	check(code, "clCreateSubBuffer");
	check(clGetMemObjectInfo(whole, CL_MEM_USES_SVM_POINTER, sizeof(uses),
	    &uses, NULL), "CL_MEM_USES_SVM_POINTER");
	clSetKernelArg(add, 0, sizeof(whole), &whole);
	clSetKernelArg(add, 1, sizeof(n), &n);
	launch(add, 8);
	clSetKernelArg(add, 0, sizeof(part), &part);
	launch(add, 16);
	mapped = clEnqueueMapBuffer(queue, part, CL_TRUE, CL_MAP_READ |
	    CL_MAP_WRITE, 16, 64, 0, NULL, NULL, &code);
	check(code, "clEnqueueMapBuffer");
	mapped[0] += 1000;
	check(clEnqueueUnmapMemObject(queue, part, mapped, 0, NULL, NULL),
	    "clEnqueueUnmapMemObject");
	launch(add, 16);
	one[0] = one[1] = 77;
	check(clEnqueueWriteBuffer(queue, whole, CL_FALSE, 40, 8, one, 0, NULL,
	    NULL), "clEnqueueWriteBuffer");
	check(clEnqueueReadBuffer(queue, whole, CL_TRUE, 1024 + 8,
	    sizeof(one), one, 0, NULL, NULL), "clEnqueueReadBuffer");
	printf("buffer %d %ld %d %d %d %d at %d\n", (int)uses, sum(p, N),
	    p[0], p[10], p[11], one[2], (int)(mapped - p));
	clReleaseMemObject(part);
	clReleaseMemObject(whole);
	printf("after the buffer %ld\n", sum(p, N));
	clSVMFree(context, p);
	clReleaseKernel(add);
}

/* The commands for shared virtual memory, between both kinds and others. */
static void
commands(void)
{
	static int plain_memory[64];
	const int pattern = 9;
	int *p = fine(N * sizeof(int), 0), *q = fine(256, 0), i;
	int *coarse = clSVMAlloc(context, CL_MEM_READ_WRITE, 256, 0);
	cl_event event;

	check(clEnqueueSVMMemFill(queue, p, &pattern, sizeof(pattern),
	    N * sizeof(int), 0, NULL, NULL), "clEnqueueSVMMemFill");
	check(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, p, 256, 0, NULL,
	    NULL), "clEnqueueSVMMap");
	for (i = 0; i < 64; i++)
		p[i] = i;
	check(clEnqueueSVMUnmap(queue, p, 0, NULL, NULL),
	    "clEnqueueSVMUnmap");
	check(clEnqueueSVMMemcpy(queue, CL_FALSE, q, p, 256, 0, NULL, NULL),
	    "fine to fine");
	check(clEnqueueSVMMemcpy(queue, CL_FALSE, coarse, q, 256, 0, NULL,
	    NULL), "fine to coarse");
	check(clEnqueueSVMMemcpy(queue, CL_FALSE, p + 100, coarse, 256, 0,
	    NULL, NULL), "coarse to fine");
	check(clEnqueueSVMMemcpy(queue, CL_TRUE, plain_memory, p + 100, 256,
	    0, NULL, &event), "fine to plain");
	printf("commands %ld %ld %ld\n", sum(p, N), sum(q, 64),
	    sum(plain_memory, 64));
	clReleaseEvent(event);
	check(clEnqueueSVMMemcpy(queue, CL_TRUE, q, plain_memory + 32, 128, 0,
	    NULL, NULL), "plain to fine");
	printf("from plain memory %ld\n", sum(q, 64));
	check(clEnqueueSVMFree(queue, 2, (void *[]){ p, q }, NULL, NULL, 0,
	    NULL, &event), "clEnqueueSVMFree");
	check(clWaitForEvents(1, &event), "clWaitForEvents");
	clReleaseEvent(event);
	clSVMFree(context, coarse);
}

/*
 * A kernel and the program answer each other while the kernel runs, in memory
 * that is its first argument already.
 */
static void
talk(cl_kernel k, atomic_int *word, const char *what)
{
	int turns = 50, i, seen = 0;
	cl_event event;
	cl_int status;
	size_t one = 1;

	atomic_store(&word[0], 0);
	atomic_store(&word[32], 0);
	clSetKernelArg(k, 1, sizeof(turns), &turns);
	check(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL,
	    &event), "clEnqueueNDRangeKernel");
	check(clFlush(queue), "clFlush");
	for (i = 1; i <= turns; i++) {
		do
			check(clGetEventInfo(event,
			    CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
			    &status, NULL), "clGetEventInfo");
		while (atomic_load(&word[0]) != i && status > CL_COMPLETE);
		seen += atomic_load(&word[0]) == i;
		atomic_store(&word[32], i);
	}
	check(clWaitForEvents(1, &event), "clWaitForEvents");
	printf("%s %d %d\n", what, seen, atomic_load(&word[0]));
	clReleaseEvent(event);
}

static void
atomics(void)
{
	cl_kernel k = kernel("talk");
	atomic_int *word;

	if (capabilities & CL_DEVICE_SVM_ATOMICS) {
		word = fine(256, CL_MEM_SVM_ATOMICS);
		clSetKernelArgSVMPointer(k, 0, word);
		talk(k, word, "atomics");
		clSVMFree(context, word);
	} else
		printf("no atomics\n");
	clReleaseKernel(k);
}

static void *
function(cl_platform_id platform, const char *name)
{
	void *f = clGetExtensionFunctionAddressForPlatform(platform, name);

	if (f == NULL)
		check(-1, name);
	return f;
}

/* The same in unified shared memory, where the device has it. */
static void
unified(void)
{
	cl_bitfield all = 0;
	clHostMemAllocINTEL_fn host_alloc;
	clSetKernelArgMemPointerINTEL_fn set_arg;
	clMemBlockingFreeINTEL_fn mem_free;
	cl_platform_id platform;
	atomic_int *word;
	cl_kernel k;
	cl_int code;

	(void)clGetDeviceInfo(device, CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL,
	    sizeof(all), &all, NULL);
	printf("unified shared memory %d\n", (int)all);
	if ((all & CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL) ==
	    0)
		return;
	check(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof(platform),
	    &platform, NULL), "CL_DEVICE_PLATFORM");
	host_alloc = (clHostMemAllocINTEL_fn)function(platform,
	    "clHostMemAllocINTEL");
	set_arg = (clSetKernelArgMemPointerINTEL_fn)function(platform,
	    "clSetKernelArgMemPointerINTEL");
	mem_free = (clMemBlockingFreeINTEL_fn)function(platform,
	    "clMemBlockingFreeINTEL");
	word = host_alloc(context, NULL, 256, 0, &code);
	check(code, "clHostMemAllocINTEL");
	k = kernel("talk");
	check(set_arg(k, 0, word), "clSetKernelArgMemPointerINTEL");
	talk(k, word, "unified");
	check(mem_free(context, word), "clMemBlockingFreeINTEL");
	clReleaseKernel(k);
}

/* Many at once, of all sizes, none overlapping another. */
static void *
many(void *arg)
{
	unsigned seed = (unsigned)(uintptr_t)arg, wrong = 0, i, j;
	uint8_t *p[16] = { NULL };
	size_t size[16];

	for (i = 0; i < ROUNDS; i++) {
		j = i % 16;
		if (p[j] != NULL) {
			wrong += p[j][0] != (uint8_t)(seed + j) ||
			    p[j][size[j] - 1] != (uint8_t)(seed + j);
			clSVMFree(context, p[j]);
		}
		size[j] = 1 + (size_t)(seed * 977 + i * 3331) % 20000;
		p[j] = fine(size[j], 0);
		memset(p[j], (int)(seed + j), size[j]);
	}
	for (j = 0; j < 16; j++) {
		for (i = 0; i < size[j]; i++)
			wrong += p[j][i] != (uint8_t)(seed + j);
		clSVMFree(context, p[j]);
	}
	return (void *)(uintptr_t)wrong;
}

static void
threads(void)
{
	pthread_t thread[THREADS];
	uintptr_t wrong = 0;
	void *one;
	int i;

	for (i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, many,
		    (void *)(uintptr_t)(i + 1));
	for (i = 0; i < THREADS; i++) {
		pthread_join(thread[i], &one);
		wrong += (uintptr_t)one;
	}
	printf("threads %d wrong bytes\n", (int)wrong);
}

/* A gigabyte in all, of which little is there at a time. */
static void
again(void)
{
	const size_t size = 32 << 20;
	uint8_t *p;
	int i, ends = 0;

	for (i = 0; i < 32; i++) {
		p = fine(size, 0);
		p[0] = p[size - 1] = 1;
		ends += p[0] + p[size - 1];
		clSVMFree(context, p);
	}
	printf("again %d\n", ends);
}

int
main(void)
{
	open_device();
	plain();
	list();
	buffer();
	commands();
	atomics();
	unified();
	threads();
	again();
	plain();
	clReleaseProgram(program);
	clReleaseCommandQueue(queue);
	clReleaseContext(context);
	return 0;
}
