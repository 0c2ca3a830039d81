/* SPDX-License-Identifier: ISC */
#define _GNU_SOURCE /* accept4 */
#include "transport/unix.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"

#define BACKLOG 128
#define RETRY_MS 2
#define SOCKET_BUFFER (4 << 20)

static enum vgpu_err
set_address(struct sockaddr_un *a, const char *path, struct err_text *err)
{
	size_t n = strlen(path);

	memset(a, 0, sizeof(*a));
	a->sun_family = AF_UNIX;
	if (n >= sizeof(a->sun_path)) {
		errno = ENAMETOOLONG;
		return err_set(err, VGPU_ECONF, "the socket's path is %zu "
		    "bytes long, at most %zu are possible", n,
		    sizeof(a->sun_path) - 1);
	}
	memcpy(a->sun_path, path, n + 1);
	return VGPU_OK;
}

static int
open_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

/*
 * Room for what one end writes while the other does something else; the
 * ordinary way where this process may not have more.
 */
static void
tune(int fd)
{
	int n = SOCKET_BUFFER;

	if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &n, sizeof(n)) != 0)
		(void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &n, sizeof(n));
}

/* --- connect -------------------------------------------------------------- */

static enum vgpu_err
explain(const char *path, struct err_text *err)
{
	if (errno == ENOENT || errno == ENOTDIR)
		return err_set(err, VGPU_ESYS, "cannot connect to %s: there "
		    "is no such socket; does vgpu-hostd run, and listen "
		    "there?", path);
	if (errno == ECONNREFUSED)
		return err_set(err, VGPU_ESYS, "cannot connect to %s: nobody "
		    "listens there; does vgpu-hostd run?", path);
	return err_sys(err, "cannot connect to %s", path);
}

enum vgpu_err
unix_connect(const char *path, int64_t deadline, int *out,
    struct err_text *err)
{
	const struct timespec pause = { 0, RETRY_MS * 1000000L };
	struct sockaddr_un a;
	enum vgpu_err e;
	int fd;

	if ((e = set_address(&a, path, err)) != VGPU_OK)
		return e;
	if ((fd = open_socket()) < 0)
		return err_sys(err, "cannot make a socket");
	tune(fd);
	while (connect(fd, (struct sockaddr *)&a, sizeof(a)) != 0) {
		if (errno == EINTR)
			continue;
		/* Its queue is full, and nothing to poll for. */
		if (errno == EAGAIN && clock_ns() < deadline) {
			nanosleep(&pause, NULL);
			continue;
		}
		e = errno == EAGAIN ? err_set(err, VGPU_ETIME,
		    "no answer in time from %s", path) : explain(path, err);
		close(fd);
		return e;
	}
	*out = fd;
	return VGPU_OK;
}

/* --- listen --------------------------------------------------------------- */

/* True when there is a socket whose listener is gone. */
static bool
is_stale(const struct sockaddr_un *a)
{
	struct stat st;
	bool stale;
	int fd;

	if (lstat(a->sun_path, &st) != 0 || !S_ISSOCK(st.st_mode) ||
	    (fd = open_socket()) < 0)
		return false;
	stale = connect(fd, (const struct sockaddr *)a, sizeof(*a)) != 0 &&
	    errno == ECONNREFUSED;
	close(fd);
	return stale;
}

/* The file is private until its group is right. */
static bool
bind_at(int fd, const struct sockaddr_un *a, mode_t mode, gid_t group)
{
	int rc;

	(void)fchmod(fd, S_IRUSR | S_IWUSR);
	rc = bind(fd, (const struct sockaddr *)a, sizeof(*a));
	if (rc != 0 && errno == EADDRINUSE) {
		if (!is_stale(a)) {
			errno = EADDRINUSE;
			return false;
		}
		if (unlink(a->sun_path) == 0)
			rc = bind(fd, (const struct sockaddr *)a, sizeof(*a));
	}
	return rc == 0 && (group == (gid_t)-1 ||
	    chown(a->sun_path, (uid_t)-1, group) == 0) &&
	    chmod(a->sun_path, mode) == 0 && listen(fd, BACKLOG) == 0;
}

enum vgpu_err
unix_listen(const char *path, mode_t mode, gid_t group, int *out,
    struct err_text *err)
{
	struct sockaddr_un a;
	enum vgpu_err e;
	int fd, error;

	if ((e = set_address(&a, path, err)) != VGPU_OK)
		return e;
	if ((fd = open_socket()) < 0)
		return err_sys(err, "cannot make a socket");
	if (bind_at(fd, &a, mode, group)) {
		*out = fd;
		return VGPU_OK;
	}
	e = err_sys(err, "%s", path);
	error = errno;
	close(fd);
	errno = error;
	return e;
}

enum vgpu_err
unix_accept(int listener, int *fd, struct err_text *err)
{
	int n;

	do
		n = accept4(listener, NULL, NULL, SOCK_NONBLOCK |
		    SOCK_CLOEXEC);
	while (n < 0 && (errno == EINTR || errno == ECONNABORTED));
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return VGPU_EAGAIN;
	if (n < 0)
		return err_sys(err, "cannot accept a connection");
	tune(n);
	*fd = n;
	return VGPU_OK;
}
