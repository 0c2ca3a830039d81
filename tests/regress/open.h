/* SPDX-License-Identifier: ISC */
/*
 * open - the first device of the first platform, and what nearly each program
 * of the regress tests begins with on it.  It lasts as long as the program,
 * which ends where a call fails (check.h).
 */
#ifndef VGPU_TESTS_REGRESS_OPEN_H
#define VGPU_TESTS_REGRESS_OPEN_H

#include "tests/regress/check.h"

cl_device_id open_device(void);

/* Of that device alone. */
cl_context open_context(cl_device_id);

cl_command_queue open_queue(cl_context, cl_device_id,
    cl_command_queue_properties);

/* Without content. */
cl_mem open_buffer(cl_context, size_t);

/* Of a source, built for all devices of the context, without options. */
cl_program open_program(cl_context, const char *source);

cl_kernel open_kernel(cl_program, const char *name);

#endif
