/* SPDX-License-Identifier: ISC */
#include "conformance/calls/svm.h"

#include <stdint.h>

static cl_int
migrate(struct world *w, cl_uint n, const void **list, const size_t *sizes,
    cl_mem_migration_flags flags, cl_event *event)
{
	return clEnqueueSVMMigrateMem(w->queue, n, list, sizes, flags, 0, NULL,
	    event);
}

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	const void *p = world_svm(w);

	return clEnqueueSVMMigrateMem(q, 1, &p, NULL, 0, n, list, event);
}

static cl_int
range(struct world *w, size_t offset, size_t size, cl_event *event)
{
	const void *p = world_svm(w) + offset;

	return migrate(w, 1, &p, &size, 0, event);
}

void
check_clEnqueueSVMMigrateMem(struct world *w)
{
	const void *p;

	if (older(w, 21) || no_svm(w))
		return;
	p = world_svm(w);
	WANT_EVENT(w, "no pointers", migrate(w, 0, &p, NULL, 0, &w->done),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "pointers nowhere", migrate(w, 1, NULL, NULL, 0,
	    &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "unknown flags", migrate(w, 1, &p, NULL, NO_SUCH_BIT,
	    &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "longer than the memory", range(w, 0, WORLD_SIZE + 1,
	    &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "beyond its end", range(w, WORLD_SIZE - 8, 16,
	    &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "end that overflows", range(w, 16, SIZE_MAX - 8,
	    &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "a part of it", range(w, 16, 64, &w->done), CL_SUCCESS);
	WANT_EVENT(w, "to its end", range(w, 0, 0, &w->done), CL_SUCCESS);
	WANT_EVENT(w, "to the host", migrate(w, 1, &p, NULL,
	    CL_MIGRATE_MEM_OBJECT_HOST, &w->done), CL_SUCCESS);
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .type = CL_COMMAND_SVM_MIGRATE_MEM });
	world_svm_free(w);
}
