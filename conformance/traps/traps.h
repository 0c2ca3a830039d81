/* SPDX-License-Identifier: ISC */
/*
 * traps - where libraries that pretend to be a driver fall: what correct
 * programs may do and forwarders get wrong.
 *
 * Each trap is a function in a file of its own, trap/NAME.c, and prints lines
 * that do not depend on device or time.  They must be the same natively and
 * through vgpu.  Where a vendor does not survive the trap or is wrong itself,
 * trap/NAME.text has what the specification demands, and the reason.
 *
 *	traps -l	names
 *	traps NAME	walk into one
 */
#ifndef VGPU_CONFORMANCE_TRAPS_H
#define VGPU_CONFORMANCE_TRAPS_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>

#define TRAP(name) void name(void);
#include "conformance/traps/table.h"
#undef TRAP

/* Made by open_device: the first device, a context, an in-order queue. */
extern cl_platform_id platform;
extern cl_device_id device;
extern cl_context context;
extern cl_command_queue queue;
void open_device(void);
void close_device(void);

/* Print a line, at once. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* End the process, with a message, unless code is CL_SUCCESS. */
void must(cl_int code, const char *what);

/* The same where something else went wrong. */
_Noreturn void die(const char *what);

/* Memory or the end. */
void *get(size_t n);

/* A further queue of the device. */
cl_command_queue queue_new(cl_command_queue_properties);

/* A buffer of n bytes; content may be NULL. */
cl_mem buffer_new(size_t n, const void *content);

/* A built program and its kernel; the program is the kernel's. */
cl_program program_new(const char *source, const char *options);
cl_kernel kernel_new(const char *source, const char *name);

/* The same program, built from its binary; takes it. */
cl_program program_again(cl_program);

/* Source of `add': p[i] += n. */
extern const char add_source[];

/* Launch `add' on n elements; returns the event. */
cl_event add_launch(cl_command_queue, cl_kernel, cl_mem, cl_int amount,
    size_t n, cl_uint waits, const cl_event *wait);

/* A user event, and its end. */
cl_event gate_new(void);
void gate_open(cl_event gate, cl_int status);

/* Set a gate in another thread, some time from now. */
void gate_open_later(cl_event gate, cl_int status);

/* The status that the event has now. */
cl_int status_of(cl_event);

/* Look until the event has ended, at most 20 s; its status then. */
cl_int poll_end(cl_event);

/* Look until *n is at least value, at most 20 s. */
bool reaches(const _Atomic int *n, int value);

/* Wait for a child and say how it ended. */
void say_end(const char *who, int pid);

/* fork, with nothing left in our buffers. */
int fork_now(void);

/* What a program does that uses OpenCL: 0, or what went wrong. */
int compute(void);

#endif
