/* SPDX-License-Identifier: ISC */
#include "conformance/calls/svm.h"

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	must(clEnqueueSVMMap(w->queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
	    world_svm(w), 100, 0, NULL, NULL), "clEnqueueSVMMap");
	return clEnqueueSVMUnmap(q, world_svm(w), n, list, event);
}

void
check_clEnqueueSVMUnmap(struct world *w)
{
	if (no_svm(w))
		return;
	WANT_EVENT(w, "no pointer", clEnqueueSVMUnmap(w->queue, NULL, 0, NULL,
	    &w->done), CL_INVALID_VALUE);
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .type = CL_COMMAND_SVM_UNMAP });
	world_svm_free(w);
}
