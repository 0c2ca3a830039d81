/* SPDX-License-Identifier: ISC */
#include "conformance/calls/recording.h"

typedef cl_int function(command_buffer, cl_uint, size_t, void *, size_t *);

static function *call;

static cl_int
ask(struct world *w, void *object, cl_uint param, size_t size, void *value,
    size_t *size_ret)
{
	(void)w;
	return call(object, param, size, value, size_ret);
}

static cl_uint
state(command_buffer b)
{
	cl_uint s = 77;

	must(call(b, CL_COMMAND_BUFFER_STATE_KHR, sizeof(s), &s, NULL),
	    "CL_COMMAND_BUFFER_STATE_KHR");
	return s;
}

void
check_clGetCommandBufferInfoKHR(struct world *w)
{
	cl_command_queue q = NULL;
	command_buffer b;

	call = (function *)buffer_function(w, BUFFERS,
	    "clGetCommandBufferInfoKHR");
	if (call == NULL)
		return;
	b = recording_open(w, 0);
	query_cases(w, &(struct query){ .ask = ask, .object = b,
	    .type = "cl_command_buffer_khr",
	    .no_object = CL_INVALID_COMMAND_BUFFER_KHR,
	    .param = CL_COMMAND_BUFFER_NUM_QUEUES_KHR,
	    .size = sizeof(cl_uint) });
	WANT(w, "queues", call(b, CL_COMMAND_BUFFER_QUEUES_KHR, sizeof(q), &q,
	    NULL), CL_SUCCESS);
	IS(w, "its queue", q == w->queue);
	IS(w, "it is recording", state(b) ==
	    CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
	recording_finalize(w, b);
	IS(w, "it can be executed", state(b) ==
	    CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
	recording_close(w, b);
}
