/* SPDX-License-Identifier: ISC */
#include "conformance/programs.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- builds ------------------------------------------------------------ */

struct told {
	atomic_int times;
	cl_build_status status;
};

static void CL_CALLBACK
tell(cl_program p, void *arg)
{
	struct told *t = arg;

	clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_STATUS,
	    sizeof(t->status), &t->status, NULL);
	atomic_fetch_add(&t->times, 1);
}

static void
wait_told(struct told *t)
{
	const struct timespec pause = { 0, 1000000 };
	int turns;

	for (turns = 0; atomic_load(&t->times) == 0 && turns < 60000; turns++)
		nanosleep(&pause, NULL);
}

static void
build_with_callback(const char *what, const char *source)
{
	cl_program p = program_of(source);
	struct told t = { 0 };

	/* What it returns, vendors differ in. */
	clBuildProgram(p, 0, NULL, "", tell, &t);
	wait_told(&t);
	printf("%s: told %d times, status %d\n", what,
	    atomic_load(&t.times), t.status);
	show_program(what, p);
	clReleaseProgram(p);
}

static void
build_in_pieces(void)
{
	const char *piece[] = { "kernel void f(global int *r)ZZZ", "{ *r =",
		" 41 + ONE; }YYY" };
	const size_t length[] = { 28, 0, 12 };
	cl_int e;
	cl_program p = clCreateProgramWithSource(context, 3, piece, length,
	    &e);
	cl_kernel k;

	must(e, "clCreateProgramWithSource");
	show_program("pieces, before the build", p);
	must(clBuildProgram(p, 0, NULL, "-DONE=1", NULL, NULL),
	    "clBuildProgram");
	show_program("pieces", p);
	k = kernel_of(p, "f");
	show_int("pieces", k);
	clReleaseKernel(k);
	/* Without kernels it can be built again, and is another program. */
	must(clBuildProgram(p, 0, NULL, "-D ONE=2", NULL, NULL),
	    "clBuildProgram");
	k = kernel_of(p, "f");
	show_int("pieces, once more", k);
	clReleaseKernel(k);
	clReleaseProgram(p);
}

void
programs_build(void)
{
	static const char right[] = "kernel void a(global int *r) { *r = 1; }"
	    "kernel void b(global int *r) { *r = 2; }";
	static const char wrong[] = "kernel void a(global int *r) { *r = x; }";
	cl_program p = program_of(wrong);

	build_in_pieces();
	printf("wrong source: %d\n",
	    clBuildProgram(p, 1, &device, "-DA", NULL, NULL));
	show_program("wrong source", p);
	clReleaseProgram(p);
	build_with_callback("callback", right);
	build_with_callback("callback of a failure", wrong);
}

/* Built for a device alone in a context with its parts. */
void
programs_parts(void)
{
	const cl_device_partition_property by_one[] = {
		CL_DEVICE_PARTITION_EQUALLY, 1, 0 };
	const char *source = "kernel void a(global int *r) { *r = 1; }";
	cl_device_id all[3] = { device };
	cl_build_status status;
	cl_context c;
	cl_program p;
	cl_kernel k;
	cl_uint i;
	cl_int e;

	e = clCreateSubDevices(device, by_one, 2, all + 1, NULL);
	printf("two parts: %d\n", e);
	if (e != CL_SUCCESS)
		return;
	c = clCreateContext(NULL, 3, all, NULL, NULL, &e);
	must(e, "clCreateContext");
	p = clCreateProgramWithSource(c, 1, &source, NULL, &e);
	must(e, "clCreateProgramWithSource");
	must(clBuildProgram(p, 1, &device, "", NULL, NULL), "clBuildProgram");
	for (i = 0; i < 3; i++) {
		status = -99;
		e = clGetProgramBuildInfo(p, all[i], CL_PROGRAM_BUILD_STATUS,
		    sizeof(status), &status, NULL);
		printf("part %u of 2: %d, status %d\n", i, e, status);
	}
	k = kernel_of(p, "a");
	clReleaseKernel(k);
	clReleaseProgram(p);
	clReleaseContext(c);
	clReleaseDevice(all[1]);
	clReleaseDevice(all[2]);
}

/* ---- compiling and linking --------------------------------------------- */

static cl_program
compile_of(const char *source, const char *options, cl_program header,
    const char *name)
{
	cl_program p = program_of(source);

	must(clCompileProgram(p, 0, NULL, options, header != NULL ? 1 : 0,
	    header != NULL ? &header : NULL, header != NULL ? &name : NULL,
	    NULL, NULL), "clCompileProgram");
	return p;
}

void
programs_link(void)
{
	cl_program header = program_of("int twice(int);\n#define BASE 20\n");
	cl_program part[2], linked, library;
	cl_kernel k;
	cl_int e;

	part[0] = compile_of("#include \"twice.h\"\nkernel void f(global int"
	    " *r) { *r = twice(BASE) + MORE; }", "-DMORE=2", header,
	    "twice.h");
	part[1] = compile_of("int twice(int x) { return 2 * x; }", "", NULL,
	    NULL);
	show_program("compiled", part[0]);
	linked = clLinkProgram(context, 1, &device, "", 2, part, NULL, NULL,
	    &e);
	printf("linked: %d\n", e);
	show_program("linked", linked);
	k = kernel_of(linked, "f");
	show_int("linked", k);
	clReleaseKernel(k);
	library = clLinkProgram(context, 1, &device, "-create-library", 1,
	    &part[1], NULL, NULL, &e);
	printf("library: %d\n", e);
	clLinkProgram(context, 1, &device, "", 1, part, NULL, NULL, &e);
	printf("linked without what it calls: %d\n", e);
	clLinkProgram(context, 1, &device, "", 1, &header, NULL, NULL, &e);
	printf("linked of what is not compiled: %d\n", e);
	clReleaseProgram(library);
	clReleaseProgram(linked);
	clReleaseProgram(part[0]);
	clReleaseProgram(part[1]);
	clReleaseProgram(header);
}

/* ---- binaries ---------------------------------------------------------- */

static unsigned char *
binary_of(cl_program p, size_t *n)
{
	unsigned char *b;

	must(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof(*n), n,
	    NULL), "CL_PROGRAM_BINARY_SIZES");
	if ((b = malloc(*n)) == NULL)
		exit(1);
	must(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof(b), &b, NULL),
	    "CL_PROGRAM_BINARIES");
	return b;
}

static cl_program
program_from(const unsigned char *b, size_t n, cl_int *e)
{
	cl_int status = 1;
	cl_program p = clCreateProgramWithBinary(context, 1, &device, &n, &b,
	    &status, e);

	printf("binary: %d, its status %d\n", *e, status);
	return p;
}

void
programs_binaries(void)
{
	static unsigned char rubbish[256] = "not a binary";
	cl_program from, p = build_of("typedef struct { int a[4]; } S;"
	    "kernel void f(global int *r, S s, int n, local int *l) {"
	    " *r = s.a[3] + n; }", "");
	const int four[] = { 1, 2, 3, 40 }, two = 2;
	unsigned char *b;
	cl_kernel k;
	size_t n = 0;
	cl_int e;

	b = binary_of(p, &n);
	printf("a binary: %s\n", n > 0 ? "some bytes" : "none");
	from = program_from(b, n, &e);
	must(e, "clCreateProgramWithBinary");
	clCreateKernel(from, "f", &e);
	printf("a kernel before the build: %d\n", e);
	must(clBuildProgram(from, 1, &device, "", NULL, NULL),
	    "clBuildProgram");
	show_program("from a binary", from);
	k = kernel_of(from, "f");
	must(clSetKernelArg(k, 1, sizeof(four), four), "clSetKernelArg");
	must(clSetKernelArg(k, 2, sizeof(two), &two), "clSetKernelArg");
	must(clSetKernelArg(k, 3, 64, NULL), "clSetKernelArg");
	show_int("from a binary", k);
	program_from(rubbish, sizeof(rubbish), &e);
	clReleaseKernel(k);
	clReleaseProgram(from);
	clReleaseProgram(p);
	free(b);
}

/* ---- includes ---------------------------------------------------------- */

static void
include_one(const char *what, const char *source, const char *format,
    const char *folder)
{
	char options[1024], log[8192] = "";
	cl_program p = program_of(source);
	cl_kernel k;
	cl_int e;

	snprintf(options, sizeof(options), format, folder, folder);
	e = clBuildProgram(p, 1, &device, options, NULL, NULL);
	printf("%s: %d\n", what, e);
	if (e == CL_SUCCESS) {
		k = kernel_of(p, "f");
		show_int(what, k);
		clReleaseKernel(k);
	} else {
		must(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG,
		    sizeof(log), log, NULL), "CL_PROGRAM_BUILD_LOG");
		printf("  log names the file: %d\n",
		    strstr(log, folder) != NULL);
	}
	clReleaseProgram(p);
}

/* one.h (ONE 1), sub/two.h (TWO 2, includes ../one.h), wrong.h (an error). */
void
programs_includes(const char *folder)
{
	include_one("include in a folder", "#include <one.h>\n"
	    "kernel void f(global int *r) { *r = 40 + ONE; }", "-I %s",
	    folder);
	include_one("include of a file that includes",
	    "#include \"sub/two.h\"\nkernel void f(global int *r) {"
	    " *r = 40 + ONE + TWO; }", "-I%s", folder);
	include_one("include by a macro", "#define FILE2 <two.h>\n"
	    "#include FILE2\nkernel void f(global int *r) { *r = TWO; }",
	    "-I %s -I%s/sub", folder);
	include_one("include of nothing", "#include \"none.h\"\n"
	    "kernel void f(global int *r) { *r = 0; }", "-I %s/nowhere -DX",
	    folder);
	include_one("include of an error", "#include \"wrong.h\"\n"
	    "kernel void f(global int *r) { *r = 0; }", "-I %s", folder);
}
