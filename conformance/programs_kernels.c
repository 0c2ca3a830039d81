/* SPDX-License-Identifier: ISC */
#include "conformance/programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is known of kernels ------------------------------------------ */

static const char kinds[] =
    "typedef struct { int a; char b; } S;\n"
    "typedef global float *G;\n"
    "kernel void kinds(global int *r, global const float *restrict in,"
    " constant int *c, local float4 *l, S s, int n, float4 v, char3 c3,"
    " ulong u, const uint w, G g, volatile global int *q) { *r = n; }\n"
    "kernel void images(read_only image2d_t in, write_only image3d_t out,"
    " sampler_t s) { }\n"
    "kernel __attribute__((reqd_work_group_size(4, 2, 1)))"
    " void sized(global int *r) { *r = 1; }\n"
    "kernel void locals(global int *r) { local int l[10];"
    " l[get_local_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); *r = l[0]; }\n"
    "kernel void none(void) { }\n";

static void
show_arg(cl_kernel k, cl_uint i)
{
	cl_kernel_arg_address_qualifier address = 0;
	cl_kernel_arg_access_qualifier access = 0;
	cl_kernel_arg_type_qualifier qualifier = 0;
	char type[64] = "", name[64] = "";
	cl_int e = clGetKernelArgInfo(k, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
	    sizeof(address), &address, NULL);

	clGetKernelArgInfo(k, i, CL_KERNEL_ARG_ACCESS_QUALIFIER,
	    sizeof(access), &access, NULL);
	clGetKernelArgInfo(k, i, CL_KERNEL_ARG_TYPE_QUALIFIER,
	    sizeof(qualifier), &qualifier, NULL);
	clGetKernelArgInfo(k, i, CL_KERNEL_ARG_TYPE_NAME, sizeof(type), type,
	    NULL);
	clGetKernelArgInfo(k, i, CL_KERNEL_ARG_NAME, sizeof(name), name,
	    NULL);
	printf("  %u: %d, address %x, access %x, qualifier %x, %s %s\n", i, e,
	    address, access, (unsigned)qualifier, type, name);
}

static void
show_work(cl_kernel k)
{
	size_t size = 0, compile[3] = { 0 }, multiple = 0;
	cl_ulong local = 0;

	must(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_WORK_GROUP_SIZE,
	    sizeof(size), &size, NULL), "CL_KERNEL_WORK_GROUP_SIZE");
	must(clGetKernelWorkGroupInfo(k, device,
	    CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof(compile), compile,
	    NULL), "CL_KERNEL_COMPILE_WORK_GROUP_SIZE");
	must(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_LOCAL_MEM_SIZE,
	    sizeof(local), &local, NULL), "CL_KERNEL_LOCAL_MEM_SIZE");
	must(clGetKernelWorkGroupInfo(k, device,
	    CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof(multiple),
	    &multiple, NULL), "CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE");
	printf("  work-group %zu, compiled for %zu %zu %zu, local %llu,"
	    " multiple %zu\n", size, compile[0], compile[1], compile[2],
	    (unsigned long long)local, multiple);
}

static void
show_kernel(cl_kernel k)
{
	char name[64] = "", attributes[256] = "";
	cl_uint args = 0, i;

	must(clGetKernelInfo(k, CL_KERNEL_FUNCTION_NAME, sizeof(name), name,
	    NULL), "CL_KERNEL_FUNCTION_NAME");
	must(clGetKernelInfo(k, CL_KERNEL_ATTRIBUTES, sizeof(attributes),
	    attributes, NULL), "CL_KERNEL_ATTRIBUTES");
	must(clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, sizeof(args), &args,
	    NULL), "CL_KERNEL_NUM_ARGS");
	printf("kernel %s, %u arguments, \"%s\"\n", name, args, attributes);
	for (i = 0; i < args; i++)
		show_arg(k, i);
	show_work(k);
}

static void
show_kernels(const char *options)
{
	cl_program p = build_of(kinds, options);
	cl_kernel k[8];
	cl_uint n = 0, i;

	printf("kernels with options \"%s\"\n", options);
	must(clCreateKernelsInProgram(p, 8, k, &n),
	    "clCreateKernelsInProgram");
	for (i = 0; i < n; i++) {
		show_kernel(k[i]);
		clReleaseKernel(k[i]);
	}
	clReleaseProgram(p);
}

void
programs_kernels(void)
{
	show_kernels("-cl-kernel-arg-info");
	show_kernels("");
}

/* ---- arguments --------------------------------------------------------- */

static const char sums[] =
    "typedef struct { int a; int b; } Pair;\n"
    "typedef struct { char c[37]; } Odd;\n"
    "kernel void pair(global int *r, Pair p) { *r = p.a * 1000 + p.b; }\n"
    "kernel void odd(global int *r, Odd o) { *r = o.c[0] + o.c[36]; }\n"
    "kernel void vectors(global int *r, int4 v, char3 c, double2 d) {"
    " *r = v.x + v.w + c.z + (int)d.y; }\n"
    "kernel void null(global int *r, global int *p, constant int *q) {"
    " *r = (p == 0) * 10 + (q == 0); }\n"
    "kernel void local_sum(global int *r, local int *l) {"
    " l[0] = 7; l[15] = 8; *r = l[0] + l[15]; }\n"
    "kernel void add(global int *r, int n) { *r = n; }\n"
    "kernel void append(global int *r, int i, int v) { r[i] = v; }\n";

static void
set(cl_kernel k, cl_uint i, size_t n, const void *v)
{
	must(clSetKernelArg(k, i, n, v), "clSetKernelArg");
}

static void
values(cl_program p)
{
	const int pair[2] = { 3, 7 }, v[4] = { 1, 2, 3, 4 };
	const double d[2] = { 0.5, 9.5 };
	const char c[4] = { 1, 2, 5, 0 };
	char odd[37] = { 0 };
	const cl_mem nothing = NULL;
	cl_kernel k = kernel_of(p, "pair");

	set(k, 1, sizeof(pair), pair);
	show_int("a struct as large as a handle", k);
	clReleaseKernel(k);
	k = kernel_of(p, "odd");
	odd[0] = 11;
	odd[36] = 22;
	set(k, 1, sizeof(odd), odd);
	show_int("a struct of 37 bytes", k);
	clReleaseKernel(k);
	k = kernel_of(p, "vectors");
	set(k, 1, sizeof(v), v);
	set(k, 2, sizeof(c), c);
	set(k, 3, sizeof(d), d);
	show_int("vectors", k);
	clReleaseKernel(k);
	k = kernel_of(p, "null");
	set(k, 1, sizeof(nothing), &nothing);
	set(k, 2, sizeof(cl_mem), NULL);
	show_int("null buffers", k);
	clReleaseKernel(k);
	k = kernel_of(p, "local_sum");
	set(k, 1, 64, NULL);
	show_int("local memory", k);
	clReleaseKernel(k);
}

/* Each launch has the values that were set when it was enqueued. */
static void
snapshots(cl_program p)
{
	const size_t one = 1;
	cl_kernel k = kernel_of(p, "append");
	cl_int e, i, v, sum = 0, out[100];
	cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(out),
	    NULL, &e);

	must(e, "clCreateBuffer");
	set(k, 0, sizeof(b), &b);
	for (i = 0; i < 100; i++) {
		v = i * i;
		set(k, 1, sizeof(i), &i);
		/* Every second launch keeps the value before. */
		if (i % 2 == 0)
			set(k, 2, sizeof(v), &v);
		must(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0,
		    NULL, NULL), "clEnqueueNDRangeKernel");
	}
	/* The kernel and the host's own name of the buffer may go early. */
	clReleaseKernel(k);
	must(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof(out), out, 0,
	    NULL, NULL), "clEnqueueReadBuffer");
	for (i = 0; i < 100; i++)
		sum += out[i] * (i + 1);
	printf("values at the enqueue: %d\n", sum);
	clReleaseMemObject(b);
}

static void
clones(cl_program p)
{
	cl_kernel k = kernel_of(p, "add"), clone;
	const size_t one = 1;
	cl_int e, n = 5;

	set(k, 1, sizeof(n), &n);
	clone = clCloneKernel(k, &e);
	must(e, "clCloneKernel");
	n = 6;
	set(k, 1, sizeof(n), &n);
	show_int("the clone's value", clone);
	show_int("the original's value", k);
	clReleaseKernel(clone);
	clReleaseKernel(k);
	k = kernel_of(p, "add");
	clone = clCloneKernel(k, &e);
	must(e, "clCloneKernel");
	printf("a clone without values: %d\n", clEnqueueNDRangeKernel(queue,
	    clone, 1, NULL, &one, NULL, 0, NULL, NULL));
	clReleaseKernel(clone);
	clReleaseKernel(k);
}

void
programs_arguments(void)
{
	cl_program p = build_of(sums, "");

	values(p);
	snapshots(p);
	clones(p);
	clReleaseProgram(p);
}
