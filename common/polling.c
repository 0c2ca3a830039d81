/* SPDX-License-Identifier: ISC */
#define _GNU_SOURCE /* sched_getaffinity */
#include "common/polling.h"

#include <sched.h>
#include <stdatomic.h>

#include "common/clock.h"

#define VAIN_MAX 4	/* turns in vain before it becomes seldom */
#define SELDOM 16	/* then every so many */

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
polling_pays(struct polling *p)
{
	if (cores() < 2)
		return false;
	if (p->vain < VAIN_MAX)
		return true;
	if (++p->skipped < SELDOM)
		return false;
	p->skipped = 0;
	return true;
}

void
polling_start(struct polling *p)
{
	p->until = clock_ns() + POLLING_NS;
}

bool
polling_more(struct polling *p)
{
	if (p->until == 0)
		return false;
	if (clock_ns() >= p->until) {
		polling_stop(p, false);
		return false;
	}
	sched_yield();
	return true;
}

void
polling_stop(struct polling *p, bool found)
{
	if (p->until == 0)
		return;
	p->until = 0;
	p->vain = found ? 0 : p->vain + 1;
}
