/* SPDX-License-Identifier: ISC */
#include "conformance/calls/recording.h"

typedef cl_int function(RECORDER, cl_kernel, cl_uint, const size_t *,
    const size_t *, const size_t *, RECORDED);

static cl_kernel kernel, foreign;

static cl_int
run(struct world *w, void *f, const struct recorded *r)
{
	const size_t n = 16;

	(void)w;
	return ((function *)f)(RECORDED_BY(r), r->foreign ? foreign : kernel,
	    1, NULL, &n, NULL, RECORDED_WITH(r));
}

static void
launches(struct world *w, cl_kernel unset)
{
	function *f = (function *)buffer_function(w, BUFFERS,
	    "clCommandNDRangeKernelKHR");
	const size_t n[4] = { 16, 1, 1, 1 }, three = 3;
	command_buffer b;

	if (f == NULL)
		return;
	b = recording_open(w, 0);
	WANT_HANDLE(w, "kernel", cl_kernel, f(b, NULL, NULL, h, 1, NULL, n,
	    NULL, 0, NULL, NULL, NULL), CL_INVALID_KERNEL);
	WANT(w, "arguments that are not set", f(b, NULL, NULL, unset, 1, NULL,
	    n, NULL, 0, NULL, NULL, NULL), CL_INVALID_KERNEL_ARGS);
	WANT(w, "no dimension", f(b, NULL, NULL, kernel, 0, NULL, n, NULL, 0,
	    NULL, NULL, NULL), CL_INVALID_WORK_DIMENSION);
	WANT(w, "four dimensions", f(b, NULL, NULL, kernel, 4, NULL, n, NULL,
	    0, NULL, NULL, NULL), CL_INVALID_WORK_DIMENSION);
	WANT(w, "uneven groups", f(b, NULL, NULL, kernel, 1, NULL, n, &three,
	    0, NULL, NULL, NULL), CL_INVALID_WORK_GROUP_SIZE);
	recording_close(w, b);
}

void
check_clCommandNDRangeKernelKHR(struct world *w)
{
	const char *text = "kernel void f(void) {}\n";
	cl_program p = world_build(w, text, "");
	cl_program other = world_source(w, w->other_context, text);
	cl_kernel unset = world_kernel_of(w, world_program(w), "add");

	must(clBuildProgram(other, 0, NULL, "", NULL, NULL),
	    "clBuildProgram");
	kernel = world_kernel_of(w, p, "f");
	foreign = world_kernel_of(w, other, "f");
	record_cases(w, &(struct record){ .run = run, .has_handle = true,
	    .name = "clCommandNDRangeKernelKHR" });
	launches(w, unset);
	clReleaseKernel(unset);
	clReleaseKernel(kernel);
	clReleaseKernel(foreign);
	clReleaseProgram(p);
	clReleaseProgram(other);
}
