/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"
#include "conformance/calls/usm.h"

static clEnqueueMemAdviseINTEL_fn call;
static char *memory;

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	(void)w;
	return call(q, memory, 64, 0, n, list, event);
}

void
check_clEnqueueMemAdviseINTEL(struct world *w)
{
	const struct enqueue e = { .run = run,
		.type = CL_COMMAND_MEMADVISE_INTEL, .no_objects = true };

	call = (clEnqueueMemAdviseINTEL_fn)extension(w, USM,
	    "clEnqueueMemAdviseINTEL");
	if (call == NULL)
		return;
	memory = usm_alloc(w, 4096);
	enqueue_cases(w, &e);
	must(clFinish(w->queue), "clFinish");
	usm_free(w, memory);
}
