/* SPDX-License-Identifier: ISC */
/*
 * mixed_world - one context over all devices, of several vendors, with a queue
 * that profiles for each.
 */
#ifndef VGPU_TESTS_REGRESS_MIXED_WORLD_H
#define VGPU_TESTS_REGRESS_MIXED_WORLD_H

#include <stdbool.h>

#include "tests/regress/check.h"

#define DEVICES_MAX 16

extern cl_platform_id platform;
extern cl_device_id device[DEVICES_MAX];
extern cl_command_queue queue[DEVICES_MAX];
extern cl_context context;
extern cl_uint n;

void open_all(void);

/* Releases all, and prints how many devices there were. */
void close_all(void);

/* Print a line; end where it is not right. */
void tell(const char *what, bool right);

#endif
