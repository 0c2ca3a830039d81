/* SPDX-License-Identifier: ISC */
#include "conformance/calls/recording.h"

typedef command_buffer function(cl_uint, const cl_command_queue *,
    const cl_ulong *, cl_int *);

void
check_clCreateCommandBufferKHR(struct world *w)
{
	const cl_ulong unknown[] = { NO_SUCH_NAME, 1, 0 };
	const cl_ulong bits[] = { CL_COMMAND_BUFFER_FLAGS_KHR, NO_SUCH_BIT,
		0 };
	const cl_ulong twice[] = { CL_COMMAND_BUFFER_FLAGS_KHR, 0,
		CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0 };
	const cl_ulong right[] = { CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0 };
	function *f = (function *)buffer_function(w, BUFFERS,
	    "clCreateCommandBufferKHR");
	const cl_command_queue *q = &w->queue;
	command_buffer b = NULL;

	if (f == NULL)
		return;
	WANT_HANDLE_NEW(w, "queue", cl_command_queue, f(1, &h, NULL, &w->err),
	    CL_INVALID_COMMAND_QUEUE);
	WANT_NEW(w, "no queues", f(0, q, NULL, &w->err), CL_INVALID_VALUE);
	WANT_NEW(w, "queues nowhere", f(1, NULL, NULL, &w->err),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "unknown property", f(1, q, unknown, &w->err),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "unknown flags", f(1, q, bits, &w->err),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "flags twice", f(1, q, twice, &w->err), CL_INVALID_VALUE);
	WANT_NEW(w, "a command buffer", b = f(1, q, right, &w->err),
	    CL_SUCCESS);
	if (b != NULL)
		recording_close(w, b);
}
