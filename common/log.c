/* SPDX-License-Identifier: ISC */
#include "common/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LOG_LINE_MAX 1024

static char log_program[32] = "vgpu";
static char log_pre[96];
static int log_fd = STDERR_FILENO;
static enum log_level log_max = LOG_LEVEL_INFO;

void
log_open(const char *program, int fd, enum log_level level)
{
	snprintf(log_program, sizeof(log_program), "%s", program);
	log_fd = fd;
	log_max = level;
}

void
log_prefix(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(log_pre, sizeof(log_pre), format, ap);
	va_end(ap);
}

static void log_line(enum log_level, const char *, va_list)
    __attribute__((format(printf, 2, 0)));

/* One write a line, so that lines of several processes do not mix. */
static void
log_line(enum log_level level, const char *format, va_list ap)
{
	char line[LOG_LINE_MAX];
	int error = errno, n;
	size_t len;

	if (level > log_max)
		return;
	n = snprintf(line, sizeof(line), "%s: %s%s", log_program, log_pre,
	    log_pre[0] ? ": " : "");
	len = (size_t)n;
	n = vsnprintf(line + len, sizeof(line) - len - 1, format, ap);
	if (n > 0)
		len += (size_t)n;
	if (len > sizeof(line) - 2)
		len = sizeof(line) - 2;
	line[len++] = '\n';
	if (write(log_fd, line, len) < 0)
		error = errno; /* nobody is left to tell */
	errno = error;
}

#define LOG_FUNCTION(name, level)			\
	void						\
	name(const char *format, ...)			\
	{						\
		va_list ap;				\
							\
		va_start(ap, format);			\
		log_line(level, format, ap);		\
		va_end(ap);				\
	}

LOG_FUNCTION(log_error, LOG_LEVEL_ERROR)
LOG_FUNCTION(log_warn, LOG_LEVEL_WARN)
LOG_FUNCTION(log_info, LOG_LEVEL_INFO)
LOG_FUNCTION(log_debug, LOG_LEVEL_DEBUG)

const char *
log_escape(char *out, size_t size, const char *text, size_t n)
{
	size_t i, at = 0;
	unsigned char c;

	for (i = 0; i < n && at + 5 < size; i++) {
		c = (unsigned char)text[i];
		if (c >= 0x20 && c < 0x7f && c != '\\')
			out[at++] = (char)c;
		else
			at += (size_t)snprintf(out + at, size - at, "\\x%02x",
			    c);
	}
	out[at] = '\0';
	return out;
}
