/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"
#include "conformance/calls/usm.h"

static clEnqueueMigrateMemINTEL_fn call;
static char *memory;

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	(void)w;
	return call(q, memory, 64, CL_MIGRATE_MEM_OBJECT_HOST, n, list, event);
}

void
check_clEnqueueMigrateMemINTEL(struct world *w)
{
	const struct enqueue e = { .run = run,
		.type = CL_COMMAND_MIGRATEMEM_INTEL, .no_objects = true };

	call = (clEnqueueMigrateMemINTEL_fn)extension(w, USM,
	    "clEnqueueMigrateMemINTEL");
	if (call == NULL)
		return;
	memory = usm_alloc(w, 4096);
	WANT_EVENT(w, "unknown flags", call(w->queue, memory, 64, NO_SUCH_BIT,
	    0, NULL, &w->done), CL_INVALID_VALUE);
	enqueue_cases(w, &e);
	must(clFinish(w->queue), "clFinish");
	usm_free(w, memory);
}
