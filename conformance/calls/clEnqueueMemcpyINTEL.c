/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"
#include "conformance/calls/usm.h"

static clEnqueueMemcpyINTEL_fn call;
static char *memory, mine[64];

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	(void)w;
	return call(q, CL_FALSE, memory, mine, 64, n, list, event);
}

static cl_int
run_blocking(struct world *w, cl_command_queue q, cl_uint n,
    const cl_event *list, cl_event *event)
{
	(void)w;
	return call(q, CL_TRUE, mine, memory, 64, n, list, event);
}

void
check_clEnqueueMemcpyINTEL(struct world *w)
{
	const struct enqueue e = { .run = run, .blocking = run_blocking,
		.type = CL_COMMAND_MEMCPY_INTEL, .no_objects = true };

	call = (clEnqueueMemcpyINTEL_fn)extension(w, USM,
	    "clEnqueueMemcpyINTEL");
	if (call == NULL)
		return;
	memory = usm_alloc(w, 4096);
	WANT_EVENT(w, "to nowhere", call(w->queue, CL_TRUE, NULL, mine, 64, 0,
	    NULL, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "from nowhere", call(w->queue, CL_TRUE, memory, NULL,
	    64, 0, NULL, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "overlap", call(w->queue, CL_TRUE, memory + 8, memory,
	    64, 0, NULL, &w->done), CL_MEM_COPY_OVERLAP);
	enqueue_cases(w, &e);
	must(clFinish(w->queue), "clFinish");
	usm_free(w, memory);
}
