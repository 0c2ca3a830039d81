/* SPDX-License-Identifier: ISC */
/* A program that may have few files open can still use a device. */
#include <sys/resource.h>

#include "conformance/traps/traps.h"

void
few_descriptors(void)
{
	struct rlimit limit = { 40, 40 };

	say("limit: %d", setrlimit(RLIMIT_NOFILE, &limit));
	say("compute: %d", compute());
	say("again: %d", compute());
}
