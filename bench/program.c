/* SPDX-License-Identifier: ISC */
#include "bench/program.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/child.h"
#include "bench/reply.h"
#include "bench/sample.h"
#include "bench/world.h"

#define KERNELS 3
#define TEXT_SIZE (KERNELS * 1024)

/* What takes a compiler some time: loops to unroll, math, local memory. */
static const char kernel_text[] =
    "__kernel void k%d(__global float *a, __local float *t, int n)\n"
    "{\n"
    "	size_t g = get_global_id(0), l = get_local_id(0);\n"
    "	float x = a[g] + %s, y = %d.5f;\n"
    "\n"
    "	for (int i = 0; i < 8; i++) {\n"
    "		x = mad(x, 0.5f, y);\n"
    "		y = sqrt(fabs(x)) + (i %% %d == 0 ? exp2(-y) : y);\n"
    "	}\n"
    "	t[l] = x;\n"
    "	barrier(CLK_LOCAL_MEM_FENCE);\n"
    "	for (int i = 0; i < n; i++)\n"
    "		y += t[(l + i) %% get_local_size(0)] * native_log(y * y + 2);\n"
    "	a[g] = isfinite(y) ? %d : -1;\n"
    "}\n";

static const char *
text(const char *number)
{
	static char out[TEXT_SIZE];
	size_t n = 0;
	int i;

	for (i = 0; i < KERNELS; i++)
		n += (size_t)snprintf(out + n, sizeof(out) - n, kernel_text, i,
		    number, i, i + 2, i + 1);
	return out;
}

double
program_time(const struct world *w, const char *number)
{
	const char *source = text(number);
	double began = now_us();
	cl_program program;

	program = world_build(w, source);
	began = now_us() - began;
	CK(clReleaseProgram(program));
	return began;
}

static void
run_kernel(const struct world *w, cl_program program, int i, cl_mem mem)
{
	const size_t global = 64, local = 16;
	const cl_int n = 4;
	cl_kernel kernel;
	char name[8];

	snprintf(name, sizeof(name), "k%d", i);
	kernel = world_kernel(program, name);
	CK(clSetKernelArg(kernel, 0, sizeof(mem), &mem));
	CK(clSetKernelArg(kernel, 1, local * sizeof(float), NULL));
	CK(clSetKernelArg(kernel, 2, sizeof(n), &n));
	CK(clEnqueueNDRangeKernel(w->queue, kernel, 1, NULL, &global, &local, 0,
	    NULL, NULL));
	CK(clReleaseKernel(kernel));
}

void
program_run(const struct world *w, const char *number)
{
	cl_program program = world_build(w, text(number));
	cl_mem mem = world_buffer(w, 64 * sizeof(float));
	const float zero = 0;
	float last;
	int i;

	CK(clEnqueueFillBuffer(w->queue, mem, &zero, sizeof(zero), 0,
	    64 * sizeof(float), 0, NULL, NULL));
	for (i = 0; i < KERNELS; i++)
		run_kernel(w, program, i, mem);
	CK(clEnqueueReadBuffer(w->queue, mem, CL_TRUE, 0, sizeof(last), &last,
	    0, NULL, NULL));
	if (last != KERNELS)
		reply_fail("the last kernel wrote %g", (double)last);
	CK(clReleaseMemObject(mem));
	CK(clReleaseProgram(program));
}

/* A number that no process has had. */
static void
new_number(char *out, size_t size)
{
	static unsigned n;

	snprintf(out, size, "%.0f.%d%03uf", now_us(), (int)getpid(), n++);
}

/* Here first, then in another process of the same user. */
void
program_build(const struct world *w, const struct bench *b)
{
	struct samples here, there;
	struct child c;
	char number[64];
	unsigned i;

	samples_init(&here, b->count);
	samples_init(&there, b->count);
	for (i = 0; i < b->count; i++) {
		new_number(number, sizeof(number));
		samples_add(&here, program_time(w, number) / 1e3);
		child_start(&c, "build", number);
		samples_add(&there, child_value(&c) / 1e3);
		child_end(&c);
	}
	reply_value(b->name, "first", samples_at(&here, 0.5), "ms");
	reply_value(b->name, "again", samples_at(&there, 0.5), "ms");
	samples_fini(&here);
	samples_fini(&there);
}

static double
whole_process(const char *role, const char *arg)
{
	double began = now_us();
	struct child c;

	child_start(&c, role, arg);
	child_end(&c);
	return (now_us() - began) / 1e3;
}

/* Two processes, one after the other, that build and run the same program. */
void
program_second_client(const struct world *w, const struct bench *b)
{
	struct samples one, two;
	char number[64];
	unsigned i;

	(void)w;
	samples_init(&one, b->count);
	samples_init(&two, b->count);
	for (i = 0; i < b->count; i++) {
		new_number(number, sizeof(number));
		samples_add(&one, whole_process("program", number));
		samples_add(&two, whole_process("program", number));
	}
	reply_value(b->name, "first", samples_at(&one, 0.5), "ms");
	reply_value(b->name, "again", samples_at(&two, 0.5), "ms");
	samples_fini(&one);
	samples_fini(&two);
}
