/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/trace.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool any, calls, stats, summary;
static int to = STDERR_FILENO;

void
trace_open(const char *what, const char *file)
{
	if (to != STDERR_FILENO)
		close(to);
	to = STDERR_FILENO;
	any = what != NULL && what[0] != '\0';
	calls = what != NULL && strstr(what, "calls") != NULL;
	stats = what != NULL && strstr(what, "stats") != NULL;
	summary = what != NULL && strstr(what, "summary") != NULL;
	if (any && file != NULL && file[0] != '\0')
		to = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
		    0600);
	if (to < 0)
		to = STDERR_FILENO;
}

bool
trace_wants_stats(void)
{
	return stats;
}

void
trace_stats(const char *line)
{
	if (stats)
		dprintf(to, "vgpu: stats %s\n", line);
}

bool
trace_wants_summary(void)
{
	return summary;
}

void
trace_summary(const char *line)
{
	if (summary)
		dprintf(to, "vgpu: summary %s\n", line);
}

void
trace_message(const struct message *m, const void *msg, uint64_t serial)
{
	char line[1024];

	if (!calls)
		return;
	codec_print(line, sizeof(line), m, msg);
	dprintf(to, "vgpu: > %llu %s\n", (unsigned long long)serial, line);
}

void
trace_frame(unsigned type, unsigned flags, uint64_t serial, size_t len)
{
	const struct message *m;

	if (!calls)
		return;
	m = message_find(type);
	dprintf(to, "vgpu: < %llu %s%s (%zu bytes)\n",
	    (unsigned long long)serial, m != NULL ? m->name : "?",
	    flags & FRAME_REPLY ? " reply" : "", len);
}

void
trace_text(const char *text)
{
	if (calls)
		dprintf(to, "vgpu: %s\n", text);
}

void
trace_no_platform(const char *reason)
{
	if (any)
		dprintf(to, "vgpu: no platform: %s\n", reason);
}
