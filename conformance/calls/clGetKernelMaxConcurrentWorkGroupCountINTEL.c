/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

typedef cl_int (*count_function)(cl_command_queue, cl_kernel, cl_uint,
    const size_t *offset, const size_t *local, size_t *count);

static count_function call;

void
check_clGetKernelMaxConcurrentWorkGroupCountINTEL(struct world *w)
{
	const size_t local[4] = { 1, 1, 1, 1 }, none[1] = { 0 };
	size_t n = 77;
	cl_kernel k;

	call = (count_function)extension(w, "cl_intel_concurrent_dispatch",
	    "clGetKernelMaxConcurrentWorkGroupCountINTEL");
	if (call == NULL)
		return;
	k = world_kernel(w);
	WANT_HANDLE(w, "queue", cl_command_queue, call(h, k, 1, NULL, local,
	    &n), CL_INVALID_COMMAND_QUEUE);
	WANT_HANDLE(w, "kernel", cl_kernel, call(w->queue, h, 1, NULL, local,
	    &n), CL_INVALID_KERNEL);
	WANT(w, "queue of another context", call(w->other_queue, k, 1, NULL,
	    local, &n), CL_INVALID_CONTEXT);
	WANT(w, "no dimension", call(w->queue, k, 0, NULL, local, &n),
	    CL_INVALID_WORK_DIMENSION);
	WANT(w, "four dimensions", call(w->queue, k, 4, NULL, local, &n),
	    CL_INVALID_WORK_DIMENSION);
	WANT(w, "sizes nowhere", call(w->queue, k, 1, NULL, NULL, &n),
	    CL_INVALID_WORK_GROUP_SIZE);
	WANT(w, "a size of nothing", call(w->queue, k, 1, NULL, none, &n),
	    CL_INVALID_WORK_GROUP_SIZE);
	WANT(w, "no place for it", call(w->queue, k, 1, NULL, local, NULL),
	    CL_INVALID_VALUE);
	IS(w, "nothing was written", n == 77);
	WANT(w, "a number", call(w->queue, k, 1, NULL, local, &n),
	    CL_SUCCESS);
	IS(w, "one at least", n > 0 && n != 77);
}
