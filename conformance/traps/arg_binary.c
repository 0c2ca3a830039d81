/* SPDX-License-Identifier: ISC */
/*
 * A program from a binary, which need not tell what its arguments are: a
 * buffer, a number, a struct, local memory.
 */
#include "conformance/traps/traps.h"

static const char source[] =
    "typedef struct { int a; float b; short c[3]; } mixed;\n"
    "kernel void blend(global int *to, uchar n, mixed m, local int *l,\n"
    "    global const int *from, double16_or d)\n"
    "{\n"
    "	size_t i = get_global_id(0);\n"
    "	l[get_local_id(0)] = from ? from[i] : 100;\n"
    "	barrier(CLK_LOCAL_MEM_FENCE);\n"
    "	to[i] = l[get_local_id(0)] + n + m.a + (int)m.b + m.c[2] + d.s3;\n"
    "}\n";

struct mixed {
	cl_int a;
	cl_float b;
	cl_short c[3];
};

static void
run(cl_kernel k, cl_mem to, const cl_mem *from)
{
	const struct mixed m = { 1000, 200.5f, { 0, 0, 30 } };
	const cl_int16 d = { .s = { 0, 0, 0, 4 } };
	const cl_uchar n = 255;
	const size_t size = 4;
	int y[4], i;

	must(clSetKernelArg(k, 0, sizeof(to), &to), "buffer");
	must(clSetKernelArg(k, 1, sizeof(n), &n), "number");
	must(clSetKernelArg(k, 2, sizeof(m), &m), "struct");
	must(clSetKernelArg(k, 3, 16, NULL), "local");
	must(clSetKernelArg(k, 4, sizeof(cl_mem), from), "another buffer");
	must(clSetKernelArg(k, 5, sizeof(d), &d), "vector");
	must(clEnqueueNDRangeKernel(queue, k, 1, NULL, &size, &size, 0, NULL,
	    NULL), "clEnqueueNDRangeKernel");
	must(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof(y), y, 0, NULL,
	    NULL), "clEnqueueReadBuffer");
	for (i = 0; i < 4; i++)
		say("%d", y[i]);
}

void
arg_binary(void)
{
	int x[4] = { 1, 2, 3, 4 };
	cl_program p;
	cl_kernel k;
	cl_mem to, from;
	cl_int code;

	open_device();
	p = program_again(program_new(source, "-Ddouble16_or=int16"));
	k = clCreateKernel(p, "blend", &code);
	must(code, "clCreateKernel");
	must(clReleaseProgram(p), "clReleaseProgram");
	to = buffer_new(sizeof(x), NULL);
	from = buffer_new(sizeof(x), x);
	run(k, to, &from);
	run(k, to, NULL);
	say("too small: %d", clSetKernelArg(k, 2, 2, x));
	say("too many: %d", clSetKernelArg(k, 6, 4, x));
}
