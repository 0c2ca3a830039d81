/* SPDX-License-Identifier: ISC */
#include "bench/sample.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double
clock_us(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

double
now_us(void)
{
	return clock_us(CLOCK_MONOTONIC);
}

double
cpu_thread_us(void)
{
	return clock_us(CLOCK_THREAD_CPUTIME_ID);
}

double
cpu_process_us(void)
{
	return clock_us(CLOCK_PROCESS_CPUTIME_ID);
}

void
samples_init(struct samples *s, unsigned n)
{
	s->n = 0;
	s->room = n;
	if ((s->v = calloc(n, sizeof(*s->v))) == NULL) {
		perror("samples");
		exit(1);
	}
}

void
samples_fini(struct samples *s)
{
	free(s->v);
}

void
samples_add(struct samples *s, double v)
{
	assert(s->n < s->room);
	s->v[s->n++] = v;
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double
samples_at(struct samples *s, double p)
{
	unsigned rank = (unsigned)ceil(p * s->n);

	assert(s->n > 0);
	qsort(s->v, s->n, sizeof(*s->v), compare);
	return s->v[rank > 0 ? rank - 1 : 0];
}
