/* SPDX-License-Identifier: ISC */
#include "conformance/calls/rect_transfer.h"

static cl_int
write_rect(cl_command_queue q, cl_mem m, cl_bool blocking,
    const size_t *buffer_origin, const size_t *host_origin,
    const size_t *region, size_t buffer_row_pitch, size_t buffer_slice_pitch,
    size_t host_row_pitch, size_t host_slice_pitch, void *host, cl_uint n,
    const cl_event *list, cl_event *event)
{
	return clEnqueueWriteBufferRect(q, m, blocking, buffer_origin,
	    host_origin, region, buffer_row_pitch, buffer_slice_pitch,
	    host_row_pitch, host_slice_pitch, host, n, list, event);
}

void
check_clEnqueueWriteBufferRect(struct world *w)
{
	rect_transfer_cases(w, write_rect, false);
}
