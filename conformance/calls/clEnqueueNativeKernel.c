/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"

static void CL_CALLBACK
native(void *arg)
{
	(void)arg;
}

static cl_int
call(struct world *w, void *args, size_t size, cl_uint n, const cl_mem *list,
    const void **places, cl_event *event)
{
	return clEnqueueNativeKernel(w->queue, native, args, size, n, list,
	    places, 0, NULL, event);
}

static cl_int
waiting(struct world *w, cl_uint n, const cl_event *list, cl_event *event)
{
	return clEnqueueNativeKernel(w->queue, native, NULL, 0, 0, NULL, NULL,
	    n, list, event);
}

/* Nothing says which of two errors comes first. */
static void
wait_lists(struct world *w, bool can)
{
	const cl_int also = can ? CL_INVALID_EVENT_WAIT_LIST :
	    CL_INVALID_OPERATION;

	WANT_EVENT(w, "wait list nowhere", waiting(w, 1, NULL, &w->done),
	    CL_INVALID_EVENT_WAIT_LIST, also);
	WANT_EVENT(w, "wait list of none", waiting(w, 0, &w->event, &w->done),
	    CL_INVALID_EVENT_WAIT_LIST, also);
	WANT_EVENT(w, "wait list of another context",
	    waiting(w, 1, &w->other_event, &w->done), CL_INVALID_CONTEXT,
	    can ? CL_INVALID_CONTEXT : also);
}

/* A device that runs no such functions says so when all else is right. */
void
check_clEnqueueNativeKernel(struct world *w)
{
	const bool can = world_info(w, CL_DEVICE_EXECUTION_CAPABILITIES) &
	    CL_EXEC_NATIVE_KERNEL;
	struct { cl_mem m; } args = { NULL };
	const void *places[1] = { &args.m };

	WANT_HANDLE_EVENT(w, "queue", cl_command_queue, clEnqueueNativeKernel(
	    h, native, NULL, 0, 0, NULL, NULL, 0, NULL, &w->done),
	    CL_INVALID_COMMAND_QUEUE);
	WANT_EVENT(w, "no function", clEnqueueNativeKernel(w->queue, NULL,
	    NULL, 0, 0, NULL, NULL, 0, NULL, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "size of no arguments", call(w, NULL, 8, 0, NULL, NULL,
	    &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "arguments of no size", call(w, &args, 0, 0, NULL, NULL,
	    &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "objects in no arguments", call(w, NULL, 0, 1,
	    &w->buffer, places, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "objects nowhere", call(w, &args, sizeof(args), 1, NULL,
	    places, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "objects with no places", call(w, &args, sizeof(args),
	    1, &w->buffer, NULL, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "a list of no objects", call(w, &args, sizeof(args), 0,
	    &w->buffer, NULL, &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "places of no objects", call(w, &args, sizeof(args), 0,
	    NULL, places, &w->done), CL_INVALID_VALUE);
	wait_lists(w, can);
	if (can) {
		WANT_EVENT(w, "a function", call(w, NULL, 0, 0, NULL, NULL,
		    &w->done), CL_SUCCESS);
		return;
	}
	WANT_EVENT(w, "a device that runs none", call(w, NULL, 0, 0, NULL,
	    NULL, &w->done), CL_INVALID_OPERATION);
	WANT_EVENT(w, "a device that runs none, with arguments", call(w,
	    &args, sizeof(args), 1, &w->buffer, places, &w->done),
	    CL_INVALID_OPERATION);
}
