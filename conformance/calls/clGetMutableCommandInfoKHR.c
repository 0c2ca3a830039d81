/* SPDX-License-Identifier: ISC */
#include "conformance/calls/mutable.h"

typedef cl_int function(mutable_command, cl_uint, size_t, void *, size_t *);

static function *call;

static cl_int
ask(struct world *w, void *object, cl_uint param, size_t size, void *value,
    size_t *size_ret)
{
	(void)w;
	return call(object, param, size, value, size_ret);
}

void
check_clGetMutableCommandInfoKHR(struct world *w)
{
	cl_kernel k = NULL;
	command_buffer b;
	mutable_command m;
	size_t n = 0;

	call = (function *)buffer_function(w, DISPATCHES,
	    "clGetMutableCommandInfoKHR");
	if (call == NULL)
		return;
	b = recording_open(w, CL_COMMAND_BUFFER_MUTABLE_KHR);
	m = mutable_record(w, b);
	query_cases(w, &(struct query){ .ask = ask, .object = m,
	    .type = "cl_mutable_command_khr",
	    .no_object = CL_INVALID_MUTABLE_COMMAND_KHR,
	    .param = CL_MUTABLE_DISPATCH_DIMENSIONS_KHR,
	    .size = sizeof(cl_uint) });
	WANT(w, "its kernel", call(m, CL_MUTABLE_DISPATCH_KERNEL_KHR,
	    sizeof(k), &k, NULL), CL_SUCCESS);
	IS(w, "its kernel is right", k == world_kernel(w));
	WANT(w, "its size", call(m, CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR,
	    sizeof(n), &n, NULL), CL_SUCCESS);
	IS(w, "its size is right", n == 16);
	recording_close(w, b);
}
