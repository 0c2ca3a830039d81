/* SPDX-License-Identifier: ISC */
/*
 * trace - what VGPU_TRACE asks for, on standard error: "calls" one line a
 * message, "stats" one line of counters when the process ends.
 *
 * The one thing the library prints, and only when asked.
 */
#ifndef VGPU_ICD_TRACE_H
#define VGPU_ICD_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/codec.h"

/* What to trace, words with anything between, or NULL for nothing. */
void trace_open(const char *what);

/* Is "stats" among them? */
bool trace_wants_stats(void);

void trace_message(const struct message *, const void *msg, uint64_t serial);
void trace_frame(unsigned type, unsigned flags, uint64_t serial, size_t len);

/* A line of text, such as why the connection ended. */
void trace_text(const char *);

#endif
