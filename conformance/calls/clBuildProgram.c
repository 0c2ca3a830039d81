/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static const char source[] = "kernel void f(void) {}\n";

static atomic_int calls;
static cl_program seen;

static void CL_CALLBACK
built(cl_program p, void *data)
{
	seen = p;
	atomic_fetch_add((atomic_int *)data, 1);
}

static cl_int
build(struct world *w, cl_program p, const char *options)
{
	return clBuildProgram(p, 1, &w->device, options, NULL, NULL);
}

static cl_build_status
status(struct world *w, cl_program p)
{
	cl_build_status s = CL_BUILD_NONE;

	clGetProgramBuildInfo(p, w->device, CL_PROGRAM_BUILD_STATUS,
	    sizeof(s), &s, NULL);
	return s;
}

static void
devices(struct world *w, cl_program p)
{
	cl_device_id none = NULL, wrong = (cl_device_id)w->queue;
	cl_device_id twice[] = { w->device, wrong };

	WANT(w, "devices nowhere", clBuildProgram(p, 1, NULL, "", NULL, NULL),
	    CL_INVALID_VALUE);
	WANT(w, "no devices", clBuildProgram(p, 0, &w->device, "", NULL,
	    NULL), CL_INVALID_VALUE);
	WANT(w, "user data without callback", clBuildProgram(p, 1,
	    &w->device, "", NULL, w), CL_INVALID_VALUE);
	WANT(w, "no device", clBuildProgram(p, 1, &none, "", NULL, NULL),
	    CL_INVALID_DEVICE);
	WANT(w, "device of another kind", clBuildProgram(p, 1, &wrong, "",
	    NULL, NULL), CL_INVALID_DEVICE);
	WANT(w, "second device of another kind", clBuildProgram(p, 2, twice,
	    "", NULL, NULL), CL_INVALID_DEVICE);
	if (w->stranger != NULL)
		WANT(w, "device of no context", clBuildProgram(p, 1,
		    &w->stranger, "", NULL, NULL), CL_INVALID_DEVICE);
	else
		skip(w, "device of no context", "there is no such device");
	IS(w, "nothing was begun", status(w, p) == CL_BUILD_NONE);
}

static void
failures(struct world *w)
{
	cl_program p = world_source(w, w->context, source);
	cl_program broken = world_source(w, w->context,
	    "kernel void f(global int *a) { b; }\n");

	WANT(w, "unknown option", build(w, p, "-no-such-option-at-all"),
	    CL_INVALID_BUILD_OPTIONS);
	WANT(w, "wrong source", build(w, broken, ""),
	    CL_BUILD_PROGRAM_FAILURE);
	IS(w, "the build has failed", status(w, broken) == CL_BUILD_ERROR);
	WANT(w, "wrong source, with a callback", clBuildProgram(broken, 1,
	    &w->device, "", built, &calls), CL_SUCCESS,
	    CL_BUILD_PROGRAM_FAILURE);
	IS(w, "the callback is called", soon(&calls, 1));
	IS(w, "with the program", seen == broken);
	IS(w, "it has failed by then", status(w, broken) == CL_BUILD_ERROR);
	clReleaseProgram(p);
	clReleaseProgram(broken);
}

static void
right(struct world *w)
{
	cl_program p = world_source(w, w->context, source);
	cl_kernel k;

	WANT(w, "all devices, no options", clBuildProgram(p, 0, NULL, NULL,
	    NULL, NULL), CL_SUCCESS);
	IS(w, "it is built", status(w, p) == CL_BUILD_SUCCESS);
	WANT(w, "again, with a macro", build(w, p, "-D X=1"), CL_SUCCESS);
	WANT(w, "with a callback", clBuildProgram(p, 1, &w->device, "",
	    built, &calls), CL_SUCCESS);
	IS(w, "the callback is called", soon(&calls, 2));
	IS(w, "it is built by then", status(w, p) == CL_BUILD_SUCCESS);
	k = world_kernel_of(w, p, "f");
	WANT(w, "with a kernel", build(w, p, ""), CL_INVALID_OPERATION);
	IS(w, "it stays built", status(w, p) == CL_BUILD_SUCCESS);
	clReleaseKernel(k);
	WANT(w, "without its kernel", build(w, p, ""), CL_SUCCESS);
	clReleaseProgram(p);
}

static void
linked(struct world *w)
{
	cl_program in = world_source(w, w->context, source), out;
	cl_int e;

	if (older(w, 12))
		return;
	must(clCompileProgram(in, 0, NULL, "", 0, NULL, NULL, NULL, NULL),
	    "clCompileProgram");
	out = clLinkProgram(w->context, 0, NULL, "", 1, &in, NULL, NULL, &e);
	must(e, "clLinkProgram");
	WANT(w, "a linked program", build(w, out, ""), CL_INVALID_OPERATION);
	clReleaseProgram(out);
	clReleaseProgram(in);
}

void
check_clBuildProgram(struct world *w)
{
	cl_program p = world_source(w, w->context, source);

	WANT_HANDLE(w, "program", cl_program, build(w, h, ""),
	    CL_INVALID_PROGRAM);
	devices(w, p);
	failures(w);
	right(w);
	linked(w);
	clReleaseProgram(p);
}
