/* SPDX-License-Identifier: ISC */
/*
 * program - programs that differ by a number, so that no cache has them.
 */
#ifndef BENCH_PROGRAM_H
#define BENCH_PROGRAM_H

struct world;

/* How long it takes to build the program of a number, in us. */
double program_time(const struct world *, const char *number);

/* Build it, run each of its kernels once, and check what one of them wrote. */
void program_run(const struct world *, const char *number);

#endif
