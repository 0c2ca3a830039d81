/* SPDX-License-Identifier: ISC */
#include <string.h>

#include "conformance/calls/calls.h"

static cl_int
ask(struct world *w, void *object, cl_uint param, size_t size, void *value,
    size_t *size_ret)
{
	return clGetProgramBuildInfo(object, w->device, param, size, value,
	    size_ret);
}

static void
unbuilt(struct world *w)
{
	cl_program p = world_source(w, w->context, "kernel void f(void) {}");
	cl_build_status s = 77;
	char text[16] = "x";

	WANT(w, "status of none built", clGetProgramBuildInfo(p, w->device,
	    CL_PROGRAM_BUILD_STATUS, sizeof(s), &s, NULL), CL_SUCCESS);
	IS(w, "it is that there is none", s == CL_BUILD_NONE);
	WANT(w, "options of none built", clGetProgramBuildInfo(p, w->device,
	    CL_PROGRAM_BUILD_OPTIONS, sizeof(text), text, NULL), CL_SUCCESS);
	IS(w, "there are none", text[0] == '\0');
	text[0] = 'x';
	WANT(w, "log of none built", clGetProgramBuildInfo(p, w->device,
	    CL_PROGRAM_BUILD_LOG, sizeof(text), text, NULL), CL_SUCCESS);
	IS(w, "it is empty", text[0] == '\0');
	clReleaseProgram(p);
}

static void
right(struct world *w)
{
	cl_program p = world_build(w, "kernel void f(void) {}", " -D X=1 ");
	cl_build_status s = 77;
	char text[32] = "x";
	size_t n = 0;

	must(clGetProgramBuildInfo(p, w->device, CL_PROGRAM_BUILD_STATUS,
	    sizeof(s), &s, NULL), "CL_PROGRAM_BUILD_STATUS");
	IS(w, "it is built", s == CL_BUILD_SUCCESS);
	WANT(w, "options", clGetProgramBuildInfo(p, w->device,
	    CL_PROGRAM_BUILD_OPTIONS, sizeof(text), text, &n), CL_SUCCESS);
	IS(w, "options are told as they were", n == sizeof(" -D X=1 ") &&
	    strcmp(text, " -D X=1 ") == 0);
	WANT(w, "size of the log", clGetProgramBuildInfo(p, w->device,
	    CL_PROGRAM_BUILD_LOG, 0, NULL, &n), CL_SUCCESS);
	IS(w, "it has a NUL at least", n > 0);
	clReleaseProgram(p);
}

void
check_clGetProgramBuildInfo(struct world *w)
{
	cl_program p = world_program(w);
	cl_build_status s;

	query_cases(w, &(struct query){ .ask = ask, .object = p,
	    .type = "cl_program", .no_object = CL_INVALID_PROGRAM,
	    .param = CL_PROGRAM_BUILD_STATUS,
	    .size = sizeof(cl_build_status) });
	WANT_HANDLE(w, "device", cl_device_id, clGetProgramBuildInfo(p, h,
	    CL_PROGRAM_BUILD_STATUS, sizeof(s), &s, NULL),
	    CL_INVALID_DEVICE);
	if (w->stranger != NULL)
		WANT(w, "device of no context", clGetProgramBuildInfo(p,
		    w->stranger, CL_PROGRAM_BUILD_STATUS, sizeof(s), &s,
		    NULL), CL_INVALID_DEVICE);
	else
		skip(w, "device of no context", "there is no such device");
	unbuilt(w);
	right(w);
}
