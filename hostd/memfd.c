/* SPDX-License-Identifier: ISC */
#include "hostd/memfd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHUNK 65536

int
memfd_new(const char *name, struct err_text *text)
{
	int fd;

	fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd < 0)
		err_sys(text, "cannot make a file in memory");
	return fd;
}

int
memfd_sealed(const char *name, const void *p, size_t n, struct err_text *text)
{
	const uint8_t *at = p;
	ssize_t put;
	int fd;

	if ((fd = memfd_new(name, text)) < 0)
		return -1;
	while (n > 0) {
		put = write(fd, at, n);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			goto fail;
		at += put;
		n -= (size_t)put;
	}
	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE |
	    F_SEAL_SEAL) == 0)
		return fd;
fail:
	err_sys(text, "cannot fill a file in memory");
	close(fd);
	return -1;
}

enum vgpu_err
memfd_read(int fd, size_t max, struct buf *out, struct err_text *text)
{
	off_t at = 0;
	uint8_t *to;
	ssize_t got;

	for (;;) {
		if ((to = buf_reserve(out, CHUNK)) == NULL)
			return err_set(text, VGPU_ENOMEM, "out of memory");
		got = pread(fd, to, CHUNK, at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_sys(text, "cannot read");
		if (got == 0)
			return VGPU_OK;
		at += got;
		if ((size_t)at > max)
			return err_set(text, VGPU_EPROTO,
			    "more than %zu bytes", max);
		buf_commit(out, (size_t)got);
	}
}

enum vgpu_err
memfd_read_file(const char *file, size_t max, struct buf *out,
    struct err_text *text)
{
	struct err_text why;
	enum vgpu_err rc;
	int fd;

	if ((fd = open(file, O_RDONLY | O_CLOEXEC)) < 0)
		return err_sys(text, "cannot open %s", file);
	rc = memfd_read(fd, max, out, &why);
	close(fd);
	return rc == VGPU_OK ? rc : err_set(text, rc, "%s: %s", file, why.s);
}
