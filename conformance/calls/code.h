/* SPDX-License-Identifier: ISC */
/*
 * code - the names of OpenCL's error codes.
 */
#ifndef VGPU_CONFORMANCE_CALLS_CODE_H
#define VGPU_CONFORMANCE_CALLS_CODE_H

#include <CL/cl.h>

/* Of a code without a name, its number; valid until three calls later. */
const char *code_name(cl_int);

#endif
