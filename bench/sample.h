/* SPDX-License-Identifier: ISC */
/*
 * sample - times, and percentiles of many of them.
 *
 * Times are microseconds.  Nothing here knows OpenCL.
 */
#ifndef BENCH_SAMPLE_H
#define BENCH_SAMPLE_H

struct samples {
	double *v;
	unsigned n, room;
};

/* Microseconds since some moment. */
double now_us(void);

/* CPU used by this thread, and by all threads of this process. */
double cpu_thread_us(void);
double cpu_process_us(void);

/* Room for n samples.  Free it with samples_fini. */
void samples_init(struct samples *, unsigned n);
void samples_fini(struct samples *);

/* Add one; there must be room. */
void samples_add(struct samples *, double);

/*
 * The value that a part p (0 to 1) of the samples does not exceed, by nearest
 * rank.  There must be a sample; their order is lost.
 */
double samples_at(struct samples *, double p);

#endif
