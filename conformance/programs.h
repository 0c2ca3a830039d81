/* SPDX-License-Identifier: ISC */
/*
 * programs - what builds, kernels and launches give.
 *
 * Each line is a fact that a program can ask for, or what a kernel computed.
 * Run natively and through vgpu, the lines must be the same.  With an argument
 * that names a folder, include files in it are used.
 */
#ifndef VGPU_CONFORMANCE_PROGRAMS_H
#define VGPU_CONFORMANCE_PROGRAMS_H

#include <CL/cl.h>

extern cl_device_id device;
extern cl_context context;
extern cl_command_queue queue;

/* End the program, with a message, unless code is CL_SUCCESS. */
void must(cl_int code, const char *what);

cl_program program_of(const char *source);
cl_program build_of(const char *source, const char *options);
cl_kernel kernel_of(cl_program, const char *name);

/* Print what is known of a program and its build. */
void show_program(const char *what, cl_program);

/*
 * Launch with one work-item a kernel that writes one int to its argument 0, and
 * print it; the other arguments are set.
 */
void show_int(const char *what, cl_kernel);

void programs_build(void);
void programs_parts(void);
void programs_link(void);
void programs_binaries(void);
void programs_includes(const char *folder);
void programs_kernels(void);
void programs_arguments(void);

#endif
