/* SPDX-License-Identifier: ISC */
#include "hostd/alias.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

const char *
alias_name(const char *lines, const char *own, char *out, size_t size)
{
	char pattern[ALIAS_MAX];
	size_t n, left;

	snprintf(out, size, "%s", own);
	for (; lines != NULL && *lines != '\0'; lines += n + (lines[n] != 0)) {
		n = strcspn(lines, "\n");
		left = strcspn(lines, "=\n");
		if (left == n || left >= sizeof(pattern))
			continue;
		memcpy(pattern, lines, left);
		pattern[left] = '\0';
		if (fnmatch(pattern, own, FNM_CASEFOLD) != 0)
			continue;
		snprintf(out, size, "%.*s", (int)(n - left - 1),
		    lines + left + 1);
		break;
	}
	return out;
}
