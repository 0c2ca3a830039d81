/* SPDX-License-Identifier: ISC */
#include "conformance/usm.h"

#include <stdio.h>
#include <stdlib.h>

#define SIZE 4096

static void
say(const char *what, cl_int code)
{
	printf("%s: %d\n", what, code);
}

/* ---- allocating -------------------------------------------------------- */

static void
host(const char *what, cl_context c, const cl_mem_properties_intel *list,
    size_t size, cl_uint alignment)
{
	cl_int e = 1;
	void *p = host_alloc(c, list, size, alignment, &e);

	printf("host allocation, %s: %d, %s\n", what, e,
	    p != NULL ? "memory" : "none");
	if (p != NULL)
		must(mem_free(c, p), "clMemFreeINTEL");
}

static void
of_device(const char *what, cl_context c, cl_device_id d,
    const cl_mem_properties_intel *list, size_t size, cl_uint alignment)
{
	cl_int e = 1;
	void *p = device_alloc(c, d, list, size, alignment, &e);

	printf("device allocation, %s: %d, %s\n", what, e,
	    p != NULL ? "memory" : "none");
	if (p != NULL)
		must(mem_free(c, p), "clMemFreeINTEL");
}

static void
shared(const char *what, cl_context c, cl_device_id d,
    const cl_mem_properties_intel *list, size_t size, cl_uint alignment)
{
	cl_int e = 1;
	void *p = shared_alloc(c, d, list, size, alignment, &e);

	printf("shared allocation, %s: %d, %s\n", what, e,
	    p != NULL ? "memory" : "none");
	if (p != NULL)
		must(mem_free(c, p), "clMemFreeINTEL");
}

static void
allocations(void)
{
	const cl_mem_properties_intel combined[] = { CL_MEM_ALLOC_FLAGS_INTEL,
		CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0 };
	const cl_mem_properties_intel placed[] = { CL_MEM_ALLOC_FLAGS_INTEL,
		CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, 0 };
	const cl_mem_properties_intel both[] = { CL_MEM_ALLOC_FLAGS_INTEL,
		CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL |
		CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0 };
	const cl_mem_properties_intel unknown[] = { 0x1234, 1, 0 };
	const cl_mem_properties_intel empty[] = { 0 };

	host("as it should be", context, empty, SIZE, 64);
	host("no context", NULL, NULL, SIZE, 0);
	host("no size", context, NULL, 0, 0);
	host("too large", context, NULL, (size_t)1 << 60, 0);
	host("an alignment of 3", context, NULL, SIZE, 3);
	host("an alignment of 128", context, NULL, SIZE, 128);
	host("write combined", context, combined, SIZE, 0);
	host("placed", context, placed, SIZE, 0);
	host("an unknown property", context, unknown, SIZE, 0);
	of_device("as it should be", context, device, NULL, SIZE, 16);
	of_device("no context", NULL, device, NULL, SIZE, 0);
	of_device("no device", context, NULL, NULL, SIZE, 0);
	of_device("no size", context, device, NULL, 0, 0);
	of_device("an alignment of 5", context, device, NULL, SIZE, 5);
	of_device("placed", context, device, placed, SIZE, 0);
	of_device("an unknown property", context, device, unknown, SIZE, 0);
	shared("as it should be", context, device, placed, SIZE, 8);
	shared("of no device", context, NULL, NULL, SIZE, 0);
	shared("no context", NULL, device, NULL, SIZE, 0);
	shared("no size", context, device, NULL, 0, 0);
	shared("an alignment of 6", context, device, NULL, SIZE, 6);
	shared("placed on both", context, device, both, SIZE, 0);
	shared("an unknown property", context, device, unknown, SIZE, 0);
}

static void
freeing(void)
{
	char *p = get(CL_MEM_TYPE_SHARED_INTEL, SIZE);
	int mine;

	say("free nothing", mem_free(context, NULL));
	say("free without a context", mem_free(NULL, p));
	say("free memory of the program", mem_free(context, &mine));
	say("free nothing, blocking", mem_blocking_free(context, NULL));
	say("free without a context, blocking", mem_blocking_free(NULL, p));
	say("free", mem_free(context, p));
}

/* ---- commands ---------------------------------------------------------- */

static void
copies(char *p, char *q)
{
	cl_event none = NULL;
	char mine[16] = "", other[16] = "";

	say("copy without a queue", mem_copy(NULL, CL_TRUE, p, q, 16, 0, NULL,
	    NULL));
	say("copy overlapping", mem_copy(queue, CL_TRUE, p + 8, p, 16, 0,
	    NULL, NULL));
	say("copy with events but no list", mem_copy(queue, CL_TRUE, p, q, 16,
	    1, NULL, NULL));
	say("copy with a list but no events", mem_copy(queue, CL_TRUE, p, q,
	    16, 0, &none, NULL));
	say("copy within the program's memory", mem_copy(queue, CL_TRUE, mine,
	    other, 16, 0, NULL, NULL));
}

static void
fills(char *p)
{
	const char pattern[256] = "";

	say("fill without a queue", mem_fill(NULL, p, pattern, 4, 16, 0, NULL,
	    NULL));
	say("fill nothing", mem_fill(queue, NULL, pattern, 4, 16, 0, NULL,
	    NULL));
	say("fill without a pattern", mem_fill(queue, p, NULL, 4, 16, 0, NULL,
	    NULL));
	say("fill with a pattern of no bytes", mem_fill(queue, p, pattern, 0,
	    16, 0, NULL, NULL));
	say("fill with a pattern of 3 bytes", mem_fill(queue, p, pattern, 3,
	    18, 0, NULL, NULL));
	say("fill with a pattern of 256 bytes", mem_fill(queue, p, pattern,
	    256, 256, 0, NULL, NULL));
	say("fill unaligned", mem_fill(queue, p + 2, pattern, 4, 16, 0, NULL,
	    NULL));
	say("fill of no whole patterns", mem_fill(queue, p, pattern, 4, 15, 0,
	    NULL, NULL));
	say("fill with 128 bytes", mem_fill(queue, p, pattern, 128, 256, 0,
	    NULL, NULL));
}

static void
command_type(const char *what, cl_int code, cl_event event)
{
	cl_command_type type = 0;

	must(code, what);
	must(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof(type), &type,
	    NULL), "clGetEventInfo");
	printf("%s: command 0x%x\n", what, type);
	must(clWaitForEvents(1, &event), "clWaitForEvents");
	must(clReleaseEvent(event), "clReleaseEvent");
}

static void
types(char *p, char *q)
{
	cl_event e;
	cl_int code;

	code = mem_copy(queue, CL_FALSE, p, q, 16, 0, NULL, &e);
	command_type("copy", code, e);
	code = mem_fill(queue, p, "x", 1, 16, 0, NULL, &e);
	command_type("fill", code, e);
	code = mem_migrate(queue, p, 16, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL,
	    &e);
	command_type("migrate", code, e);
	say("migrate without a queue", mem_migrate(NULL, p, 16,
	    CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
	say("migrate with unknown flags", mem_migrate(queue, p, 16, 1 << 9, 0,
	    NULL, NULL));
	say("advise without a queue", mem_advise(NULL, p, 16, 0, 0, NULL,
	    NULL));
}

/* ---- kernels and queries ------------------------------------------------ */

static void
kernels(char *p)
{
	const char *text = "kernel void k(global int *p, int n, local int *l)"
	    " { p[0] = n; }";
	const cl_bool yes = CL_TRUE;
	cl_program program;
	cl_kernel k;
	cl_int e;

	program = clCreateProgramWithSource(context, 1, &text, NULL, &e);
	must(e, "clCreateProgramWithSource");
	must(clBuildProgram(program, 1, &device, "", NULL, NULL),
	    "clBuildProgram");
	k = clCreateKernel(program, "k", &e);
	must(e, "clCreateKernel");
	say("argument", set_pointer(k, 0, p + 4));
	say("argument of nothing", set_pointer(k, 0, NULL));
	say("argument of no kernel", set_pointer(NULL, 0, p));
	say("argument of a wrong index", set_pointer(k, 3, p));
	say("indirect access", clSetKernelExecInfo(k,
	    CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, sizeof(yes),
	    &yes));
	say("indirect access without a value", clSetKernelExecInfo(k,
	    CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, sizeof(yes),
	    NULL));
	say("indirect access of a wrong size", clSetKernelExecInfo(k,
	    CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, 1, &yes));
	must(clReleaseKernel(k), "clReleaseKernel");
	must(clReleaseProgram(program), "clReleaseProgram");
}

static void
queries(const char *p)
{
	cl_uint type;
	size_t n = 0;

	say("query without a context", mem_info(NULL, p,
	    CL_MEM_ALLOC_TYPE_INTEL, sizeof(type), &type, NULL));
	say("query with too little room", mem_info(context, p,
	    CL_MEM_ALLOC_TYPE_INTEL, 1, &type, NULL));
	say("query of an unknown name", mem_info(context, p, 0x1111,
	    sizeof(type), &type, NULL));
	say("query of the size alone", mem_info(context, p,
	    CL_MEM_ALLOC_SIZE_INTEL, 0, NULL, &n));
	printf("size of a size: %zu\n", n);
}

/*
 * Device allocations as the program's side of buffer commands, which the
 * extension leaves open.
 */
void
usm_with_buffers(void)
{
	char *d = get(CL_MEM_TYPE_DEVICE_INTEL, SIZE);
	char *h = get(CL_MEM_TYPE_HOST_INTEL, SIZE);
	cl_mem b;
	cl_int e;

	b = clCreateBuffer(context, CL_MEM_READ_WRITE, SIZE, NULL, &e);
	must(e, "clCreateBuffer");
	say("write from a device allocation", clEnqueueWriteBuffer(queue, b,
	    CL_TRUE, 0, SIZE, d, 0, NULL, NULL));
	say("read to a device allocation", clEnqueueReadBuffer(queue, b,
	    CL_TRUE, 0, SIZE, d, 0, NULL, NULL));
	say("write from a host allocation", clEnqueueWriteBuffer(queue, b,
	    CL_TRUE, 0, SIZE, h, 0, NULL, NULL));
	say("read to a host allocation", clEnqueueReadBuffer(queue, b,
	    CL_TRUE, 0, SIZE, h, 0, NULL, NULL));
	must(clReleaseMemObject(b), "clReleaseMemObject");
	must(mem_free(context, d), "clMemFreeINTEL");
	must(mem_free(context, h), "clMemFreeINTEL");
}

void
usm_codes(void)
{
	char *p = get(CL_MEM_TYPE_SHARED_INTEL, SIZE);
	char *q = get(CL_MEM_TYPE_DEVICE_INTEL, SIZE);

	allocations();
	freeing();
	copies(p, q);
	fills(p);
	types(p, q);
	kernels(p);
	queries(p);
	must(mem_free(context, p), "clMemFreeINTEL");
	must(mem_free(context, q), "clMemFreeINTEL");
}
