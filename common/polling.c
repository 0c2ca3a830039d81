/* SPDX-License-Identifier: ISC */
#define _GNU_SOURCE /* sched_getaffinity */
#include "common/polling.h"

#include <sched.h>
#include <stdatomic.h>

#include "common/clock.h"

#define LATE_MAX 4	/* times that news is late before it gives up */
#define YIELD_NS 200000	/* a yield that took longer: others need the core */
#define CROWDED 50	/* so many times as long it looks no more */

static atomic_uint cores_told, cores_found;

void
polling_set_cores(unsigned n)
{
	atomic_store(&cores_told, n);
}

/* Cores that this thread may run on. */
static unsigned
cores(void)
{
	unsigned n = atomic_load_explicit(&cores_told, memory_order_relaxed);
	cpu_set_t set;

	if (n != 0)
		return n;
	n = atomic_load_explicit(&cores_found, memory_order_relaxed);
	if (n == 0) {
		/* More than fit into the set are more than one. */
		n = sched_getaffinity(0, sizeof(set), &set) == 0 ?
		    (unsigned)CPU_COUNT(&set) : 2;
		atomic_store(&cores_found, n);
	}
	return n;
}

bool
polling_pays(const struct polling *p)
{
	return cores() > 1 && p->late < LATE_MAX && clock_ns() >= p->crowded;
}

void
polling_start(struct polling *p)
{
	p->since = clock_ns();
	p->until = polling_pays(p) ? p->since + POLLING_NS : 0;
}

void
polling_yielded(struct polling *p, int64_t before, int64_t after)
{
	if (after - before <= YIELD_NS)
		return;
	p->until = 0;
	p->crowded = after + CROWDED * (after - before);
}

bool
polling_more(struct polling *p)
{
	int64_t before;

	if (p->until == 0)
		return false;
	if ((before = clock_ns()) >= p->until) {
		p->until = 0;
		return false;
	}
	sched_yield();
	polling_yielded(p, before, clock_ns());
	return true;
}

void
polling_news(struct polling *p)
{
	p->until = 0;
	if (clock_ns() - p->since < POLLING_SOON_NS)
		p->late = 0;
	else if (p->late < LATE_MAX)
		p->late++;
}
