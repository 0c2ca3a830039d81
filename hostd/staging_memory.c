/* SPDX-License-Identifier: ISC */
#define _DEFAULT_SOURCE /* MADV_HUGEPAGE */
#include "hostd/staging_memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#define ALIGNMENT 128		/* the largest OpenCL type */
#define HUGE_PAGE ((size_t)2 << 20)
/* Shorter ones are kept by malloc well enough. */
#define SMALL ((size_t)64 << 10)
#define BLOCKS_MAX 64

struct block {
	void *p;
	size_t room;
};

static struct {
	pthread_mutex_t lock;
	struct block block[BLOCKS_MAX];	/* the last one was used last */
	unsigned n;
	bool taken;			/* since the last trim */
	struct staging_memory_stats stats;
} kept = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Sizes that differ little share a block. */
static size_t
round_up(size_t n)
{
	size_t unit = n < HUGE_PAGE ? SMALL : HUGE_PAGE;

	if (n > SIZE_MAX - unit)
		return 0;
	return (n + unit - 1) / unit * unit;
}

/* The one used last of those that fit, as its pages are warm. */
static void *
take_kept(size_t n, size_t *room)
{
	void *p = NULL;
	unsigned i;

	pthread_mutex_lock(&kept.lock);
	kept.taken = true;
	for (i = kept.n; i-- > 0;)
		if (kept.block[i].room >= n && kept.block[i].room / 4 <= n)
			break;
	if (i < kept.n) {
		p = kept.block[i].p;
		*room = kept.block[i].room;
		kept.stats.kept -= *room;
		for (kept.n--; i < kept.n; i++)
			kept.block[i] = kept.block[i + 1];
	} else {
		kept.stats.fresh++;
	}
	pthread_mutex_unlock(&kept.lock);
	return p;
}

void *
staging_memory_take(size_t n, size_t *room)
{
	void *p;

	if (n <= SMALL) {
		*room = n;
		return posix_memalign(&p, ALIGNMENT, n > 0 ? n : 1) == 0 ? p :
		    NULL;
	}
	if ((n = round_up(n)) == 0)
		return NULL;
	if ((p = take_kept(n, room)) != NULL)
		return p;
	if (posix_memalign(&p, n < HUGE_PAGE ? ALIGNMENT : HUGE_PAGE, n) != 0)
		return NULL;
	if (n >= HUGE_PAGE)
		(void)madvise(p, n, MADV_HUGEPAGE);
	*room = n;
	return p;
}

void
staging_memory_give(void *p, size_t room)
{
	if (p != NULL && room > SMALL) {
		pthread_mutex_lock(&kept.lock);
		if (kept.n < BLOCKS_MAX && room <= STAGING_MEMORY_KEPT &&
		    kept.stats.kept <= STAGING_MEMORY_KEPT - room) {
			kept.block[kept.n++] = (struct block){ p, room };
			kept.stats.kept += room;
			p = NULL;
		}
		pthread_mutex_unlock(&kept.lock);
	}
	free(p);
}

bool
staging_memory_trim(void)
{
	struct block old[BLOCKS_MAX];
	unsigned n = 0, i;
	bool more;

	pthread_mutex_lock(&kept.lock);
	if (!kept.taken) {
		for (; n < kept.n; n++)
			old[n] = kept.block[n];
		kept.n = 0;
		kept.stats.kept = 0;
	}
	more = kept.taken;
	kept.taken = false;
	pthread_mutex_unlock(&kept.lock);
	for (i = 0; i < n; i++)
		free(old[i].p);
	return more;
}

void
staging_memory_get_stats(struct staging_memory_stats *out)
{
	pthread_mutex_lock(&kept.lock);
	*out = kept.stats;
	pthread_mutex_unlock(&kept.lock);
}
