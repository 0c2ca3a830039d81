/* SPDX-License-Identifier: ISC */
/*
 * fixture-load - chance that is the same each time, and how soon jobs could be
 * done by devices at best, for the tests of what assigns them.
 *
 * A job runs alone on its device, after those that were given to it before.
 */
#ifndef VGPU_TESTS_FIXTURE_LOAD_H
#define VGPU_TESTS_FIXTURE_LOAD_H

#include <stdint.h>

#define LOAD_DEVICES_MAX 8
#define LOAD_JOBS_MAX 400

struct load {
	unsigned devices, jobs;
	double speed[LOAD_DEVICES_MAX];	/* work a second */
	double work[LOAD_JOBS_MAX];
	double at[LOAD_JOBS_MAX];	/* seconds; ascending */
};

/* Begin the chance again; not with 0. */
void draw_from(uint64_t seed);

/* A number of these, both included. */
uint64_t draw(uint64_t from, uint64_t to);

/*
 * No assignment of all jobs, known from the start, can be done earlier: from
 * each moment on, all devices together have to do what comes from then on; and
 * each job has to be done by some device.
 */
double load_bound(const struct load *);

/* When the best of all assignments is done, tried one by one: for few jobs. */
double load_best(const struct load *);

#endif
