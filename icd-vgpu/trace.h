/* SPDX-License-Identifier: ISC */
/*
 * trace - VGPU_TRACE=calls writes one line a message to standard error.
 *
 * The one thing the library prints, and only when asked.
 */
#ifndef VGPU_ICD_TRACE_H
#define VGPU_ICD_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "protocol/codec.h"

/* What to trace: "calls", or NULL for nothing. */
void trace_open(const char *what);

void trace_message(const struct message *, const void *msg, uint64_t serial);
void trace_frame(unsigned type, unsigned flags, uint64_t serial, size_t len);

/* A line of text, such as why the connection ended. */
void trace_text(const char *);

#endif
