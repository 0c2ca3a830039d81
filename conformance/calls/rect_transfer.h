/* SPDX-License-Identifier: ISC */
/*
 * rect_transfer - the cases of clEnqueueReadBufferRect and
 * clEnqueueWriteBufferRect.
 */
#ifndef VGPU_CONFORMANCE_CALLS_RECT_TRANSFER_H
#define VGPU_CONFORMANCE_CALLS_RECT_TRANSFER_H

#include "conformance/calls/calls.h"

typedef cl_int rect_function(cl_command_queue, cl_mem, cl_bool blocking,
    const size_t *buffer_origin, const size_t *host_origin,
    const size_t *region, size_t buffer_row_pitch, size_t buffer_slice_pitch,
    size_t host_row_pitch, size_t host_slice_pitch, void *host, cl_uint n,
    const cl_event *list, cl_event *event);
void rect_transfer_cases(struct world *, rect_function *, bool reads);

#endif
