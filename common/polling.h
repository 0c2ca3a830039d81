/* SPDX-License-Identifier: ISC */
/*
 * polling - whether to look again or to sleep, where news may come soon.
 *
 * A thread that sleeps takes some tens of microseconds to wake, more than the
 * answer to a short call takes to come.  So who expects one looks again and
 * again for as long as waking would take, and sleeps then: the wait never
 * costs more than twice what it had to.
 *
 * It does so only where that pays.  When looking was in vain some times
 * running, as behind a long kernel, it is tried seldom; when another thread
 * took the core meanwhile, or there is just one, not at all.
 *
 * One thread at a time uses a struct polling; zeroed it is ready for use.
 */
#ifndef VGPU_COMMON_POLLING_H
#define VGPU_COMMON_POLLING_H

#include <stdbool.h>
#include <stdint.h>

#define POLLING_NS 50000	/* how long it looks */

struct polling {
	int64_t until;		/* 0: it sleeps */
	unsigned vain;		/* turns without news, running */
	unsigned skipped;	/* turns not taken since the last one */
};

/* Would it pay now?  To be asked once for each time it might be done. */
bool polling_pays(struct polling *);

/* News may come soon, from now on. */
void polling_start(struct polling *);

/*
 * Look again?  False: sleep.  Lets other threads of this core go first; so
 * look once more after it was true.
 */
bool polling_more(struct polling *);

/* News came, or nothing is expected any more. */
void polling_stop(struct polling *, bool found);

/* For tests: so many cores, 0 for those there are. */
void polling_set_cores(unsigned);

#endif
