/* SPDX-License-Identifier: ISC */
/*
 * polling - whether to look again or to sleep, where news may come soon.
 *
 * A thread that sleeps takes some tens of microseconds to wake, more than the
 * answer to a short call takes to come.  So who expects one looks again and
 * again for as long as waking would take, and sleeps then: the wait never
 * costs more than twice what it had to.
 *
 * It does so only where that pays.  When news took long some times running, as
 * behind a long kernel, it sleeps at once, until news has come soon again; on
 * one core it always does.  News that came a little late counts as soon: the
 * other end may have slept, too, and if both gave up both would go on sleeping.
 *
 * It yields the core each time it looks.  Where cores are busy that may cost
 * others' whole time slices, while who sleeps is woken at once; so after a
 * yield that took long it sleeps for many times as long as that.
 *
 * One thread at a time uses a struct polling; zeroed it is ready for use.
 */
#ifndef VGPU_COMMON_POLLING_H
#define VGPU_COMMON_POLLING_H

#include <stdbool.h>
#include <stdint.h>

#define POLLING_NS 50000	/* how long it looks */
#define POLLING_SOON_NS 200000	/* news within this came soon */

struct polling {
	int64_t since, until;	/* until 0: it sleeps */
	int64_t crowded;	/* until then the cores are taken for busy */
	unsigned late;		/* news that took long, running */
};

/* Does looking pay at present? */
bool polling_pays(const struct polling *);

/* News is expected from now on. */
void polling_start(struct polling *);

/*
 * Look again?  False: sleep.  Lets other threads of this core go first; so
 * look once more after it was true.
 */
bool polling_more(struct polling *);

/* A yield took from before to after; for polling_more, and tests. */
void polling_yielded(struct polling *, int64_t before, int64_t after);

/* News came, to who looked or who slept. */
void polling_news(struct polling *);

/* For tests: so many cores, 0 for those there are. */
void polling_set_cores(unsigned);

#endif
