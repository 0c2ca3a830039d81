/* SPDX-License-Identifier: ISC */
#include "conformance/calls/recording.h"

#include <string.h>

#define OLDEST CL_MAKE_VERSION(0, 9, 5)

void *
buffer_function(struct world *w, const char *name, const char *function)
{
	cl_name_version list[256];
	size_t n = 0, i;

	if (w->version < 30 || clGetDeviceInfo(w->device,
	    CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof(list), list, &n) !=
	    CL_SUCCESS)
		n = 0;
	for (i = 0; i < n / sizeof(list[0]); i++)
		if (strcmp(list[i].name, BUFFERS) == 0 &&
		    list[i].version >= OLDEST)
			return extension(w, name, function);
	skip(w, "all", "the device has no " BUFFERS " of version 0.9.5");
	return NULL;
}

static void *
function(struct world *w, const char *name)
{
	return clGetExtensionFunctionAddressForPlatform(w->platform, name);
}

static cl_int
barrier(struct world *w, command_buffer b, cl_uint *point)
{
	cl_int (*f)(RECORDER, RECORDED) = (cl_int (*)(RECORDER, RECORDED))
	    function(w, "clCommandBarrierWithWaitListKHR");

	return f(b, NULL, NULL, 0, NULL, point, NULL);
}

command_buffer
recording_open(struct world *w, cl_ulong flags)
{
	command_buffer (*f)(cl_uint, const cl_command_queue *,
	    const cl_ulong *, cl_int *) = (command_buffer (*)(cl_uint,
	    const cl_command_queue *, const cl_ulong *, cl_int *))
	    function(w, "clCreateCommandBufferKHR");
	const cl_ulong list[] = { CL_COMMAND_BUFFER_FLAGS_KHR, flags, 0 };
	command_buffer b;
	cl_int e;

	b = f(1, &w->queue, list, &e);
	must(e, "clCreateCommandBufferKHR");
	must(barrier(w, b, NULL), "clCommandBarrierWithWaitListKHR");
	return b;
}

static cl_int
call_with(struct world *w, const char *name, command_buffer b)
{
	cl_int (*f)(command_buffer) = (cl_int (*)(command_buffer))
	    function(w, name);

	return f(b);
}

void
recording_finalize(struct world *w, command_buffer b)
{
	must(call_with(w, "clFinalizeCommandBufferKHR", b),
	    "clFinalizeCommandBufferKHR");
}

void
recording_close(struct world *w, command_buffer b)
{
	must(call_with(w, "clReleaseCommandBufferKHR", b),
	    "clReleaseCommandBufferKHR");
}

/* Lists of sync-points; those of the buffer are 1 and, recorded here, more. */
static void
lists(struct world *w, const struct record *r, void *f, struct recorded a)
{
	cl_uint point = 0, none = 0, unknown = 1000000;

	a.n = 1;
	WANT(w, "sync-points nowhere", r->run(w, f, &a),
	    CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
	a.n = 0;
	a.list = &none;
	WANT(w, "no sync-points", r->run(w, f, &a),
	    CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
	a.n = 1;
	WANT(w, "sync-point 0", r->run(w, f, &a),
	    CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
	a.list = &unknown;
	WANT(w, "unknown sync-point", r->run(w, f, &a),
	    CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);
	must(barrier(w, a.buffer, &point), "clCommandBarrierWithWaitListKHR");
	a.list = &point;
	a.point = &none;
	WANT(w, "a sync-point", r->run(w, f, &a), CL_SUCCESS);
	IS(w, "it has one of its own", none != 0 && none != point);
}

static void
others(struct world *w, const struct record *r, void *f, struct recorded a)
{
	const cl_ulong unknown[] = { NO_SUCH_NAME, 1, 0 };
	mutable_command command = NULL;

	a.queue = w->queue;
	WANT(w, "a queue", r->run(w, f, &a), CL_INVALID_COMMAND_QUEUE);
	a.queue = NULL;
	a.properties = unknown;
	WANT(w, "unknown property", r->run(w, f, &a), CL_INVALID_VALUE);
	a.properties = NULL;
	a.foreign = true;
	if (!r->no_objects)
		WANT(w, "objects of another context", r->run(w, f, &a),
		    CL_INVALID_CONTEXT);
	a.foreign = false;
	a.handle = &command;
	if (!r->has_handle)
		WANT(w, "a handle", r->run(w, f, &a), CL_INVALID_VALUE);
	IS(w, "no handle was written", command == NULL);
}

void
record_cases(struct world *w, const struct record *r)
{
	void *f = buffer_function(w, BUFFERS, r->name);
	struct recorded a = { 0 };
	cl_uint point = 77;

	if (f == NULL)
		return;
	WANT(w, "no command buffer", r->run(w, f, &a),
	    CL_INVALID_COMMAND_BUFFER_KHR);
	a.buffer = (command_buffer)w->queue;
	WANT(w, "command buffer of another kind", r->run(w, f, &a),
	    CL_INVALID_COMMAND_BUFFER_KHR);
	a.buffer = recording_open(w, 0);
	others(w, r, f, a);
	lists(w, r, f, a);
	WANT(w, "a command", r->run(w, f, &a), CL_SUCCESS);
	recording_finalize(w, a.buffer);
	a.point = &point;
	WANT(w, "command buffer that is finalized", r->run(w, f, &a),
	    CL_INVALID_OPERATION);
	IS(w, "no sync-point was written", point == 77);
	recording_close(w, a.buffer);
}
