/* SPDX-License-Identifier: ISC */
/*
 * builds FILE OPTIONS - all that a program can see of a build: its log, kernels
 * and their arguments, what its kernel "value" writes, whether there are
 * binaries, and that they make the same program.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call) check(call, #call)

static cl_device_id device;
static cl_context context;

static void
check(cl_int code, const char *call)
{
	if (code == CL_SUCCESS)
		return;
	fprintf(stderr, "%s: %d\n", call, code);
	exit(1);
}

static char *
read_file(const char *name, size_t *n)
{
	static char text[1 << 16];
	FILE *f = fopen(name, "r");

	if (f == NULL) {
		perror(name);
		exit(1);
	}
	*n = fread(text, 1, sizeof(text), f);
	fclose(f);
	return text;
}

static void
print_build(cl_program p)
{
	char text[4096] = "";
	cl_build_status status;
	cl_program_binary_type type;

	CHECK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_STATUS,
	    sizeof(status), &status, NULL));
	CHECK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BINARY_TYPE,
	    sizeof(type), &type, NULL));
	printf("status %d type %u\n", status, type);
	CHECK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_OPTIONS,
	    sizeof(text), text, NULL));
	printf("options %s\n", text);
	CHECK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG,
	    sizeof(text), text, NULL));
	printf("log %s\n", text);
	CHECK(clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, sizeof(text), text,
	    NULL));
	printf("kernels %s\n", text);
}

static void
print_source(cl_program p)
{
	static char text[1 << 16];
	size_t n;

	CHECK(clGetProgramInfo(p, CL_PROGRAM_SOURCE, sizeof(text), text, &n));
	printf("source of %zu bytes: %s\n", n, text);
}

static void
print_arguments(cl_kernel k)
{
	char type[256], name[256];
	cl_uint n, i;
	cl_int code;

	CHECK(clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, sizeof(n), &n, NULL));
	for (i = 0; i < n; i++) {
		code = clGetKernelArgInfo(k, i, CL_KERNEL_ARG_TYPE_NAME,
		    sizeof(type), type, NULL);
		if (code == CL_SUCCESS)
			code = clGetKernelArgInfo(k, i, CL_KERNEL_ARG_NAME,
			    sizeof(name), name, NULL);
		if (code == CL_SUCCESS)
			printf("argument %s %s\n", type, name);
		else
			printf("argument: %d\n", code);
	}
}

static void
print_work(cl_kernel k)
{
	size_t max, compiled[3];
	cl_ulong local;

	CHECK(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_WORK_GROUP_SIZE,
	    sizeof(max), &max, NULL));
	CHECK(clGetKernelWorkGroupInfo(k, device,
	    CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof(compiled), compiled,
	    NULL));
	CHECK(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_LOCAL_MEM_SIZE,
	    sizeof(local), &local, NULL));
	printf("work %zu %zu,%zu,%zu local %llu\n", max, compiled[0],
	    compiled[1], compiled[2], (unsigned long long)local);
}

static void
run(cl_program p)
{
	const size_t one = 1;
	cl_command_queue q;
	cl_kernel k;
	cl_mem m;
	cl_int code, value = 0;

	k = clCreateKernel(p, "value", &code);
	CHECK(code);
	print_arguments(k);
	print_work(k);
	q = clCreateCommandQueue(context, device, 0, &code);
	CHECK(code);
	m = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(value), NULL,
	    &code);
	CHECK(code);
	CHECK(clSetKernelArg(k, 0, sizeof(m), &m));
	CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &one, NULL, 0, NULL,
	    NULL));
	CHECK(clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof(value), &value, 0,
	    NULL, NULL));
	printf("value %d\n", value);
	CHECK(clReleaseMemObject(m));
	CHECK(clReleaseKernel(k));
	CHECK(clReleaseCommandQueue(q));
}

/* The binary of a program makes another one that does the same. */
static void
run_binary(cl_program p)
{
	unsigned char *binary;
	const unsigned char *given;
	cl_program again;
	cl_int code;
	size_t n;

	CHECK(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof(n), &n,
	    NULL));
	if (n == 0 || (binary = malloc(n)) == NULL) {
		fprintf(stderr, "no binary\n");
		exit(1);
	}
	CHECK(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof(binary),
	    &binary, NULL));
	given = binary;
	again = clCreateProgramWithBinary(context, 1, &device, &n, &given,
	    NULL, &code);
	CHECK(code);
	CHECK(clBuildProgram(again, 1, &device, "", NULL, NULL));
	run(again);
	CHECK(clReleaseProgram(again));
	free(binary);
}

int
main(int argc, char **argv)
{
	cl_platform_id platform;
	const char *text;
	cl_program p;
	cl_int code;
	size_t n;

	if (argc != 3) {
		fprintf(stderr, "usage: builds file options\n");
		return 2;
	}
	CHECK(clGetPlatformIDs(1, &platform, NULL));
	CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
	context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
	CHECK(code);
	text = read_file(argv[1], &n);
	p = clCreateProgramWithSource(context, 1, &text, &n, &code);
	CHECK(code);
	CHECK(clBuildProgram(p, 1, &device, argv[2], NULL, NULL));
	print_build(p);
	print_source(p);
	run(p);
	run_binary(p);
	/* and another build of the same object */
	CHECK(clBuildProgram(p, 1, &device, "-I include -DOTHER", NULL,
	    NULL));
	print_build(p);
	run(p);
	return 0;
}
