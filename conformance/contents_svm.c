/* SPDX-License-Identifier: ISC */
#include "conformance/contents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define SIZE 150000
#define SMALL 40

static uint8_t *svm;
static uint8_t *mine;

static void
map(cl_map_flags flags, void *p, size_t n)
{
	must(clEnqueueSVMMap(queue, CL_TRUE, flags, p, n, 0, NULL, NULL),
	    "clEnqueueSVMMap");
}

static void
unmap(void *p)
{
	must(clEnqueueSVMUnmap(queue, p, 0, NULL, NULL),
	    "clEnqueueSVMUnmap");
}

static void
show(const char *what)
{
	map(CL_MAP_READ, svm, SIZE);
	line(what, svm, SIZE);
	unmap(svm);
}

static void
copy(void *to, const void *from, size_t n)
{
	must(clEnqueueSVMMemcpy(queue, CL_TRUE, to, from, n, 0, NULL, NULL),
	    "clEnqueueSVMMemcpy");
}

/* Between SVM and the program's memory, in all directions. */
static void
copies(void)
{
	scribble(mine, SIZE);
	copy(svm, mine, SIZE);
	show("SVM from memory");
	copy(svm + 80000, svm + 1000, 70000);
	show("SVM from SVM");
	copy(mine, svm + 7, SIZE - 7);
	line("memory from SVM", mine, SIZE);
	copy(mine, mine + SIZE / 2, SIZE / 2);
	line("memory from memory", mine, SIZE);
}

/* Without waiting, in order behind an event that the program sets. */
static void
held_back(void)
{
	cl_int e;
	cl_event start = clCreateUserEvent(context, &e), end;

	must(e, "clCreateUserEvent");
	must(clEnqueueSVMMemcpy(queue, CL_FALSE, mine, mine + 1000, 900, 1,
	    &start, &end), "clEnqueueSVMMemcpy");
	scribble(mine + 1000, 900);
	must(clSetUserEventStatus(start, CL_COMPLETE),
	    "clSetUserEventStatus");
	must(clWaitForEvents(1, &end), "clWaitForEvents");
	line("memory from memory, later", mine, 2000);
	must(clReleaseEvent(start), "clReleaseEvent");
	must(clReleaseEvent(end), "clReleaseEvent");
}

static const char source[] =
    "struct node { global struct node *next; uint value; };\n"
    "kernel void follow(global struct node *n, global uint *sum)\n"
    "{ for (; n; n = n->next) *sum += n->value++; }\n";

struct node {
	struct node *next;
	cl_uint value;
};

/* A list whose nodes are many small allocations, followed by a kernel. */
static void
list(void)
{
	const char *text = source;
	struct node *node[SMALL], *before = NULL;
	const size_t one = 1;
	cl_program program;
	cl_kernel kernel;
	cl_int e;
	int i;

	program = clCreateProgramWithSource(context, 1, &text, NULL, &e);
	must(e, "clCreateProgramWithSource");
	must(clBuildProgram(program, 1, &device, "-cl-std=CL2.0", NULL, NULL),
	    "clBuildProgram");
	kernel = clCreateKernel(program, "follow", &e);
	must(e, "clCreateKernel");
	for (i = 0; i < SMALL; i++) {
		node[i] = clSVMAlloc(context, CL_MEM_READ_WRITE,
		    sizeof(*node[i]), 0);
		must(node[i] != NULL ? CL_SUCCESS : CL_OUT_OF_RESOURCES,
		    "clSVMAlloc");
		map(CL_MAP_WRITE, node[i], sizeof(*node[i]));
		node[i]->next = before;
		node[i]->value = (cl_uint)pick(1000);
		unmap(before = node[i]);
	}
	map(CL_MAP_WRITE_INVALIDATE_REGION, svm, sizeof(cl_uint));
	memset(svm, 0, sizeof(cl_uint));
	unmap(svm);
	must(clSetKernelArgSVMPointer(kernel, 0, before),
	    "clSetKernelArgSVMPointer");
	must(clSetKernelArgSVMPointer(kernel, 1, svm),
	    "clSetKernelArgSVMPointer");
	must(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS,
	    sizeof(node), node), "clSetKernelExecInfo");
	must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0,
	    NULL, NULL), "clEnqueueNDRangeKernel");
	show("the sum of a list in SVM");
	for (i = 0; i < SMALL; i++) {
		map(CL_MAP_READ, node[i], sizeof(*node[i]));
		printf("node: %u\n", node[i]->value);
		unmap(node[i]);
	}
	must(clEnqueueSVMFree(queue, SMALL, (void **)node, NULL, NULL, 0, NULL,
	    NULL), "clEnqueueSVMFree");
	must(clFinish(queue), "clFinish");
	must(clReleaseKernel(kernel), "clReleaseKernel");
	must(clReleaseProgram(program), "clReleaseProgram");
}

/*
 * Addresses that were SVM are the program's own now; the next SVM has to be
 * elsewhere, and what is there stays.
 */
static void
addresses_taken(void)
{
	uint8_t *p = clSVMAlloc(context, CL_MEM_READ_WRITE, SMALL, 0), *own;
	const uintptr_t page = 4096;
	void *at = p - (uintptr_t)p % page;

	must(p != NULL ? CL_SUCCESS : CL_OUT_OF_RESOURCES, "clSVMAlloc");
	clSVMFree(context, p);
	/* Natively it is the vendor's memory for ever, and this fails. */
	own = mmap(at, page, PROT_READ | PROT_WRITE, MAP_PRIVATE |
	    MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (own != MAP_FAILED)
		memset(own, 'x', page);
	p = clSVMAlloc(context, CL_MEM_READ_WRITE, SMALL, 0);
	must(p != NULL ? CL_SUCCESS : CL_OUT_OF_RESOURCES, "clSVMAlloc");
	scribble(mine, SMALL);
	copy(p, mine, SMALL);
	map(CL_MAP_READ, p, SMALL);
	line("SVM beside memory of ours", p, SMALL);
	unmap(p);
	if (own != MAP_FAILED && (own[0] != 'x' || own[page - 1] != 'x'))
		printf("memory of ours was changed\n");
	clSVMFree(context, p);
	if (own != MAP_FAILED)
		munmap(own, page);
}

/* A buffer over SVM is that memory. */
static void
buffer(void)
{
	cl_bool uses;
	cl_int e;
	cl_mem b = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, SIZE, svm, &e);
	void *p;

	must(e, "clCreateBuffer");
	must(clGetMemObjectInfo(b, CL_MEM_USES_SVM_POINTER, sizeof(uses),
	    &uses, NULL), "CL_MEM_USES_SVM_POINTER");
	scribble(mine, 3000);
	must(clEnqueueWriteBuffer(queue, b, CL_TRUE, 500, 3000, mine, 0, NULL,
	    NULL), "clEnqueueWriteBuffer");
	show("SVM under a buffer");
	p = clEnqueueMapBuffer(queue, b, CL_TRUE, CL_MAP_READ, 10, 5000, 0,
	    NULL, NULL, &e);
	must(e, "clEnqueueMapBuffer");
	line("a buffer over SVM", p, 5000);
	printf("uses SVM: %u, maps to it: %d\n", uses,
	    p == (void *)(svm + 10));
	must(clEnqueueUnmapMemObject(queue, b, p, 0, NULL, NULL),
	    "clEnqueueUnmapMemObject");
	must(clReleaseMemObject(b), "clReleaseMemObject");
}

void
contents_of_svm(void)
{
	const cl_ushort pattern = 0xbeef;
	cl_device_svm_capabilities has = 0;

	if (clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(has),
	    &has, NULL) != CL_SUCCESS || has == 0) {
		printf("no SVM\n");
		return;
	}
	mine = get(SIZE);
	svm = clSVMAlloc(context, CL_MEM_READ_WRITE, SIZE, 0);
	must(svm != NULL ? CL_SUCCESS : CL_OUT_OF_RESOURCES, "clSVMAlloc");
	map(CL_MAP_WRITE_INVALIDATE_REGION, svm, SIZE);
	scribble(svm, SIZE);
	unmap(svm);
	show("SVM");
	must(clEnqueueSVMMemFill(queue, svm + 64, &pattern, sizeof(pattern),
	    100000, 0, NULL, NULL), "clEnqueueSVMMemFill");
	show("SVM with a pattern");
	copies();
	held_back();
	list();
	buffer();
	addresses_taken();
	clSVMFree(context, svm);
	free(mine);
}
