/* SPDX-License-Identifier: ISC */
/*
 * contents - what memory objects hold after all kinds of commands on them.
 *
 * Each line names a step and has a number made from the bytes that the program
 * sees then.  Run natively and through vgpu, the lines must be the same.
 */
#ifndef VGPU_CONFORMANCE_CONTENTS_H
#define VGPU_CONFORMANCE_CONTENTS_H

#include <CL/cl.h>
#include <stddef.h>
#include <stdint.h>

/* What all steps use: one device, a context, an in-order queue. */
extern cl_device_id device;
extern cl_context context;
extern cl_command_queue queue;

/* End the program, with a message, unless code is CL_SUCCESS. */
void must(cl_int code, const char *what);

/* Memory or the end. */
void *get(size_t n);

/* The next number of a fixed row; less than limit. */
size_t pick(size_t limit);

/* Fill memory with such numbers. */
void scribble(void *, size_t n);

/* Print a step's line. */
void line(const char *what, const void *, size_t n);

void contents_of_buffers(void);
void contents_of_maps(void);
void contents_of_images(void);
void contents_of_formats(void);
void contents_of_host_memory(void);
void contents_of_svm(void);
void contents_of_large(void);

#endif
