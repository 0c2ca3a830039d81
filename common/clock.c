/* SPDX-License-Identifier: ISC */
#include "common/clock.h"

#include <limits.h>
#include <time.h>

int64_t
clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

int64_t
clock_ms(void)
{
	return clock_ns() / CLOCK_NS_PER_MS;
}

int64_t
clock_after_ms(int64_t ms)
{
	int64_t now = clock_ns();

	if (ms > (CLOCK_NEVER - now) / CLOCK_NS_PER_MS)
		return CLOCK_NEVER;
	return now + ms * CLOCK_NS_PER_MS;
}

int
clock_poll_ms(int64_t deadline)
{
	int64_t left;

	if (deadline == CLOCK_NEVER)
		return -1;
	if (deadline <= (left = clock_ns()))
		return 0;
	left = (deadline - left - 1) / CLOCK_NS_PER_MS + 1;
	return left > INT_MAX ? INT_MAX : (int)left;
}
