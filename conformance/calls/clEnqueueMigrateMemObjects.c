/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	return clEnqueueMigrateMemObjects(q, 1, &w->buffer, 0, n, list, event);
}

static cl_int
migrate(struct world *w, cl_uint n, const cl_mem *list,
    cl_mem_migration_flags flags, cl_event *event)
{
	return clEnqueueMigrateMemObjects(w->queue, n, list, flags, 0, NULL,
	    event);
}

void
check_clEnqueueMigrateMemObjects(struct world *w)
{
	cl_mem list[2] = { w->buffer, NULL };

	if (older(w, 12))
		return;
	WANT_EVENT(w, "no objects", migrate(w, 0, list, 0, &w->done),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "objects nowhere", migrate(w, 1, NULL, 0, &w->done),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "unknown flags",
	    migrate(w, 1, list, NO_SUCH_BIT, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "no object behind one", migrate(w, 2, list, 0,
	    &w->done), CL_INVALID_MEM_OBJECT);
	list[1] = (cl_mem)world_other(w, "cl_mem");
	WANT_EVENT(w, "what is no memory behind one", migrate(w, 2, list, 0,
	    &w->done), CL_INVALID_MEM_OBJECT);
	list[1] = w->other_buffer;
	WANT_EVENT(w, "another context's behind one", migrate(w, 2, list, 0,
	    &w->done), CL_INVALID_CONTEXT);
	list[1] = w->buffer;
	WANT_EVENT(w, "to the device", migrate(w, 2, list, 0, &w->done),
	    CL_SUCCESS);
	WANT_EVENT(w, "to the host", migrate(w, 1, list,
	    CL_MIGRATE_MEM_OBJECT_HOST, &w->done), CL_SUCCESS);
	WANT_EVENT(w, "without content", migrate(w, 1, list,
	    CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, &w->done), CL_SUCCESS);
	WANT_EVENT(w, "to the host without content", migrate(w, 1, list,
	    CL_MIGRATE_MEM_OBJECT_HOST |
	    CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, &w->done), CL_SUCCESS);
	enqueue_cases(w, &(struct enqueue){ .run = run,
	    .type = CL_COMMAND_MIGRATE_MEM_OBJECTS });
}
