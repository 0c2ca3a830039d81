/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"
#include "conformance/calls/launches.h"

static struct launches kernels;

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	(void)w;
	return clEnqueueTask(q, kernels.plain, n, list, event);
}

void
check_clEnqueueTask(struct world *w)
{
	cl_kernel k;

	launches_open(w, &kernels);
	WANT_HANDLE_EVENT(w, "kernel", cl_kernel,
	    clEnqueueTask(w->queue, h, 0, NULL, &w->done), CL_INVALID_KERNEL);
	k = world_kernel_of(w, kernels.program, "plain");
	WANT_EVENT(w, "no argument set", clEnqueueTask(w->queue, k, 0, NULL,
	    &w->done), CL_INVALID_KERNEL_ARGS);
	clReleaseKernel(k);
	WANT_EVENT(w, "a kernel that requires larger groups", clEnqueueTask(
	    w->queue, kernels.required, 0, NULL, &w->done),
	    CL_INVALID_WORK_GROUP_SIZE);
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .type = CL_COMMAND_TASK });
	launches_close(&kernels);
}
