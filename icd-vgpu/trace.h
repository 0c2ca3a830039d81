/* SPDX-License-Identifier: ISC */
/*
 * trace - what VGPU_TRACE asks for, on standard error or at the end of a
 * file: "calls" one line a message, "stats" one line of counters and
 * "summary" a table when the process ends, and any word one line that says why,
 * where there is no platform.
 *
 * The one thing the library prints, and only when asked.
 */
#ifndef VGPU_ICD_TRACE_H
#define VGPU_ICD_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "protocol/codec.h"

/*
 * What to trace, words with anything between, or NULL for nothing; and the
 * file that the lines go to, or NULL for the standard error, where they go,
 * too, when the file can't be opened.  Called again, the last call counts.
 */
void trace_open(const char *what, const char *file);

/* Is "stats" among them? */
bool trace_wants_stats(void);

/* A line for "stats", without its newline. */
void trace_stats(const char *);

/* Is "summary" among them, and a line for it. */
bool trace_wants_summary(void);
void trace_summary(const char *);

void trace_message(const struct message *, const void *msg, uint64_t serial);
void trace_frame(unsigned type, unsigned flags, uint64_t serial, size_t len);

/* A line of text, such as why the connection ended, for "calls". */
void trace_text(const char *);

/* Why there is no platform, for every word. */
void trace_no_platform(const char *reason);

#endif
