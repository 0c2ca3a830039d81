/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static atomic_int calls;
static cl_program seen;

static void CL_CALLBACK
linked(cl_program p, void *data)
{
	seen = p;
	atomic_fetch_add((atomic_int *)data, 1);
}

static cl_program
compiled(struct world *w, cl_context c, const char *text)
{
	cl_program p = world_source(w, c, text);

	must(clCompileProgram(p, 0, NULL, "", 0, NULL, NULL, NULL, NULL),
	    "clCompileProgram");
	return p;
}

static cl_program
link_one(struct world *w, cl_program in, const char *options)
{
	return clLinkProgram(w->context, 1, &w->device, options, 1, &in, NULL,
	    NULL, &w->err);
}

static void
devices(struct world *w, const cl_program *in)
{
	cl_device_id wrong = (cl_device_id)w->queue;

	WANT_HANDLE_NEW(w, "context", cl_context, clLinkProgram(h, 0, NULL,
	    "", 1, in, NULL, NULL, &w->err), CL_INVALID_CONTEXT);
	WANT_NEW(w, "devices nowhere", clLinkProgram(w->context, 1, NULL, "",
	    1, in, NULL, NULL, &w->err), CL_INVALID_VALUE);
	WANT_NEW(w, "no devices", clLinkProgram(w->context, 0, &w->device, "",
	    1, in, NULL, NULL, &w->err), CL_INVALID_VALUE);
	WANT_NEW(w, "device of another kind", clLinkProgram(w->context, 1,
	    &wrong, "", 1, in, NULL, NULL, &w->err), CL_INVALID_DEVICE);
	if (w->stranger != NULL)
		WANT_NEW(w, "device of no context", clLinkProgram(w->context,
		    1, &w->stranger, "", 1, in, NULL, NULL, &w->err),
		    CL_INVALID_DEVICE);
	else
		skip(w, "device of no context", "there is no such device");
}

static void
inputs(struct world *w, cl_program in)
{
	cl_program other = compiled(w, w->other_context,
	    "kernel void f(void) {}\n");
	cl_program raw = world_source(w, w->context,
	    "kernel void g(void) {}\n");
	cl_program two[2];

	two[0] = in;
	two[1] = raw;
	WANT_NEW(w, "user data without callback", clLinkProgram(w->context, 0,
	    NULL, "", 1, &in, NULL, w, &w->err), CL_INVALID_VALUE);
	WANT_NEW(w, "programs nowhere", clLinkProgram(w->context, 0, NULL, "",
	    1, NULL, NULL, NULL, &w->err), CL_INVALID_VALUE);
	WANT_NEW(w, "no programs", clLinkProgram(w->context, 0, NULL, "", 0,
	    &in, NULL, NULL, &w->err), CL_INVALID_VALUE);
	WANT_NEW(w, "no programs, nowhere", clLinkProgram(w->context, 0,
	    NULL, "", 0, NULL, NULL, NULL, &w->err), CL_INVALID_VALUE);
	WANT_HANDLE_NEW(w, "program", cl_program, link_one(w, h, ""),
	    CL_INVALID_PROGRAM);
	WANT_NEW(w, "program of another context", link_one(w, other, ""),
	    CL_INVALID_CONTEXT);
	WANT_NEW(w, "program not compiled, and one that is", clLinkProgram(
	    w->context, 0, NULL, "", 2, two, NULL, NULL, &w->err),
	    CL_INVALID_OPERATION);
	WANT_NEW(w, "program that was built", link_one(w, world_program(w),
	    ""), CL_INVALID_OPERATION);
	clReleaseProgram(other);
	clReleaseProgram(raw);
}

static void
failures(struct world *w, cl_program in)
{
	cl_program missing = compiled(w, w->context, "int none(int);\n"
	    "kernel void g(global int *to) { to[0] = none(1); }\n");
	cl_program p;
	cl_uint n = 77;
	cl_int e;

	WANT_NEW(w, "unknown option", link_one(w, in, "-no-such-option"),
	    CL_INVALID_LINKER_OPTIONS);
	p = clLinkProgram(w->context, 1, &w->device, "", 1, &missing, NULL,
	    NULL, &e);
	WANT(w, "a function is missing", e, CL_LINK_PROGRAM_FAILURE);
	/* The linking could begin, so there is a program, for its log. */
	IS(w, "there is a program of it", p != NULL);
	if (p != NULL) {
		WANT(w, "it can be asked", clGetProgramInfo(p,
		    CL_PROGRAM_NUM_DEVICES, sizeof(n), &n, NULL),
		    CL_SUCCESS);
		WANT(w, "its log", clGetProgramBuildInfo(p, w->device,
		    CL_PROGRAM_BUILD_LOG, 0, NULL, NULL), CL_SUCCESS);
		WANT_NEW(w, "its kernel", clCreateKernel(p, "g", &w->err),
		    CL_INVALID_PROGRAM_EXECUTABLE);
		WANT_NEW(w, "linking it", link_one(w, p, ""),
		    CL_INVALID_OPERATION);
		clReleaseProgram(p);
	}
	clReleaseProgram(missing);
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
right(struct world *w, cl_program in)
{
	cl_program lib = compiled(w, w->context, "int one(void);\n"
	    "int one(void) { return 1; }\n"), archive = NULL, p = NULL;
	cl_program two[2];

	WANT_NEW(w, "a library", archive = link_one(w, lib,
	    "-create-library"), CL_SUCCESS);
	if (archive == NULL)
		return;
	IS(w, "it is a library", type_of(w, archive) ==
	    CL_PROGRAM_BINARY_TYPE_LIBRARY);
	two[0] = in;
	two[1] = archive;
	WANT_NEW(w, "a program and a library", p = clLinkProgram(w->context,
	    0, NULL, NULL, 2, two, NULL, NULL, &w->err), CL_SUCCESS);
	if (p != NULL) {
		IS(w, "it is executable", type_of(w, p) ==
		    CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
		clReleaseProgram(p);
	}
	p = NULL;
	WANT_NEW(w, "with a callback", p = clLinkProgram(w->context, 0, NULL,
	    "", 1, &in, linked, &calls, &w->err), CL_SUCCESS);
	IS(w, "the callback is called", soon(&calls, 1));
	IS(w, "with the program", seen == p);
	if (p != NULL)
		clReleaseProgram(p);
	clReleaseProgram(archive);
	clReleaseProgram(lib);
}

void
check_clLinkProgram(struct world *w)
{
	cl_program in;

	if (older(w, 12))
		return;
	in = compiled(w, w->context, "kernel void f(void) {}\n");
	devices(w, &in);
	inputs(w, in);
	failures(w, in);
	right(w, in);
	clReleaseProgram(in);
}
