/* SPDX-License-Identifier: ISC */
#include "conformance/usm.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 300000

cl_device_id device;
cl_context context;
cl_command_queue queue;

clHostMemAllocINTEL_fn host_alloc;
clDeviceMemAllocINTEL_fn device_alloc;
clSharedMemAllocINTEL_fn shared_alloc;
clMemFreeINTEL_fn mem_free;
clMemBlockingFreeINTEL_fn mem_blocking_free;
clGetMemAllocInfoINTEL_fn mem_info;
clSetKernelArgMemPointerINTEL_fn set_pointer;
clEnqueueMemFillINTEL_fn mem_fill;
clEnqueueMemcpyINTEL_fn mem_copy;
clEnqueueMigrateMemINTEL_fn mem_migrate;
clEnqueueMemAdviseINTEL_fn mem_advise;

void
must(cl_int code, const char *what)
{
	if (code == CL_SUCCESS)
		return;
	fprintf(stderr, "usm: %s: OpenCL error %d\n", what, code);
	exit(1);
}

void
line(const char *what, const void *p, size_t n)
{
	const unsigned char *from = p;
	uint64_t sum = n;
	size_t i;

	for (i = 0; i < n; i++)
		sum = (sum ^ from[i]) * 1099511628211u;
	printf("%s: %016llx\n", what, (unsigned long long)sum);
}

void *
get(cl_uint type, size_t size)
{
	cl_int e;
	void *p = type == CL_MEM_TYPE_HOST_INTEL ?
	    host_alloc(context, NULL, size, 0, &e) :
	    type == CL_MEM_TYPE_DEVICE_INTEL ?
	    device_alloc(context, device, NULL, size, 0, &e) :
	    shared_alloc(context, device, NULL, size, 0, &e);

	must(e, "allocation");
	return p;
}

static void
scribble(unsigned char *p, size_t n, unsigned seed)
{
	size_t i;

	for (i = 0; i < n; i++)
		p[i] = (unsigned char)((i * 2654435761u + seed) >> 7);
}

static void
copy(void *to, const void *from, size_t n)
{
	must(mem_copy(queue, CL_TRUE, to, from, n, 0, NULL, NULL),
	    "clEnqueueMemcpyINTEL");
}

/* ---- copies and fills -------------------------------------------------- */

/* Between an allocation and the program's memory, all of it and parts. */
static void
copies(cl_uint type, const char *name)
{
	unsigned char *mine = malloc(SIZE), *p = get(type, SIZE);
	const cl_uint pattern = 0xfeedbeef;
	char what[64];

	scribble(mine, SIZE, type);
	copy(p, mine, SIZE);
	memset(mine, 0, SIZE);
	copy(mine, p, SIZE);
	snprintf(what, sizeof(what), "%s: there and back", name);
	line(what, mine, SIZE);
	copy(p + 1000, p + 150001, 99999);
	copy(mine, p, SIZE);
	snprintf(what, sizeof(what), "%s: within", name);
	line(what, mine, SIZE);
	must(mem_fill(queue, p + 400, &pattern, sizeof(pattern), 200000, 0,
	    NULL, NULL), "clEnqueueMemFillINTEL");
	copy(mine + 1, p + 3, SIZE - 3);
	snprintf(what, sizeof(what), "%s: with a pattern", name);
	line(what, mine, SIZE);
	must(mem_free(context, p), "clMemFreeINTEL");
	free(mine);
}

/* From one kind to another, behind an event that the program sets. */
static void
chain(void)
{
	unsigned char *mine = malloc(SIZE), *back = malloc(SIZE);
	unsigned char *d = get(CL_MEM_TYPE_DEVICE_INTEL, SIZE);
	unsigned char *h = get(CL_MEM_TYPE_HOST_INTEL, SIZE);
	unsigned char *s = get(CL_MEM_TYPE_SHARED_INTEL, SIZE);
	cl_event start, step[4];
	cl_int e;

	scribble(mine, SIZE, 99);
	start = clCreateUserEvent(context, &e);
	must(e, "clCreateUserEvent");
	must(mem_copy(queue, CL_FALSE, h, mine, SIZE, 1, &start, &step[0]),
	    "clEnqueueMemcpyINTEL");
	must(mem_copy(queue, CL_FALSE, d, h, SIZE, 1, &step[0], &step[1]),
	    "clEnqueueMemcpyINTEL");
	must(mem_copy(queue, CL_FALSE, s, d, SIZE, 1, &step[1], &step[2]),
	    "clEnqueueMemcpyINTEL");
	must(mem_copy(queue, CL_FALSE, back, s, SIZE, 1, &step[2], &step[3]),
	    "clEnqueueMemcpyINTEL");
	must(clSetUserEventStatus(start, CL_COMPLETE),
	    "clSetUserEventStatus");
	must(clWaitForEvents(1, &step[3]), "clWaitForEvents");
	line("through all kinds", back, SIZE);
	line("host memory on the way", h, SIZE);
	line("shared memory on the way", s, SIZE);
	for (e = 0; e < 4; e++)
		must(clReleaseEvent(step[e]), "clReleaseEvent");
	must(clReleaseEvent(start), "clReleaseEvent");
	must(mem_blocking_free(context, d), "clMemBlockingFreeINTEL");
	must(mem_blocking_free(context, h), "clMemBlockingFreeINTEL");
	must(mem_blocking_free(context, s), "clMemBlockingFreeINTEL");
	free(mine);
	free(back);
}

/* ---- what is told ------------------------------------------------------ */

static void
tell(const char *name, const void *p, const void *base)
{
	cl_unified_shared_memory_type_intel type = 0;
	cl_mem_alloc_flags_intel flags = 77;
	cl_device_id d = NULL;
	void *start = NULL;
	size_t size = 1;
	cl_int code[5];

	code[0] = mem_info(context, p, CL_MEM_ALLOC_TYPE_INTEL, sizeof(type),
	    &type, NULL);
	code[1] = mem_info(context, p, CL_MEM_ALLOC_BASE_PTR_INTEL,
	    sizeof(start), &start, NULL);
	code[2] = mem_info(context, p, CL_MEM_ALLOC_SIZE_INTEL, sizeof(size),
	    &size, NULL);
	code[3] = mem_info(context, p, CL_MEM_ALLOC_DEVICE_INTEL, sizeof(d),
	    &d, NULL);
	code[4] = mem_info(context, p, CL_MEM_ALLOC_FLAGS_INTEL,
	    sizeof(flags), &flags, NULL);
	printf("%s: %d %d %d %d %d, type 0x%x, base %s, size %zu, device %s,"
	    " flags 0x%llx\n", name, code[0], code[1], code[2], code[3],
	    code[4], type, start == base ? "right" : "wrong", size,
	    d == NULL ? "none" : d == device ? "right" : "wrong",
	    (unsigned long long)flags);
}

static void
told(void)
{
	const cl_mem_properties_intel list[] = { CL_MEM_ALLOC_FLAGS_INTEL,
		CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0 };
	char *h = get(CL_MEM_TYPE_HOST_INTEL, 100);
	char *d = get(CL_MEM_TYPE_DEVICE_INTEL, 200);
	char *s = get(CL_MEM_TYPE_SHARED_INTEL, 300), *t;
	cl_int e;

	tell("host allocation", h, h);
	tell("device allocation", d + 199, d);
	tell("shared allocation", s + 150, s);
	tell("no allocation", &e, NULL);
	tell("null", NULL, NULL);
	t = shared_alloc(context, NULL, list, 4096, 64, &e);
	must(e, "clSharedMemAllocINTEL");
	tell("shared allocation of no device", t, t);
	printf("aligned: %d\n", (uintptr_t)t % 64 == 0);
	must(mem_free(context, t), "clMemFreeINTEL");
	must(mem_free(context, h), "clMemFreeINTEL");
	must(mem_free(context, d), "clMemFreeINTEL");
	must(mem_free(context, s), "clMemFreeINTEL");
}

/* ---- start ------------------------------------------------------------- */

static int
device_has(const char *extension)
{
	char text[8192] = "";

	return clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof(text),
	    text, NULL) == CL_SUCCESS && strstr(text, extension) != NULL;
}

static void
find(cl_platform_id platform, const char *name, void *to)
{
	void *p = clGetExtensionFunctionAddressForPlatform(platform, name);

	must(p != NULL ? CL_SUCCESS : CL_INVALID_VALUE, name);
	memcpy(to, &p, sizeof(p));
}

static void
find_all(cl_platform_id p)
{
	find(p, "clHostMemAllocINTEL", &host_alloc);
	find(p, "clDeviceMemAllocINTEL", &device_alloc);
	find(p, "clSharedMemAllocINTEL", &shared_alloc);
	find(p, "clMemFreeINTEL", &mem_free);
	find(p, "clMemBlockingFreeINTEL", &mem_blocking_free);
	find(p, "clGetMemAllocInfoINTEL", &mem_info);
	find(p, "clSetKernelArgMemPointerINTEL", &set_pointer);
	find(p, "clEnqueueMemFillINTEL", &mem_fill);
	find(p, "clEnqueueMemcpyINTEL", &mem_copy);
	find(p, "clEnqueueMigrateMemINTEL", &mem_migrate);
	find(p, "clEnqueueMemAdviseINTEL", &mem_advise);
}

int
main(int argc, char **argv)
{
	cl_platform_id platform;
	cl_int e;

	must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
	    "clGetDeviceIDs");
	if (!device_has("cl_intel_unified_shared_memory")) {
		printf("no unified shared memory\n");
		return 0;
	}
	find_all(platform);
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
	must(e, "clCreateContext");
	queue = clCreateCommandQueueWithProperties(context, device, NULL, &e);
	must(e, "clCreateCommandQueueWithProperties");
	(void)argv;
	if (argc > 1) {
		usm_with_buffers();
		return 0;
	}
	told();
	copies(CL_MEM_TYPE_DEVICE_INTEL, "device");
	copies(CL_MEM_TYPE_HOST_INTEL, "host");
	copies(CL_MEM_TYPE_SHARED_INTEL, "shared");
	chain();
	usm_coherence();
	usm_codes();
	must(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
	must(clReleaseContext(context), "clReleaseContext");
	return 0;
}
