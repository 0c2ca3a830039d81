/* SPDX-License-Identifier: ISC */
#include "conformance/calls/image_transfer.h"

static cl_int
write_image(cl_command_queue q, cl_mem m, cl_bool blocking,
    const size_t *origin, const size_t *region, size_t row_pitch,
    size_t slice_pitch, void *host, cl_uint n, const cl_event *list,
    cl_event *event)
{
	return clEnqueueWriteImage(q, m, blocking, origin, region, row_pitch,
	    slice_pitch, host, n, list, event);
}

void
check_clEnqueueWriteImage(struct world *w)
{
	image_transfer_cases(w, write_image, false);
}
