/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static cl_mem
make(struct world *w, cl_mem_flags flags, cl_uint size, cl_uint n)
{
	return clCreatePipe(w->context, flags, size, n, NULL, &w->err);
}

static bool
has_pipes(struct world *w)
{
	return w->version < 30 || world_info(w, CL_DEVICE_PIPE_SUPPORT) != 0;
}

void
check_clCreatePipe(struct world *w)
{
	const cl_pipe_properties empty[] = { 0 };
	cl_uint max;

	if (older(w, 20))
		return;
	WANT_HANDLE_NEW(w, "context", cl_context, clCreatePipe(h, 0, 4, 4,
	    NULL, &w->err), CL_INVALID_CONTEXT);
	if (!has_pipes(w)) {
		WANT_NEW(w, "a device without pipes", make(w, 0, 4, 4),
		    CL_INVALID_OPERATION);
		return;
	}
	max = (cl_uint)world_info(w, CL_DEVICE_PIPE_MAX_PACKET_SIZE);
	WANT_NEW(w, "unknown flags", make(w, NO_SUCH_BIT, 4, 4),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "read only", make(w, CL_MEM_READ_ONLY, 4, 4),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "host read only", make(w, CL_MEM_HOST_READ_ONLY, 4, 4),
	    CL_INVALID_VALUE);
	WANT_NEW(w, "properties", clCreatePipe(w->context, 0, 4, 4, empty,
	    &w->err), CL_INVALID_VALUE);
	WANT_NEW(w, "packets of no size", make(w, 0, 0, 4),
	    CL_INVALID_PIPE_SIZE);
	WANT_NEW(w, "packets too large", make(w, 0, max + 1, 4),
	    CL_INVALID_PIPE_SIZE);
	WANT_NEW(w, "no packets", make(w, 0, 4, 0), CL_INVALID_PIPE_SIZE);
	WANT_NEW(w, "no flags", make(w, 0, 4, 4), CL_SUCCESS);
	WANT_NEW(w, "all flags", make(w, CL_MEM_READ_WRITE |
	    CL_MEM_HOST_NO_ACCESS, 4, 4), CL_SUCCESS);
	WANT_NEW(w, "the largest packets", make(w, 0, max, 1), CL_SUCCESS);
}
