/* SPDX-License-Identifier: ISC */
#include "bench/reply.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

static FILE *out;

void
reply_to(FILE *f)
{
	out = f;
}

void
reply_value(const char *name, const char *part, double value, const char *unit)
{
	fprintf(out, "%s%s%s %.9g %s\n", name, part != NULL ? "." : "",
	    part != NULL ? part : "", value, unit);
}

void
reply_fail(const char *format, ...)
{
	va_list ap;

	fputs("error: ", out);
	va_start(ap, format);
	vfprintf(out, format, ap);
	va_end(ap);
	fputc('\n', out);
	fflush(out);
	/* whatever is stuck in a library's exit handlers */
	_exit(1);
}
