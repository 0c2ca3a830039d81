/* SPDX-License-Identifier: ISC */
/*
 * mixed_programs - programs, kernels and command buffers of one context over all
 * devices, of several vendors: one line for each thing.
 */
#include "tests/regress/mixed_world.h"

#include <CL/cl_ext.h>
#include <stdio.h>
#include <stdlib.h>

static cl_mem sum;

/* ---- what the devices do in turn --------------------------------------- */

static void
set_sum(cl_int value)
{
	check("write", clEnqueueWriteBuffer(queue[0], sum, CL_TRUE, 0,
	    sizeof(value), &value, 0, NULL, NULL));
}

static cl_int
get_sum(void)
{
	cl_int value = 0;

	check("read", clEnqueueReadBuffer(queue[0], sum, CL_TRUE, 0,
	    sizeof(value), &value, 0, NULL, NULL));
	return value;
}

static void
launch(cl_command_queue q, cl_kernel k)
{
	const size_t one = 1;

	check("launch", clEnqueueNDRangeKernel(q, k, 1, NULL, &one, NULL, 0,
	    NULL, NULL));
	check("finish", clFinish(q));
}

/* Each device does sum += value. */
static bool
adds(cl_kernel k, cl_int value)
{
	cl_uint i;

	set_sum(1000);
	check("argument", clSetKernelArg(k, 0, sizeof(sum), &sum));
	check("argument", clSetKernelArg(k, 1, sizeof(value), &value));
	for (i = 0; i < n; i++)
		launch(queue[i], k);
	return get_sum() == 1000 + (cl_int)n * value;
}

static cl_kernel
kernel_of(cl_program p)
{
	cl_int code;
	cl_kernel k = clCreateKernel(p, "add", &code);

	check("kernel", code);
	return k;
}

static cl_program
program_of(const char *text)
{
	cl_int code;
	cl_program p = clCreateProgramWithSource(context, 1, &text, NULL,
	    &code);

	check("program", code);
	return p;
}

static const char adding[] =
    "kernel void add(global int *to, int n) { *to += n; }";

/* ---- origins ----------------------------------------------------------- */

static void
try_linking(void)
{
	const char *name[] = { "more.h" };
	cl_program parts[2], header, all;
	cl_kernel k;
	cl_int code;

	header = program_of("int more(int);");
	parts[0] = program_of("#include \"more.h\"\n"
	    "kernel void add(global int *to, int n) { *to += more(n); }");
	parts[1] = program_of("int more(int n) { return 2 * n; }");
	check("compile", clCompileProgram(parts[0], n, device, "", 1, &header,
	    name, NULL, NULL));
	check("compile", clCompileProgram(parts[1], n, device, "", 0, NULL,
	    NULL, NULL, NULL));
	all = clLinkProgram(context, n, device, "", 2, parts, NULL, NULL,
	    &code);
	check("link", code);
	k = kernel_of(all);
	/* Twice what adds gives it. */
	set_sum(0);
	tell("compiled and linked", !adds(k, 5) &&
	    get_sum() == 1000 + 2 * 5 * (cl_int)n);
	clReleaseKernel(k);
	clReleaseProgram(all);
	clReleaseProgram(parts[0]);
	clReleaseProgram(parts[1]);
	clReleaseProgram(header);
}

static void
try_binaries(void)
{
	cl_program p = program_of(adding), again;
	const unsigned char *from[DEVICES_MAX];
	unsigned char *binary[DEVICES_MAX];
	cl_int status[DEVICES_MAX], code;
	size_t size[DEVICES_MAX];
	cl_kernel k;
	cl_uint i;

	check("build", clBuildProgram(p, n, device, "", NULL, NULL));
	check("sizes", clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES,
	    n * sizeof(size[0]), size, NULL));
	for (i = 0; i < n; i++)
		from[i] = binary[i] = malloc(size[i] + 1);
	check("binaries", clGetProgramInfo(p, CL_PROGRAM_BINARIES,
	    n * sizeof(binary[0]), binary, NULL));
	again = clCreateProgramWithBinary(context, n, device, size, from,
	    status, &code);
	check("from binaries", code);
	check("build", clBuildProgram(again, n, device, "", NULL, NULL));
	k = kernel_of(again);
	tell("from binaries", adds(k, 7));
	for (i = 0; i < n; i++)
		free(binary[i]);
	clReleaseKernel(k);
	clReleaseProgram(again);
	clReleaseProgram(p);
}

/* ---- kernels ----------------------------------------------------------- */

static void
try_clone(void)
{
	cl_program p = program_of(adding);
	cl_kernel k, copy;
	cl_int code, value = 3;
	cl_uint i;

	check("build", clBuildProgram(p, n, device, "", NULL, NULL));
	k = kernel_of(p);
	check("argument", clSetKernelArg(k, 0, sizeof(sum), &sum));
	check("argument", clSetKernelArg(k, 1, sizeof(value), &value));
	copy = clCloneKernel(k, &code);
	check("clone", code);
	value = 100;
	check("argument", clSetKernelArg(k, 1, sizeof(value), &value));
	set_sum(0);
	for (i = 0; i < n; i++)
		launch(queue[i], i % 2 ? k : copy);
	tell("a clone's own arguments", get_sum() == (cl_int)(n / 2) * 100 +
	    (cl_int)(n - n / 2) * 3);
	clReleaseKernel(copy);
	clReleaseKernel(k);
	clReleaseProgram(p);
}

/* ---- command buffers --------------------------------------------------- */

static void *
function(const char *name)
{
	void *f = clGetExtensionFunctionAddressForPlatform(platform, name);

	if (f == NULL)
		printf("no %s\n", name);
	return f;
}

/* Add value twice on a device, by commands that were recorded. */
static cl_command_buffer_khr
record(cl_uint i, cl_kernel k)
{
	const size_t one = 1;
	clCreateCommandBufferKHR_fn create;
	clCommandNDRangeKernelKHR_fn run;
	clFinalizeCommandBufferKHR_fn end;
	cl_command_buffer_khr b;
	cl_int code;
	int t;

	*(void **)&create = function("clCreateCommandBufferKHR");
	*(void **)&run = function("clCommandNDRangeKernelKHR");
	*(void **)&end = function("clFinalizeCommandBufferKHR");
	b = create(1, &queue[i], NULL, &code);
	check("command buffer", code);
	for (t = 0; t < 2; t++)
		check("record", run(b, NULL, NULL, k, 1, NULL, &one, NULL, 0,
		    NULL, NULL, NULL));
	check("finalize", end(b));
	return b;
}

static void
try_command_buffers(void)
{
	cl_program p = program_of(adding);
	clEnqueueCommandBufferKHR_fn replay;
	clReleaseCommandBufferKHR_fn release;
	cl_command_buffer_khr b[DEVICES_MAX];
	cl_int value = 1;
	cl_kernel k;
	cl_uint i;
	int t;

	*(void **)&replay = function("clEnqueueCommandBufferKHR");
	*(void **)&release = function("clReleaseCommandBufferKHR");
	check("build", clBuildProgram(p, n, device, "", NULL, NULL));
	k = kernel_of(p);
	check("argument", clSetKernelArg(k, 0, sizeof(sum), &sum));
	for (i = 0; i < n; i++, value *= 10) {
		check("argument", clSetKernelArg(k, 1, sizeof(value),
		    &value));
		b[i] = record(i, k);
	}
	set_sum(0);
	for (t = 0; t < 3; t++)
		for (i = 0; i < n; i++) {
			check("replay", replay(0, NULL, b[i], 0, NULL, NULL));
			check("finish", clFinish(queue[i]));
		}
	for (value = 0, i = 0; i < n; i++)
		value = value * 10 + 6;
	tell("command buffers", get_sum() == value);
	for (i = 0; i < n; i++)
		release(b[i]);
	clReleaseKernel(k);
	clReleaseProgram(p);
}

int
main(void)
{
	cl_int code;

	open_all();
	sum = clCreateBuffer(context, 0, sizeof(cl_int), NULL, &code);
	check("buffer", code);
	try_binaries();
	try_clone();
	try_command_buffers();
	try_linking();
	clReleaseMemObject(sum);
	close_all();
	return 0;
}
