/* SPDX-License-Identifier: ISC */
#include "conformance/calls/enqueue.h"
#include "conformance/calls/recording.h"

typedef cl_int function(cl_uint, cl_command_queue *, command_buffer, cl_uint,
    const cl_event *, cl_event *);

static function *call;
static command_buffer buffer;

static cl_int
run(struct world *w, cl_command_queue q, cl_uint n, const cl_event *list,
    cl_event *event)
{
	(void)w;
	return call(1, &q, buffer, n, list, event);
}

void
check_clEnqueueCommandBufferKHR(struct world *w)
{
	const struct enqueue e = { .run = run,
		.type = CL_COMMAND_COMMAND_BUFFER_KHR };
	cl_command_queue two[2] = { w->queue, w->queue };

	call = (function *)buffer_function(w, BUFFERS,
	    "clEnqueueCommandBufferKHR");
	if (call == NULL)
		return;
	WANT_HANDLE(w, "command buffer", command_buffer, call(0, NULL, h, 0,
	    NULL, NULL), CL_INVALID_COMMAND_BUFFER_KHR);
	buffer = recording_open(w, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
	WANT_EVENT(w, "command buffer that is not finalized", call(0, NULL,
	    buffer, 0, NULL, &w->done), CL_INVALID_OPERATION);
	recording_finalize(w, buffer);
	WANT_EVENT(w, "queues nowhere", call(1, NULL, buffer, 0, NULL,
	    &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "no queues", call(0, two, buffer, 0, NULL, &w->done),
	    CL_INVALID_VALUE);
	WANT_EVENT(w, "more queues than it has", call(2, two, buffer, 0, NULL,
	    &w->done), CL_INVALID_VALUE);
	WANT_EVENT(w, "its own queue", call(0, NULL, buffer, 0, NULL,
	    &w->done), CL_SUCCESS);
	enqueue_cases(w, &e);
	must(clFinish(w->queue), "clFinish");
	recording_close(w, buffer);
}
