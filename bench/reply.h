/* SPDX-License-Identifier: ISC */
/*
 * reply - what a benchmark says: lines "NAME VALUE UNIT", or what failed.
 *
 * The lines go to whoever asked (see serve.h).  A benchmark whose result is
 * wrong has no time; it fails, and its process ends with it.
 */
#ifndef BENCH_REPLY_H
#define BENCH_REPLY_H

#include <stdio.h>

/* Where replies go from now on. */
void reply_to(FILE *);

/* One value of the benchmark name; part is NULL where it has but one. */
void reply_value(const char *name, const char *part, double value,
    const char *unit);

/* Say "error: ..." and end this process with status 1. */
void reply_fail(const char *format, ...)
    __attribute__((noreturn, format(printf, 1, 2)));

#endif
