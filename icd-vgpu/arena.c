/* SPDX-License-Identifier: ISC */
#define _GNU_SOURCE /* memfd's seals */
#include "icd-vgpu/arena.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK_BITS 21		/* huge pages, where there are any */
#define CHUNK ((size_t)1 << CHUNK_BITS)
#define CLASS_MIN 8		/* bits of the smallest place */
#define CLASSES 48
#define COLD_BITS 16		/* places from here on may lose their memory */
#define KEEP_MAX ((size_t)32 << 20)	/* memory of places that are free */

/* A chunk's places: their class and use, or that it is inside of a place. */
#define CHUNK_INSIDE 0xff
#define WARM 1u			/* in a free place's offset: it has memory */

struct stock {
	uint64_t *free;
	size_t n, room;
	size_t out;		/* given out */
	size_t fresh, end;	/* of a chunk, never given out yet */
};

static struct {
	pthread_mutex_t lock;
	uint8_t *base;
	size_t size;
	int fd;
	size_t used;		/* chunks given to stocks */
	uint8_t *chunk;		/* of each: class and use; 0: unused */
	size_t kept, bodies;	/* bytes */
	struct stock stock[ARENA_USES][CLASSES];
} arena = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- opening ----------------------------------------------------------- */

static enum vgpu_err
check_file(int fd, size_t *size, struct err_text *text)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct stat st;

	if (fstat(fd, &st) != 0)
		return err_sys(text, "cannot look at the host's memory");
	if (seals < 0 || !(seals & F_SEAL_SHRINK) || !S_ISREG(st.st_mode) ||
	    st.st_size < (off_t)CHUNK || st.st_size % (off_t)CHUNK != 0)
		return err_set(text, VGPU_EPROTO, "the host's memory is not"
		    " what it should be");
	*size = (size_t)st.st_size;
	return VGPU_OK;
}

/*
 * At a multiple of a chunk, for huge pages, and far from where processes have
 * their memory: the host's addresses of shared virtual memory have to be free
 * here, and the arena is large.
 */
static uint8_t *
map(int fd, size_t size)
{
	static uintptr_t wish = (uintptr_t)(UINT64_C(1) << 45);
	uint8_t *p, *at;
	size_t skip;

	memcpy(&p, &wish, sizeof(p));
	p = mmap(p, size + CHUNK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS |
	    MAP_NORESERVE, -1, 0);
	if (p == MAP_FAILED)
		return NULL;
	/* A child of this process has another one. */
	wish += size + CHUNK;
	skip = -(uintptr_t)p & (CHUNK - 1);
	at = mmap(p + skip, size, PROT_READ | PROT_WRITE, MAP_SHARED |
	    MAP_NORESERVE | MAP_FIXED, fd, 0);
	if (at == MAP_FAILED) {
		munmap(p, size + CHUNK);
		return NULL;
	}
	madvise(at, size, MADV_DONTDUMP);
	if (skip > 0)
		munmap(p, skip);
	munmap(at + size, CHUNK - skip);
	return at;
}

enum vgpu_err
arena_open(int fd, struct err_text *text)
{
	enum vgpu_err e;
	size_t size = 0;

	if ((e = check_file(fd, &size, text)) == VGPU_OK &&
	    ((arena.chunk = calloc(size >> CHUNK_BITS, 1)) == NULL ||
	    (arena.base = map(fd, size)) == NULL))
		e = err_set(text, VGPU_ENOMEM, "the host's memory does not"
		    " fit in");
	if (e != VGPU_OK) {
		free(arena.chunk);
		arena.chunk = NULL;
		close(fd);
		return e;
	}
	arena.size = size;
	arena.fd = fd;
	return VGPU_OK;
}

/*
 * The pages stay for those who still read them; what the child writes is not
 * for the parent's host.
 */
static void
leave_to_parent(void)
{
	mmap(arena.base, arena.size, PROT_READ | PROT_WRITE, MAP_PRIVATE |
	    MAP_NORESERVE | MAP_FIXED, arena.fd, 0);
	close(arena.fd);
	arena.base = NULL;
	arena.chunk = NULL;
	arena.used = arena.kept = arena.bodies = 0;
	memset(arena.stock, 0, sizeof(arena.stock));
}

void
arena_fork(enum fork_phase phase)
{
	fork_mutex(&arena.lock, phase);
	if (phase == FORK_CHILD && arena.base != NULL)
		leave_to_parent();
}

/* ---- places ------------------------------------------------------------ */

static unsigned
class_of(size_t n)
{
	unsigned bits = CLASS_MIN;

	while (bits < CLASSES && (size_t)1 << bits < n)
		bits++;
	return bits;
}

/* New chunks for a stock; false: there are none. */
static bool
take_chunks(struct stock *s, enum arena_use use, unsigned class)
{
	size_t n = class > CHUNK_BITS ? (size_t)1 << (class - CHUNK_BITS) : 1;
	size_t total = arena.size >> CHUNK_BITS;

	if (n > total - arena.used)
		return false;
	memset(arena.chunk + arena.used, CHUNK_INSIDE, n);
	arena.chunk[arena.used] = (uint8_t)(class | (unsigned)use << 6);
	s->fresh = arena.used << CHUNK_BITS;
	s->end = s->fresh + n * CHUNK;
	arena.used += n;
	if (class >= CHUNK_BITS)
		madvise(arena.base + s->fresh, n * CHUNK, MADV_HUGEPAGE);
	return true;
}

/* The lock is held. */
static uint8_t *
take(enum arena_use use, unsigned class)
{
	struct stock *s = &arena.stock[use][class];
	uint64_t at;

	if (s->n > 0) {
		at = s->free[--s->n];
		if (at & WARM)
			arena.kept -= (size_t)1 << class;
		at &= ~(uint64_t)WARM;
	} else {
		if (s->fresh == s->end && !take_chunks(s, use, class))
			return NULL;
		at = s->fresh;
		s->fresh += (size_t)1 << class;
	}
	s->out++;
	return arena.base + at;
}

uint8_t *
arena_new(enum arena_use use, size_t n)
{
	unsigned class = class_of(n);
	uint8_t *p = NULL;

	if (class >= CLASSES)
		return NULL;
	pthread_mutex_lock(&arena.lock);
	if (arena.base != NULL && (use != ARENA_BODIES ||
	    arena.bodies + ((size_t)1 << class) <= ARENA_BODIES_MAX))
		p = take(use, class);
	if (p != NULL && use == ARENA_BODIES)
		arena.bodies += (size_t)1 << class;
	pthread_mutex_unlock(&arena.lock);
	return p;
}

uint64_t
arena_offset(const uint8_t *p)
{
	return (uint64_t)(p - arena.base);
}

/* The stock of a place that was given out; NULL: it is no such place. */
static struct stock *
find(uint64_t at, unsigned *class, enum arena_use *use)
{
	unsigned kind;
	struct stock *s;

	if (arena.base == NULL || at >= arena.size)
		return NULL;
	kind = arena.chunk[at >> CHUNK_BITS];
	if (kind == 0 || kind == CHUNK_INSIDE)
		return NULL;
	*class = kind & 63;
	*use = kind >> 6;
	s = &arena.stock[*use][*class];
	if (s->out == 0 || (*class < CHUNK_BITS ?
	    at & (((uint64_t)1 << *class) - 1) : at & (CHUNK - 1)))
		return NULL;
	return s;
}

/* Without memory for the list the place is lost. */
static void
put(struct stock *s, uint64_t at)
{
	size_t room = s->n < s->room ? s->room : 2 * s->n + 16;
	uint64_t *more = s->free;

	if (room > s->room &&
	    (more = realloc(s->free, room * sizeof(*more))) == NULL)
		return;
	s->free = more;
	s->room = room;
	s->free[s->n++] = at;
}

bool
arena_returned(uint64_t at)
{
	enum arena_use use = ARENA_BUFFERS;
	unsigned class = 0;
	struct stock *s;
	size_t n;

	pthread_mutex_lock(&arena.lock);
	if ((s = find(at, &class, &use)) == NULL) {
		pthread_mutex_unlock(&arena.lock);
		return false;
	}
	n = (size_t)1 << class;
	s->out--;
	if (use == ARENA_BODIES)
		arena.bodies -= n;
	if (class >= COLD_BITS && arena.kept + n > KEEP_MAX) {
		madvise(arena.base + at, n, MADV_REMOVE);
		put(s, at);
	} else {
		arena.kept += n;
		put(s, at | WARM);
	}
	pthread_mutex_unlock(&arena.lock);
	return true;
}

void
arena_free(uint8_t *p)
{
	if (p != NULL)
		arena_returned(arena_offset(p));
}
