/* SPDX-License-Identifier: ISC */
#include "hostd/arena.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/log.h"
#include "hostd/memfd.h"
#include "hostd/serve.h"

#define SIZE_MIN ((size_t)64 << 30)
#define TIMES_MEMORY 4		/* places are rounded up, and not moved */
#define HUGE_PAGE ((size_t)2 << 20)

static uint8_t *base;
static size_t size;

static size_t
wanted_size(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
	size_t n = SIZE_MIN;

	if (pages > 0 && page > 0)
		while (n / TIMES_MEMORY / (size_t)page < (size_t)pages)
			n *= 2;
	return n;
}

static enum vgpu_err
make(int *out, struct err_text *text)
{
	const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
	size_t n = wanted_size();
	void *p;
	int fd;

	if ((fd = memfd_new("vgpu-arena", text)) < 0)
		return VGPU_ESYS;
	if (ftruncate(fd, (off_t)n) != 0 || fcntl(fd, F_ADD_SEALS, seals) != 0 ||
	    (p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED |
	    MAP_NORESERVE, fd, 0)) == MAP_FAILED) {
		err_sys(text, "cannot map %zu bytes", n);
		close(fd);
		return VGPU_ESYS;
	}
	madvise(p, n, MADV_DONTDUMP);
	base = p;
	size = n;
	*out = fd;
	return VGPU_OK;
}

bool
arena_open(struct serve *s)
{
	struct err_text text;
	enum vgpu_err e;
	int fd;

	if (link_transport(s->control)->ops->send_fd == NULL || base != NULL)
		return false;
	if ((e = make(&fd, &text)) == VGPU_OK) {
		e = link_send_fd(s->control, fd, &text);
		close(fd);
	}
	if (e != VGPU_OK)
		log_warn("no shared memory: %s", text.s);
	return e == VGPU_OK;
}

bool
arena_is_open(void)
{
	return base != NULL;
}

void *
arena_at(uint64_t offset, size_t n)
{
	return offset <= size && n <= size - offset ? base + offset : NULL;
}

void
arena_prepare(void *p, size_t n)
{
	if (n >= HUGE_PAGE)
		madvise(p, n & ~(HUGE_PAGE - 1), MADV_HUGEPAGE);
}

void
arena_give_back(struct serve *s, uint64_t offset, bool large)
{
	const struct msg_place_free m = { .place = offset };

	serve_send(s, &desc_place_free, &m, large);
}
