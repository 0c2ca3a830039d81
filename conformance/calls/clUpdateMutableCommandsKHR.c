/* SPDX-License-Identifier: ISC */
#include "conformance/calls/mutable.h"

typedef cl_int function(command_buffer, cl_uint, const cl_uint *,
    const void **);

static function *call;

static cl_int
update(command_buffer b, const struct khr_dispatch_config *c)
{
	const cl_uint type = KHR_UPDATE_DISPATCH_CONFIG;
	const void *list = c;

	return call(b, 1, &type, &list);
}

static void
shapes(struct world *w, command_buffer b)
{
	const cl_uint type = KHR_UPDATE_DISPATCH_CONFIG, unknown = 77;
	const struct khr_dispatch_config c = { 0 };
	const void *list = &c, *none = NULL;

	WANT(w, "types nowhere", call(b, 1, NULL, &list), CL_INVALID_VALUE);
	WANT(w, "changes nowhere", call(b, 1, &type, NULL), CL_INVALID_VALUE);
	WANT(w, "no changes, but types", call(b, 0, &type, NULL),
	    CL_INVALID_VALUE);
	WANT(w, "no changes, but a list", call(b, 0, NULL, &list),
	    CL_INVALID_VALUE);
	WANT(w, "unknown type", call(b, 1, &unknown, &list),
	    CL_INVALID_VALUE);
	WANT(w, "a change nowhere", call(b, 1, &type, &none),
	    CL_INVALID_VALUE);
	WANT(w, "no command", update(b, &c), CL_INVALID_MUTABLE_COMMAND_KHR);
}

static void
changes(struct world *w, command_buffer b, mutable_command m)
{
	const size_t n[2] = { 32, 1 };
	const struct khr_arg arg = { 1, 4, n };
	struct khr_dispatch_config c = { .command = m, .work_dim = 2,
		.global_work_size = n };

	WANT(w, "another dimension", update(b, &c), CL_INVALID_OPERATION);
	c.work_dim = 1;
	c.global_work_offset = n;
	WANT(w, "an offset, which may not change", update(b, &c),
	    CL_INVALID_OPERATION);
	c.global_work_offset = NULL;
	c.local_work_size = n;
	WANT(w, "a local size, which may not change", update(b, &c),
	    CL_INVALID_OPERATION);
	c.local_work_size = NULL;
	c.num_args = 1;
	c.args = &arg;
	WANT(w, "an argument, which may not change", update(b, &c),
	    CL_INVALID_OPERATION);
	c.num_args = 0;
	WANT(w, "no arguments, but a list", update(b, &c), CL_INVALID_VALUE);
	c.args = NULL;
	WANT(w, "a global size", update(b, &c), CL_SUCCESS);
}

void
check_clUpdateMutableCommandsKHR(struct world *w)
{
	struct khr_dispatch_config c = { 0 };
	command_buffer b, other;

	call = (function *)buffer_function(w, DISPATCHES,
	    "clUpdateMutableCommandsKHR");
	if (call == NULL)
		return;
	WANT_HANDLE(w, "command buffer", command_buffer, update(h, &c),
	    CL_INVALID_COMMAND_BUFFER_KHR);
	b = recording_open(w, CL_COMMAND_BUFFER_MUTABLE_KHR);
	other = recording_open(w, 0);
	c.command = mutable_record(w, b);
	WANT(w, "command buffer that is not finalized", update(b, &c),
	    CL_INVALID_OPERATION);
	recording_finalize(w, b);
	recording_finalize(w, other);
	WANT(w, "command buffer that may not change", update(other, &c),
	    CL_INVALID_OPERATION);
	shapes(w, b);
	changes(w, b, c.command);
	recording_close(w, b);
	recording_close(w, other);
}
