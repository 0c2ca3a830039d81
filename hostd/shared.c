/* SPDX-License-Identifier: ISC */
#include "hostd/shared.h"

#include <CL/cl.h>

#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hostd/memfd.h"
#include "hostd/serve.h"

static size_t
page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

bool
shared_possible(const struct serve *s, const struct vdevice *d)
{
	const struct transport *t = link_transport(s->control);

	return t->ops->send_fd != NULL && !d->pool->simulator &&
	    infoset_u64(&d->pool->info, CL_DEVICE_TYPE, 0) ==
	    CL_DEVICE_TYPE_CPU;
}

size_t
shared_pages(size_t size)
{
	const size_t page = page_size();

	if (size > SIZE_MAX - 2 * page)
		return 0;
	return (size + page - 1) & ~(page - 1);
}

size_t
shared_room(size_t size)
{
	size_t pages = shared_pages(size);

	return pages == 0 ? 0 : pages + page_size() - 1;
}

void *
shared_first(void *p)
{
	const uintptr_t page = page_size();

	return (uint8_t *)p + (-(uintptr_t)p & (page - 1));
}

enum vgpu_err
shared_open(void *p, size_t size, int *out, struct err_text *text)
{
	const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
	int fd = memfd_new("vgpu-svm", text);

	if (fd < 0)
		return VGPU_ESYS;
	if (ftruncate(fd, (off_t)size) != 0 ||
	    fcntl(fd, F_ADD_SEALS, seals) != 0 ||
	    mmap(p, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
	    0) != p) {
		err_sys(text, "cannot share %zu bytes", size);
		close(fd);
		return VGPU_ESYS;
	}
	*out = fd;
	return VGPU_OK;
}

bool
shared_close(void *p, size_t size)
{
	return mmap(p, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) ==
	    p;
}
