/* SPDX-License-Identifier: ISC */
/*
 * fork - the library's state when the program forks.
 *
 * The parent goes on as if nothing had happened.  The child has none of our
 * threads and must not touch the connection, which is the parent's.  There the
 * library starts anew: it connects again when the program first needs a
 * host.  Platform and root devices stay what they are, as loaders and programs
 * remember them; all other handles of the parent's are invalid.
 *
 * A lock that guards what the child uses further is taken before the fork, so
 * that no other thread is amidst a change then.
 */
#ifndef VGPU_ICD_FORK_H
#define VGPU_ICD_FORK_H

#include <pthread.h>

enum fork_phase {
	FORK_PREPARE,	/* in the parent, before */
	FORK_PARENT,	/* in the parent, after */
	FORK_CHILD	/* in the child: only async-signal-safe calls */
};

/* Look after forks from now on; any number of times. */
void fork_watch(void);

/* What happens to such a lock. */
static inline void
fork_mutex(pthread_mutex_t *lock, enum fork_phase phase)
{
	if (phase == FORK_PREPARE)
		pthread_mutex_lock(lock);
	else
		pthread_mutex_unlock(lock);
}

#endif
