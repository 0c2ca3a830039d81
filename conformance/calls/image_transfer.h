/* SPDX-License-Identifier: ISC */
/*
 * image_transfer - the cases of clEnqueueReadImage and clEnqueueWriteImage.
 */
#ifndef VGPU_CONFORMANCE_CALLS_IMAGE_TRANSFER_H
#define VGPU_CONFORMANCE_CALLS_IMAGE_TRANSFER_H

#include "conformance/calls/calls.h"

typedef cl_int image_function(cl_command_queue, cl_mem, cl_bool blocking,
    const size_t *origin, const size_t *region, size_t row_pitch,
    size_t slice_pitch, void *host, cl_uint n, const cl_event *list,
    cl_event *event);
void image_transfer_cases(struct world *, image_function *, bool reads);

#endif
