/* SPDX-License-Identifier: ISC */
/*
 * output - what kernels print belongs to their client.
 *
 * Vendors print from kernels to standard output of their process, which is
 * this session's alone, so it is a pipe that is read here and sent on.  It is
 * drained before any news of a completed command leaves, so that a wait does
 * not return before what it covers was printed (OpenCL 3.0 C, 6.15.14).
 */
#ifndef VGPU_HOSTD_OUTPUT_H
#define VGPU_HOSTD_OUTPUT_H

#include "common/err.h"

struct serve;

/* Put the pipe in the place of standard output. */
enum vgpu_err output_open(struct serve *, struct err_text *);

/* Queue what has been printed so far for the client.  Any thread. */
void output_drain(struct serve *);

#endif
