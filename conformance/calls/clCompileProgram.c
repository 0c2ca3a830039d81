/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static const char source[] =
    "#include \"one.h\"\n"
    "kernel void f(global int *to) { to[0] = ONE; }\n";

static atomic_int calls;

static void CL_CALLBACK
compiled(cl_program p, void *data)
{
	(void)p;
	atomic_fetch_add((atomic_int *)data, 1);
}

static cl_int
compile(struct world *w, cl_program p, cl_uint n, const cl_program *headers,
    const char **names)
{
	return clCompileProgram(p, 1, &w->device, "", n, headers, names, NULL,
	    NULL);
}

static cl_int
with_options(struct world *w, cl_program p, const char *options)
{
	return clCompileProgram(p, 1, &w->device, options, 0, NULL, NULL,
	    NULL, NULL);
}

static void
devices(struct world *w, cl_program p)
{
	cl_device_id wrong = (cl_device_id)w->queue;

	WANT(w, "devices nowhere", clCompileProgram(p, 1, NULL, "", 0, NULL,
	    NULL, NULL, NULL), CL_INVALID_VALUE);
	WANT(w, "no devices", clCompileProgram(p, 0, &w->device, "", 0, NULL,
	    NULL, NULL, NULL), CL_INVALID_VALUE);
	WANT(w, "user data without callback", clCompileProgram(p, 1,
	    &w->device, "", 0, NULL, NULL, NULL, w), CL_INVALID_VALUE);
	WANT(w, "device of another kind", clCompileProgram(p, 1, &wrong, "",
	    0, NULL, NULL, NULL, NULL), CL_INVALID_DEVICE);
	if (w->stranger != NULL)
		WANT(w, "device of no context", clCompileProgram(p, 1,
		    &w->stranger, "", 0, NULL, NULL, NULL, NULL),
		    CL_INVALID_DEVICE);
	else
		skip(w, "device of no context", "there is no such device");
}

static void
headers(struct world *w, cl_program p)
{
	cl_program one = world_source(w, w->context, "#define ONE 1\n");
	cl_program other = world_source(w, w->other_context,
	    "#define ONE 1\n");
	cl_program wrong = (cl_program)w->queue, none = NULL;
	const char *name = "one.h";

	WANT(w, "no headers, but programs", compile(w, p, 0, &one, NULL),
	    CL_INVALID_VALUE);
	WANT(w, "no headers, but names", compile(w, p, 0, NULL, &name),
	    CL_INVALID_VALUE);
	WANT(w, "a header without name", compile(w, p, 1, &one, NULL),
	    CL_INVALID_VALUE);
	WANT(w, "a header without program", compile(w, p, 1, NULL, &name),
	    CL_INVALID_VALUE);
	WANT(w, "header of another kind", compile(w, p, 1, &wrong, &name),
	    CL_INVALID_PROGRAM);
	WANT(w, "header is null", compile(w, p, 1, &none, &name),
	    CL_INVALID_PROGRAM);
	WANT(w, "header of another context", compile(w, p, 1, &other, &name),
	    CL_INVALID_CONTEXT);
	WANT(w, "a header", compile(w, p, 1, &one, &name), CL_SUCCESS);
	WANT(w, "a header, with a callback", clCompileProgram(p, 0, NULL, "",
	    1, &one, &name, compiled, &calls), CL_SUCCESS);
	IS(w, "the callback is called", soon(&calls, 1));
	clReleaseProgram(one);
	clReleaseProgram(other);
}

/* In programs of their own: some vendors compile a wrong one only once. */
static void
failures(struct world *w)
{
	cl_program p = world_source(w, w->context, source);
	cl_program q = world_source(w, w->context, "kernel void f(void) {}");
	cl_build_status s = CL_BUILD_NONE;

	WANT(w, "header that is not given", compile(w, p, 0, NULL, NULL),
	    CL_COMPILE_PROGRAM_FAILURE);
	must(clGetProgramBuildInfo(p, w->device, CL_PROGRAM_BUILD_STATUS,
	    sizeof(s), &s, NULL), "CL_PROGRAM_BUILD_STATUS");
	IS(w, "then it has failed", s == CL_BUILD_ERROR);
	WANT(w, "unknown option", with_options(w, q, "-no-such-option"),
	    CL_INVALID_COMPILER_OPTIONS);
	clReleaseProgram(p);
	clReleaseProgram(q);
}

static cl_program_binary_type
type_of(struct world *w, cl_program p)
{
	cl_program_binary_type t = CL_PROGRAM_BINARY_TYPE_NONE;

	clGetProgramBuildInfo(p, w->device, CL_PROGRAM_BINARY_TYPE, sizeof(t),
	    &t, NULL);
	return t;
}

static void
states(struct world *w)
{
	cl_program p = world_build(w, "kernel void f(void) {}\n", "");
	cl_kernel k = world_kernel_of(w, p, "f");

	WANT(w, "with a kernel", with_options(w, p, ""),
	    CL_INVALID_OPERATION);
	clReleaseKernel(k);
	WANT(w, "a program that was built", with_options(w, p, ""),
	    CL_SUCCESS);
	IS(w, "it is compiled", type_of(w, p) ==
	    CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
	WANT_NEW(w, "it has no kernels any more", k = clCreateKernel(p, "f",
	    &w->err), CL_INVALID_PROGRAM_EXECUTABLE);
	clReleaseProgram(p);
}

static void
linked(struct world *w)
{
	cl_program in = world_source(w, w->context,
	    "kernel void f(void) {}\n"), out;
	cl_int e;

	must(clCompileProgram(in, 0, NULL, "", 0, NULL, NULL, NULL, NULL),
	    "clCompileProgram");
	out = clLinkProgram(w->context, 0, NULL, "", 1, &in, NULL, NULL, &e);
	must(e, "clLinkProgram");
	WANT(w, "a program without source", with_options(w, out, ""),
	    CL_INVALID_OPERATION);
	clReleaseProgram(out);
	clReleaseProgram(in);
}

void
check_clCompileProgram(struct world *w)
{
	cl_program p = world_source(w, w->context, source);

	if (older(w, 12))
		return;
	WANT_HANDLE(w, "program", cl_program, with_options(w, h, ""),
	    CL_INVALID_PROGRAM);
	devices(w, p);
	headers(w, p);
	failures(w);
	states(w);
	linked(w);
	clReleaseProgram(p);
}
