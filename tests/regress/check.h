/* SPDX-License-Identifier: ISC */
/*
 * check - calls that have to succeed, in programs of the regress tests.
 */
#ifndef VGPU_TESTS_REGRESS_CHECK_H
#define VGPU_TESTS_REGRESS_CHECK_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>

/* Else say what failed, and with which code, where the test can read it; end. */
void check(const char *what, cl_int code);

#endif
