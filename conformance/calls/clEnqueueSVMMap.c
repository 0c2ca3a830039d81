/* SPDX-License-Identifier: ISC */
#include "conformance/calls/svm.h"

static cl_int
map(struct world *w, cl_command_queue q, cl_bool blocking,
    cl_map_flags flags, void *p, size_t size, cl_uint n,
    const cl_event *list, cl_event *event)
{
	cl_int e = clEnqueueSVMMap(q, blocking, flags, p, size, n, list,
	    event);

	if (e == CL_SUCCESS)
		must(clEnqueueSVMUnmap(w->queue, p, 0, NULL, NULL),
		    "clEnqueueSVMUnmap");
	return e;
}

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	return map(w, q, CL_FALSE, CL_MAP_READ, world_svm(w), 100, n, list,
	    event);
}

static cl_int
run_blocking(struct world *w, cl_command_queue q, cl_uint n,
    const cl_event *list, cl_event *event)
{
	return map(w, q, CL_TRUE, CL_MAP_READ, world_svm(w), 100, n, list,
	    event);
}

static cl_int
here(struct world *w, cl_map_flags flags, void *p, size_t size,
    cl_event *event)
{
	return map(w, w->queue, CL_TRUE, flags, p, size, 0, NULL, event);
}

void
check_clEnqueueSVMMap(struct world *w)
{
	char *p;

	if (no_svm(w))
		return;
	p = world_svm(w);
	WANT_EVENT(w, "no pointer", here(w, CL_MAP_READ, NULL, 16, &w->done),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "no size", here(w, CL_MAP_READ, p, 0, &w->done),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "unknown flags", here(w, NO_SUCH_BIT, p, 16, &w->done),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "read and invalidate", here(w, CL_MAP_READ |
	    CL_MAP_WRITE_INVALIDATE_REGION, p, 16, &w->done),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "for writing", here(w, CL_MAP_WRITE, p, 16, &w->done),
	    CL_SUCCESS);
	WANT_EVENT(w, "for new content", here(w,
	    CL_MAP_WRITE_INVALIDATE_REGION, p + 64, 16, &w->done),
	    CL_SUCCESS);
	WANT_EVENT(w, "all of it", here(w, CL_MAP_READ | CL_MAP_WRITE, p,
	    WORLD_SIZE, &w->done), CL_SUCCESS);
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .blocking = run_blocking, .type = CL_COMMAND_SVM_MAP });
	world_svm_free(w);
}
