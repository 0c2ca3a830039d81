/* SPDX-License-Identifier: ISC */
/*
 * When a build's callback runs, all that can be asked about the build is
 * final, also of one that failed; a user event set there releases who waits.
 */
#include <stdatomic.h>
#include <string.h>

#include "conformance/traps/traps.h"

static atomic_int called;
static cl_event gate;
static cl_build_status status;
static cl_int kernels;
static size_t log_size;

static void CL_CALLBACK
on_built(cl_program p, void *arg)
{
	size_t n = 0;

	(void)arg;
	clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_STATUS,
	    sizeof(status), &status, NULL);
	clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, 0, NULL,
	    &log_size);
	kernels = clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, sizeof(n), &n,
	    NULL);
	if (kernels == CL_SUCCESS)
		kernels = (cl_int)n;
	atomic_fetch_add(&called, 1);
	clSetUserEventStatus(gate, CL_COMPLETE);
}

static void
build(const char *name, const char *source)
{
	cl_program p;
	cl_event e;
	cl_int code;

	atomic_store(&called, 0);
	p = clCreateProgramWithSource(context, 1, &source, NULL, &code);
	must(code, "clCreateProgramWithSource");
	gate = gate_new();
	must(clEnqueueMarkerWithWaitList(queue, 1, &gate, &e), "marker");
	code = clBuildProgram(p, 1, &device, "", on_built, NULL);
	say("%s: %d", name, code == CL_SUCCESS ||
	    code == CL_BUILD_PROGRAM_FAILURE);
	say("wait: %d", clWaitForEvents(1, &e));
	say("called %d, status %d, kernels %d", reaches(&called, 1), status,
	    kernels);
	if (status != CL_BUILD_SUCCESS)
		say("a log: %d", log_size > 1);
	must(clReleaseProgram(p), "clReleaseProgram");
	must(clReleaseEvent(e), "clReleaseEvent");
	must(clReleaseEvent(gate), "clReleaseEvent");
}

void
build_callback(void)
{
	open_device();
	build("good", add_source);
	build("bad", "kernel void bad(global int *p) { p[0] = nothing; }\n");
	build("two", "kernel void a(global int *p) { p[0] = 1; }\n"
	    "kernel void b(global int *p) { p[0] = 2; }\n");
}
