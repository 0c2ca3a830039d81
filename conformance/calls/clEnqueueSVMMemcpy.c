/* SPDX-License-Identifier: ISC */
#include "conformance/calls/svm.h"

static char mine[WORLD_SIZE], other[WORLD_SIZE];

/* Which of the four ways to copy: SVM or the program's memory on a side. */
static bool to_svm, from_svm;

static cl_int
copy(struct world *w, cl_command_queue q, cl_bool blocking, cl_uint n,
    const cl_event *list, cl_event *event)
{
	return clEnqueueSVMMemcpy(q, blocking,
	    to_svm ? world_svm(w) : mine,
	    from_svm ? world_svm(w) + 1024 : other, 100, n, list, event);
}

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	return copy(w, q, CL_FALSE, n, list, event);
}

static cl_int
run_blocking(struct world *w, cl_command_queue q, cl_uint n,
    const cl_event *list, cl_event *event)
{
	return copy(w, q, CL_TRUE, n, list, event);
}

static void
one_way(struct world *w, bool to, bool from)
{
	const struct enqueue e = { .run = run, .blocking = run_blocking,
		.type = CL_COMMAND_SVM_MEMCPY, .no_objects = true };

	to_svm = to;
	from_svm = from;
	enqueue_cases(w, &e);
}

static cl_int
here(struct world *w, void *to, const void *from, size_t n, cl_event *event)
{
	return clEnqueueSVMMemcpy(w->queue, CL_TRUE, to, from, n, 0, NULL,
	    event);
}

void
check_clEnqueueSVMMemcpy(struct world *w)
{
	char *p;

	if (no_svm(w))
		return;
	p = world_svm(w);
	WANT_EVENT(w, "to nowhere", here(w, NULL, p, 16, &w->done),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "from nowhere", here(w, p, NULL, 16, &w->done),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "onto itself", here(w, p, p, 16, &w->done),
	    CL_MEM_COPY_OVERLAP);
	WANT_EVENT(w, "overlap", here(w, p + 8, p, 16, &w->done),
	    CL_MEM_COPY_OVERLAP);
	WANT_EVENT(w, "overlap, downwards", here(w, p, p + 8, 16, &w->done),
	    CL_MEM_COPY_OVERLAP);
	WANT_EVENT(w, "overlap of the program's memory", here(w, mine,
	    mine + 8, 16, &w->done), CL_MEM_COPY_OVERLAP);
	WANT_EVENT(w, "side by side", here(w, p + 16, p, 16, &w->done),
	    CL_SUCCESS);
	WANT_EVENT(w, "nothing", here(w, p + 16, p, 0, &w->done), CL_SUCCESS);
	one_way(w, true, true);
	one_way(w, true, false);
	one_way(w, false, true);
	one_way(w, false, false);
	world_svm_free(w);
}
