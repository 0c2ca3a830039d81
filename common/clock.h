/* SPDX-License-Identifier: ISC */
/*
 * clock - monotonic time, and deadlines in it.
 *
 * A deadline is an int64_t in nanoseconds of CLOCK_MONOTONIC; waits take
 * deadlines and not spans, so that a wait of several steps stays bounded.
 */
#ifndef VGPU_COMMON_CLOCK_H
#define VGPU_COMMON_CLOCK_H

#include <stdint.h>

#define CLOCK_NEVER INT64_MAX /* a deadline that does not come */
#define CLOCK_NS_PER_MS 1000000LL

/* Nanoseconds now. */
int64_t clock_ns(void);

/* Milliseconds now. */
int64_t clock_ms(void);

/* The deadline that is ms milliseconds from now. */
int64_t clock_after_ms(int64_t ms);

/*
 * What poll(2) takes to wait until a deadline: -1 for CLOCK_NEVER, 0 when it
 * has passed, else milliseconds, rounded up so that poll does not wake early.
 */
int clock_poll_ms(int64_t deadline);

#endif
