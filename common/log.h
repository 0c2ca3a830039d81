/* SPDX-License-Identifier: ISC */
/*
 * log - what the daemon and the tools say to an administrator.
 *
 * Lower case, the cause and not a guess, "key value" words.  Each line of a
 * session begins with it, by log_prefix.  The client library never calls this.
 * Text that came from a peer goes through log_escape first.
 */
#ifndef VGPU_COMMON_LOG_H
#define VGPU_COMMON_LOG_H

#include <stddef.h>

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO,
	LOG_LEVEL_DEBUG };

/*
 * Log to descriptor fd (borrowed), lines of at most the given level.  The
 * program's name begins each line.
 */
void log_open(const char *program, int fd, enum log_level);

/* Put "prefix: " before each further line ("session 4 tenant lab"). */
void log_prefix(const char *format, ...) __attribute__((format(printf, 1, 2)));

void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Copy n bytes of a peer's text to out (size bytes, NUL-terminated), with
 * control characters and non-ASCII bytes as \xNN, cut where it does not fit.
 * Returns out.
 */
const char *log_escape(char *out, size_t size, const char *text, size_t n);

#endif
