/* SPDX-License-Identifier: ISC */
/*
 * unix - connected and listening Unix sockets, in bounded time.
 *
 * All sockets are non-blocking and close-on-exec.
 */
#ifndef VGPU_TRANSPORT_UNIX_H
#define VGPU_TRANSPORT_UNIX_H

#include <stdint.h>
#include <sys/types.h>

#include "common/err.h"

/*
 * Connect to the socket at a path and give it to the caller.  VGPU_ETIME: the
 * listener took no connection until the deadline.  VGPU_ESYS: nobody listens
 * there, or this user may not connect.
 */
enum vgpu_err unix_connect(const char *path, int64_t deadline, int *fd,
    struct err_text *);

/*
 * Listen at a path, with those permissions; group (gid_t)-1: this process's.
 * A socket that nobody listens on any more is replaced; anything else that is
 * there stays, and is an error (errno EADDRINUSE).
 */
enum vgpu_err unix_listen(const char *path, mode_t mode, gid_t group, int *fd,
    struct err_text *);

/*
 * Accept one connection.  VGPU_EAGAIN: none is waiting (any more).
 * VGPU_ESYS: such as out of descriptors.
 */
enum vgpu_err unix_accept(int listener, int *fd, struct err_text *);

#endif
