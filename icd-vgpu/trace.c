/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/trace.h"

#include <stdio.h>
#include <string.h>

static bool trace_any, trace_calls, trace_stats;

void
trace_open(const char *what)
{
	trace_any = what != NULL && what[0] != '\0';
	trace_calls = what != NULL && strstr(what, "calls") != NULL;
	trace_stats = what != NULL && strstr(what, "stats") != NULL;
}

bool
trace_wants_stats(void)
{
	return trace_stats;
}

void
trace_message(const struct message *m, const void *msg, uint64_t serial)
{
	char line[1024];

	if (!trace_calls)
		return;
	codec_print(line, sizeof(line), m, msg);
	fprintf(stderr, "vgpu: > %llu %s\n", (unsigned long long)serial, line);
}

void
trace_frame(unsigned type, unsigned flags, uint64_t serial, size_t len)
{
	const struct message *m;

	if (!trace_calls)
		return;
	m = message_find(type);
	fprintf(stderr, "vgpu: < %llu %s%s (%zu bytes)\n",
	    (unsigned long long)serial, m != NULL ? m->name : "?",
	    flags & FRAME_REPLY ? " reply" : "", len);
}

void
trace_text(const char *text)
{
	if (trace_calls)
		fprintf(stderr, "vgpu: %s\n", text);
}

void
trace_no_platform(const char *reason)
{
	if (trace_any)
		fprintf(stderr, "vgpu: no platform: %s\n", reason);
}
