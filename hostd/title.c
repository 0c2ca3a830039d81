/* SPDX-License-Identifier: ISC */
#include "hostd/title.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

static char *title_at;
static size_t title_room;

void
title_init(int argc, char **argv)
{
	char *last;

	if (argc < 1)
		return;
	last = argv[argc - 1];
	title_at = argv[0];
	title_room = (size_t)(last + strlen(last) - title_at);
}

void
title_set(const char *format, ...)
{
	char text[TITLE_MAX], name[16];
	va_list ap;
	int n;

	n = snprintf(text, sizeof(text), "vgpu-hostd: ");
	va_start(ap, format);
	vsnprintf(text + n, sizeof(text) - (size_t)n, format, ap);
	va_end(ap);
	if (title_at != NULL && title_room > 0) {
		memset(title_at, 0, title_room);
		snprintf(title_at, title_room, "%s", text);
	}
	/* top and the kernel's own messages show this shorter name */
	snprintf(name, sizeof(name), "vgpu: %.9s", text + n);
	prctl(PR_SET_NAME, name);
}
