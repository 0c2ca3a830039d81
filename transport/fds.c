/* SPDX-License-Identifier: ISC */
#include "transport/fds.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum vgpu_err
fds_put(struct fds *fds, int fd, struct err_text *err)
{
	int copy;

	if (fds->n == FDS_MAX)
		return err_set(err, VGPU_EAGAIN,
		    "%d descriptors wait to be sent already", FDS_MAX);
	if ((copy = fcntl(fd, F_DUPFD_CLOEXEC, 0)) < 0)
		return err_sys(err, "cannot send a descriptor");
	fds->v[fds->n++] = copy;
	return VGPU_OK;
}

int
fds_take(struct fds *fds)
{
	int fd;

	if (fds->n == 0)
		return -1;
	fd = fds->v[0];
	memmove(fds->v, fds->v + 1, --fds->n * sizeof(fds->v[0]));
	return fd;
}

void
fds_close(struct fds *fds)
{
	while (fds->n > 0)
		close(fds->v[--fds->n]);
}

void
fds_attach(struct msghdr *h, union fds_control *control,
    const struct fds *fds)
{
	size_t n = fds->n * sizeof(int);
	struct cmsghdr *c;

	memset(control, 0, sizeof(*control));
	h->msg_control = control;
	h->msg_controllen = CMSG_SPACE(n);
	c = CMSG_FIRSTHDR(h);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(n);
	memcpy(CMSG_DATA(c), fds->v, n);
}

void
fds_detach(struct msghdr *h, struct fds *fds)
{
	struct cmsghdr *c;
	size_t i, n;
	int fd;

	for (c = CMSG_FIRSTHDR(h); c != NULL; c = CMSG_NXTHDR(h, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (i = 0; i < n; i++) {
			memcpy(&fd, CMSG_DATA(c) + i * sizeof(fd),
			    sizeof(fd));
			if (fds->n < FDS_MAX)
				fds->v[fds->n++] = fd;
			else
				close(fd);
		}
	}
}
