/* SPDX-License-Identifier: ISC */
/*
 * role - what a child of a benchmark does (child.h).
 *
 *	first		a kernel; says 1 when it has ended
 *	build NUMBER	the program of that number; says how many us that took
 *	program NUMBER	builds it and runs all its kernels
 *	busy		says 1 when ready, is told when to begin and end,
 *			says how many kernels there were in between
 *	idle		says 1 when a kernel has ended, then stays until its
 *			input is closed
 */
#ifndef BENCH_ROLE_H
#define BENCH_ROLE_H

/* Play it in this process; an exit status.  arg may be NULL. */
int role_play(const char *role, const char *arg);

/* Steps of spin in a kernel of busy: about a millisecond. */
#define ROLE_BUSY_STEPS 400000

#endif
