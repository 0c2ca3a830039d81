/* SPDX-License-Identifier: ISC */
#include "conformance/calls/svm.h"

#include <stdatomic.h>

static struct {
	atomic_int count;
	cl_command_queue queue;
	cl_uint n;
	void *p, *arg;
} freed;

static void CL_CALLBACK
take(cl_command_queue q, cl_uint n, void *list[], void *arg)
{
	freed.queue = q;
	freed.n = n;
	freed.p = n > 0 ? list[0] : NULL;
	freed.arg = arg;
	atomic_fetch_add(&freed.count, 1);
}

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	void *p = clSVMAlloc(w->context, 0, 64, 0);
	cl_int e = clEnqueueSVMFree(q, 1, &p, NULL, NULL, n, list, event);

	if (e != CL_SUCCESS)
		clSVMFree(w->context, p);
	return e;
}

static cl_int
here(struct world *w, cl_uint n, void **list, cl_event *event)
{
	return clEnqueueSVMFree(w->queue, n, list, NULL, NULL, 0, NULL, event);
}

/* The function frees, and is told all that it was given. */
static void
with_function(struct world *w)
{
	void *p = clSVMAlloc(w->context, 0, 64, 0);
	cl_event event = NULL;

	WANT(w, "a function", clEnqueueSVMFree(w->queue, 1, &p, take, &freed,
	    0, NULL, &event), CL_SUCCESS);
	if (event != NULL) {
		WANT(w, "waiting for it", clWaitForEvents(1, &event),
		    CL_SUCCESS);
		clReleaseEvent(event);
	}
	IS(w, "it is called once", atomic_load(&freed.count) == 1);
	IS(w, "with what it was given", freed.queue == w->queue &&
	    freed.n == 1 && freed.p == p && freed.arg == &freed);
	clSVMFree(w->context, p);
}

void
check_clEnqueueSVMFree(struct world *w)
{
	void *p;

	if (no_svm(w))
		return;
	p = world_svm(w);
	WANT_EVENT(w, "no pointers", here(w, 0, &p, &w->done),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "pointers nowhere", here(w, 1, NULL, &w->done),
	    CL_INVALID_VALUE);
	with_function(w);
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .type = CL_COMMAND_SVM_FREE, .no_objects = true });
	world_svm_free(w);
}
