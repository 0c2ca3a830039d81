/* SPDX-License-Identifier: ISC */
/*
 * queries - the parts of the program that asks everything.
 */
#ifndef VGPU_CONFORMANCE_QUERIES_H
#define VGPU_CONFORMANCE_QUERIES_H

#include <CL/cl.h>
#include <stddef.h>

/* End the program, with a message, unless code is CL_SUCCESS. */
void must(cl_int code, const char *what);

/* One line, or one for each element of a list, of what a query gave. */
void print_value(const char *who, unsigned param, const void *, size_t n);

/* Sub-groups, specialization constants, built-in kernels of a device. */
void queries_of_kernels(cl_platform_id, cl_device_id);

/* Calls of extensions that only ask. */
void queries_of_extensions(cl_platform_id, cl_device_id);

#endif
