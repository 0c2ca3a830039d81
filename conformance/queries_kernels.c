/* SPDX-License-Identifier: ISC */
#include "conformance/queries.h"

#include <CL/cl_ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A kernel that stores two specialization constants, number 7, a uint of 41,
 * and number 300, a ulong of 1000, as SPIR-V 1.0:
 *
 *	kernel void told(global uint *out)
 *	{ out[0] = small; out[1] = (uint)large; }
 */
static const cl_uint il[] = {
	0x07230203, 0x00010000, 0x00070000, 0x0000000e, 0x00000000,
	0x00020011, 0x00000004, 0x00020011, 0x00000005, 0x00020011,
	0x00000006, 0x00020011, 0x0000000b, 0x0003000e, 0x00000002,
	0x00000002, 0x0005000f, 0x00000006, 0x00000001, 0x646c6f74,
	0x00000000, 0x00040047, 0x00000002, 0x00000001, 0x00000007,
	0x00040047, 0x00000003, 0x00000001, 0x0000012c, 0x00020013,
	0x00000004, 0x00040015, 0x00000005, 0x00000020, 0x00000000,
	0x00040015, 0x00000006, 0x00000040, 0x00000000, 0x00040020,
	0x00000007, 0x00000005, 0x00000005, 0x00040021, 0x00000008,
	0x00000004, 0x00000007, 0x00040032, 0x00000005, 0x00000002,
	0x00000029, 0x00050032, 0x00000006, 0x00000003, 0x000003e8,
	0x00000000, 0x0004002b, 0x00000005, 0x00000009, 0x00000001,
	0x00050036, 0x00000004, 0x00000001, 0x00000000, 0x00000008,
	0x00030037, 0x00000007, 0x0000000a, 0x000200f8, 0x0000000b,
	0x0005003e, 0x0000000a, 0x00000002, 0x00000002, 0x00000004,
	0x00040071, 0x00000005, 0x0000000c, 0x00000003, 0x00050046,
	0x00000007, 0x0000000d, 0x0000000a, 0x00000009, 0x0005003e,
	0x0000000d, 0x0000000c, 0x00000002, 0x00000004, 0x000100fd,
	0x00010038,
};

static const char source[] =
    "kernel void told(global uint *out) { out[get_global_id(0)] = 1; }\n"
    "kernel __attribute__((reqd_work_group_size(8, 2, 1)))\n"
    "void fixed(global uint *out) { out[get_global_id(0)] = 2; }\n";

static const char source_sub_groups[] =
    "kernel __attribute__((intel_reqd_sub_group_size(16)))\n"
    "void told(global uint *out)\n"
    "{ out[get_global_id(0)] = get_sub_group_size(); }\n";

static cl_context context;
static cl_device_id device;

static cl_kernel
kernel_of(cl_program p, const char *name, const char *options)
{
	cl_kernel k;
	cl_int e;

	must(clBuildProgram(p, 1, &device, options, NULL, NULL),
	    "clBuildProgram");
	k = clCreateKernel(p, name, &e);
	must(e, "clCreateKernel");
	return k;
}

/* ---- specialization constants ------------------------------------------ */

static void
run(const char *what, cl_kernel k)
{
	cl_uint out[2] = { 0, 0 };
	const size_t one = 1;
	cl_command_queue queue;
	cl_mem b;
	cl_int e;

	queue = clCreateCommandQueueWithProperties(context, device, NULL, &e);
	must(e, "clCreateCommandQueueWithProperties");
	b = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(out), NULL, &e);
	must(e, "clCreateBuffer");
	must(clSetKernelArg(k, 0, sizeof(b), &b), "clSetKernelArg");
	must(clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL,
	    NULL), "clEnqueueNDRangeKernel");
	must(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof(out), out, 0,
	    NULL, NULL), "clEnqueueReadBuffer");
	printf("%s: %u %u\n", what, out[0], out[1]);
	must(clReleaseMemObject(b), "clReleaseMemObject");
	must(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
}

static void
show_il(cl_program p)
{
	char back[sizeof(il)];
	size_t n = 0;
	cl_int code = clGetProgramInfo(p, CL_PROGRAM_IL, sizeof(back), back,
	    &n);

	printf("intermediate language: %d, %zu bytes, %s\n", code, n,
	    n == sizeof(il) && memcmp(back, il, n) == 0 ? "the same" :
	    "others");
}

static void
constants(cl_program p)
{
	const cl_uint small = 77;
	const cl_ulong large = 123456789;
	cl_kernel k = kernel_of(p, "told", "");

	show_il(p);
	run("constants as they are", k);
	must(clReleaseKernel(k), "clReleaseKernel");
	printf("a constant of its size: %d\n",
	    clSetProgramSpecializationConstant(p, 7, sizeof(small), &small));
	printf("a constant of 8 bytes: %d\n",
	    clSetProgramSpecializationConstant(p, 300, sizeof(large),
	    &large));
	printf("no value: %d\n",
	    clSetProgramSpecializationConstant(p, 7, sizeof(small), NULL));
	k = kernel_of(p, "told", "");
	run("constants as set", k);
	must(clReleaseKernel(k), "clReleaseKernel");
}

/* The core function and the extension's. */
static void
intermediate(cl_platform_id platform)
{
	clCreateProgramWithILKHR_fn create;
	char versions[256] = "";
	cl_program p;
	cl_int e;

	if (clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof(versions),
	    versions, NULL) != CL_SUCCESS || versions[0] == '\0') {
		printf("no intermediate language\n");
		return;
	}
	p = clCreateProgramWithIL(context, il, sizeof(il), &e);
	must(e, "clCreateProgramWithIL");
	constants(p);
	must(clReleaseProgram(p), "clReleaseProgram");
	*(void **)&create = clGetExtensionFunctionAddressForPlatform(platform,
	    "clCreateProgramWithILKHR");
	if (create == NULL) {
		printf("no clCreateProgramWithILKHR\n");
		return;
	}
	p = create(context, il, sizeof(il), &e);
	must(e, "clCreateProgramWithILKHR");
	constants(p);
	must(clReleaseProgram(p), "clReleaseProgram");
}

/* ---- kernels ----------------------------------------------------------- */

static void
sweep_kernel(const char *who, cl_kernel k)
{
	unsigned char value[256];
	unsigned param;
	cl_int code;
	size_t n;

	for (param = 0; param < 0x10000; param++) {
		n = 0;
		code = clGetKernelWorkGroupInfo(k, device, param,
		    sizeof(value), value, &n);
		if (code == CL_SUCCESS)
			print_value(who, param, value, n);
		else if (code != CL_INVALID_VALUE)
			printf("%s 0x%04x error %d\n", who, param, code);
	}
}

typedef cl_int sub_group_function(cl_kernel, cl_device_id, cl_uint, size_t,
    const void *, size_t, void *, size_t *);

static void
sub_groups(const char *who, cl_kernel k, sub_group_function *ask)
{
	static const size_t inputs[][3] = { { 1, 1, 1 }, { 16, 1, 1 },
		{ 17, 3, 2 }, { 256, 1, 1 }, { 4, 0, 0 }, { 100, 0, 0 } };
	static const cl_uint params[] = {
		CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
		CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
		CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
		CL_KERNEL_MAX_NUM_SUB_GROUPS,
		CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0x410A, 0x4109 };
	size_t value[3], i, j, n;
	cl_int code;

	for (i = 0; i < sizeof(params) / sizeof(params[0]); i++)
		for (j = 0; j < sizeof(inputs) / sizeof(inputs[0]); j++) {
			/* It takes one size. */
			if (params[i] ==
			    CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT &&
			    inputs[j][1] != 0)
				continue;
			memset(value, 0, sizeof(value));
			n = 0;
			code = ask(k, device, params[i], inputs[j][1] == 0 ?
			    sizeof(size_t) : sizeof(inputs[j]), inputs[j],
			    sizeof(value), value, &n);
			printf("%s 0x%x of %zu %zu %zu: %d, %zu bytes, %zu"
			    " %zu %zu\n", who, params[i], inputs[j][0],
			    inputs[j][1], inputs[j][2], code, n, value[0],
			    value[1], value[2]);
		}
}

static int
device_has(const char *extension)
{
	char text[8192] = "";

	return clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof(text),
	    text, NULL) == CL_SUCCESS && strstr(text, extension) != NULL;
}

static void
kernels(cl_platform_id platform)
{
	const char *text = source;
	sub_group_function *ask;
	cl_program p;
	cl_kernel k;
	cl_int e;

	p = clCreateProgramWithSource(context, 1, &text, NULL, &e);
	must(e, "clCreateProgramWithSource");
	k = kernel_of(p, "told", "");
	sweep_kernel("kernel", k);
	sub_groups("kernel", k, clGetKernelSubGroupInfo);
	must(clReleaseKernel(k), "clReleaseKernel");
	k = clCreateKernel(p, "fixed", &e);
	must(e, "clCreateKernel");
	sweep_kernel("kernel of fixed size", k);
	sub_groups("kernel of fixed size", k, clGetKernelSubGroupInfo);
	must(clReleaseKernel(k), "clReleaseKernel");
	must(clReleaseProgram(p), "clReleaseProgram");
	if (!device_has("cl_intel_required_subgroup_size"))
		return;
	*(void **)&ask = clGetExtensionFunctionAddressForPlatform(platform,
	    "clGetKernelSubGroupInfoKHR");
	text = source_sub_groups;
	p = clCreateProgramWithSource(context, 1, &text, NULL, &e);
	must(e, "clCreateProgramWithSource");
	k = kernel_of(p, "told", "-cl-std=CL3.0");
	sweep_kernel("kernel of sub-groups of 16", k);
	if (ask != NULL)
		sub_groups("kernel of sub-groups of 16", k, ask);
	must(clReleaseKernel(k), "clReleaseKernel");
	must(clReleaseProgram(p), "clReleaseProgram");
}

/* ---- built-in kernels --------------------------------------------------- */

static void
built_in(void)
{
	char names[8192] = "";
	cl_program p;
	cl_int e;

	if (clGetDeviceInfo(device, CL_DEVICE_BUILT_IN_KERNELS, sizeof(names),
	    names, NULL) == CL_SUCCESS && names[0] != '\0') {
		p = clCreateProgramWithBuiltInKernels(context, 1, &device,
		    names, &e);
		printf("built-in kernels %s: %d\n", names, e);
		if (e == CL_SUCCESS)
			must(clReleaseProgram(p), "clReleaseProgram");
	}
}

void
queries_of_kernels(cl_platform_id platform, cl_device_id d)
{
	cl_int e;

	device = d;
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
	must(e, "clCreateContext");
	intermediate(platform);
	kernels(platform);
	built_in();
	must(clReleaseContext(context), "clReleaseContext");
}
