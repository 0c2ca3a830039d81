/* SPDX-License-Identifier: ISC */
/*
 * fds - descriptors on their way over a Unix socket, oldest first.
 */
#ifndef VGPU_TRANSPORT_FDS_H
#define VGPU_TRANSPORT_FDS_H

#include <sys/socket.h>

#include "common/err.h"

#define FDS_MAX 8

/* Owns them; all zero: none. */
struct fds {
	int v[FDS_MAX];
	unsigned n;
};

/* Room for all of them in a message of the kernel's. */
union fds_control {
	char bytes[CMSG_SPACE(FDS_MAX * sizeof(int))];
	struct cmsghdr align;
};

/* Put a copy in.  VGPU_EAGAIN: there are FDS_MAX.  VGPU_ESYS. */
enum vgpu_err fds_put(struct fds *, int fd, struct err_text *);

/* The oldest, now the caller's; -1: there is none. */
int fds_take(struct fds *);

void fds_close(struct fds *);

/* Make a message to be sent carry all of them, of which there are some. */
void fds_attach(struct msghdr *, union fds_control *, const struct fds *);

/* Keep those that came with a message; what there is no room for is closed. */
void fds_detach(struct msghdr *, struct fds *);

#endif
