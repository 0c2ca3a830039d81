/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/svm.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "icd-vgpu/object.h"
#include "icd-vgpu/usm.h"

/* No page is larger. */
#define PAGE_MAX 65536

/* All allocations by address; they do not overlap. */
static struct {
	pthread_mutex_t lock;
	struct svm **list;
	size_t count, room;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The index of the first allocation that ends after p; lock held. */
static size_t
lower_bound(const uint8_t *p)
{
	size_t low = 0, high = all.count, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if ((uintptr_t)all.list[mid]->base + all.list[mid]->size <=
		    (uintptr_t)p)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static struct svm *
find_locked(const uint8_t *p, size_t n)
{
	size_t i = lower_bound(p), before;
	struct svm *s;

	if (i == all.count || (s = all.list[i])->base > p ||
	    s->context == NULL)
		return NULL;
	before = (size_t)(p - s->base);
	return n <= s->size - before ? s : NULL;
}

struct svm *
svm_find_range(const void *p, size_t n)
{
	struct svm *s;

	pthread_mutex_lock(&all.lock);
	s = find_locked(p, n);
	pthread_mutex_unlock(&all.lock);
	return s;
}

struct svm *
svm_find(const void *p)
{
	return svm_find_range(p, 1);
}

void
svm_each(void (*visit)(struct svm *, void *arg), void *arg)
{
	size_t i;

	pthread_mutex_lock(&all.lock);
	for (i = 0; i < all.count; i++)
		visit(all.list[i], arg);
	pthread_mutex_unlock(&all.lock);
}

/*
 * The pages that only the allocation at base uses, where i is its index or
 * would be: those at its ends may be its neighbours' too.  Lock held.
 */
static void
own_pages(uintptr_t base, size_t size, const struct svm *before,
    const struct svm *after, uintptr_t *low, uintptr_t *high)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t last;

	*low = base & ~(page - 1);
	*high = (base + size + page - 1) & ~(page - 1);
	if (before != NULL) {
		last = (uintptr_t)before->base + before->size - 1;
		if ((last & ~(page - 1)) == *low)
			*low += page;
	}
	if (after != NULL && *low < *high &&
	    ((uintptr_t)after->base & ~(page - 1)) == *high - page)
		*high -= page;
}

/*
 * Whether a file holds n bytes and always will: else the program would be
 * ended by SIGBUS.
 */
static bool
is_lasting(int fd, size_t n)
{
	struct stat st;
	int seals = fcntl(fd, F_GET_SEALS);

	return seals >= 0 && (seals & F_SEAL_SHRINK) && fstat(fd, &st) == 0 &&
	    st.st_size > 0 && (size_t)st.st_size >= n;
}

static bool
map_pages(uintptr_t low, uintptr_t high, int fd)
{
	int how = fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
	void *want, *got;

	if (low >= high)
		return true;
	if (fd >= 0 && !is_lasting(fd, high - low))
		return false;
	memcpy(&want, &low, sizeof(want));
	got = mmap(want, high - low, PROT_READ | PROT_WRITE, how |
	    MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0);
	if (got == want)
		return true;
	/* Kernels before 4.17 take the address as a hint. */
	if (got != MAP_FAILED)
		munmap(got, high - low);
	return false;
}

static void
unmap_pages(uintptr_t low, uintptr_t high)
{
	void *p;

	memcpy(&p, &low, sizeof(p));
	if (low < high)
		munmap(p, high - low);
}

static bool
make_room(void)
{
	size_t room = all.room != 0 ? all.room * 2 : 16;
	struct svm **list;

	if (all.count < all.room)
		return true;
	if ((list = realloc(all.list, room * sizeof(struct svm *))) == NULL)
		return false;
	all.list = list;
	all.room = room;
	return true;
}

/* Take out the allocation of an index; its pages are to be unmapped. */
static struct svm *
take_out(size_t i, uintptr_t *low, uintptr_t *high)
{
	struct svm *s = all.list[i];

	own_pages((uintptr_t)s->base, s->size, i > 0 ? all.list[i - 1] : NULL,
	    i + 1 < all.count ? all.list[i + 1] : NULL, low, high);
	all.count--;
	memmove(all.list + i, all.list + i + 1,
	    (all.count - i) * sizeof(struct svm *));
	return s;
}

static void
svm_free(struct svm *s)
{
	twin_fini(&s->twin);
	object_unuse(s->context);
	free(s);
}

/* Make room where memory of before a fork is in the way; lock held. */
static void
drop_left_over(size_t i, const struct svm *s)
{
	uintptr_t low, high;

	while (i < all.count && all.list[i]->context == NULL &&
	    all.list[i]->base < s->base + s->size) {
		svm_free(take_out(i, &low, &high));
		unmap_pages(low, high);
	}
}

/* Fine-grained memory begins with a page, and shares none with another. */
static bool
is_apart(const struct svm *s, uintptr_t low, uintptr_t high)
{
	return low == (uintptr_t)s->base && high - low >= s->size;
}

/* Map and insert; lock held. */
static bool
enter_locked(struct svm *s, int fd)
{
	size_t i = lower_bound(s->base);
	const struct svm *after;
	uintptr_t low, high;

	drop_left_over(i, s);
	after = i < all.count ? all.list[i] : NULL;
	/* A host that gives out an address twice is not believed. */
	if (after != NULL && after->base < s->base + s->size)
		return false;
	own_pages((uintptr_t)s->base, s->size, i > 0 ? all.list[i - 1] : NULL,
	    after, &low, &high);
	if (s->kind.fine && !is_apart(s, low, high))
		return false;
	if (!make_room() || !map_pages(low, high, fd))
		return false;
	memmove(all.list + i + 1, all.list + i,
	    (all.count - i) * sizeof(struct svm *));
	all.list[i] = s;
	all.count++;
	return true;
}

bool
svm_enter(struct context *c, uint64_t address, size_t size,
    const struct svm_kind *kind, int fd)
{
	struct svm *s;
	uintptr_t base = (uintptr_t)address, end;
	bool ok;

	if (base != address || base == 0 || size == 0 ||
	    kind->fine != (fd >= 0) ||
	    __builtin_add_overflow(base, size, &end) ||
	    end > UINTPTR_MAX - PAGE_MAX ||
	    (s = calloc(1, sizeof(*s))) == NULL)
		return false;
	memcpy(&s->base, &base, sizeof(s->base));
	s->size = size;
	s->kind = *kind;
	s->context = object_use(c);
	pthread_mutex_lock(&all.lock);
	ok = enter_locked(s, fd);
	pthread_mutex_unlock(&all.lock);
	if (!ok)
		svm_free(s);
	else if (!usm_enter(s))
		ok = !svm_leave(s->base, NULL, NULL);
	return ok;
}

bool
svm_leave(const void *p, void (*send)(void *), void *arg)
{
	struct svm *s = NULL;
	uintptr_t low, high;
	size_t i;

	pthread_mutex_lock(&all.lock);
	i = lower_bound(p);
	if (i < all.count && all.list[i]->base == p &&
	    all.list[i]->context != NULL) {
		s = take_out(i, &low, &high);
		if (send != NULL)
			send(arg);
		unmap_pages(low, high);
	}
	pthread_mutex_unlock(&all.lock);
	if (s == NULL)
		return false;
	svm_free(s);
	return true;
}

void
svm_fork(enum fork_phase phase)
{
	size_t i;

	for (i = 0; phase == FORK_CHILD && i < all.count; i++)
		all.list[i]->context = NULL;
	fork_mutex(&all.lock, phase);
}
