/* SPDX-License-Identifier: ISC */
#include "bench/floor_link.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sched.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/floor_tls.h"
#include "bench/reply.h"
#include "bench/sample.h"

static void
die(const char *what)
{
	reply_fail("%s: %s", what, strerror(errno));
}

static void
tcp_pair(int fds[2])
{
	struct sockaddr_in a = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t n = sizeof(a);
	const int one = 1;
	int i, fd;

	if ((fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) < 0 ||
	    bind(fd, (struct sockaddr *)&a, sizeof(a)) != 0 ||
	    listen(fd, 1) != 0 ||
	    getsockname(fd, (struct sockaddr *)&a, &n) != 0 ||
	    (fds[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) < 0 ||
	    connect(fds[0], (struct sockaddr *)&a, sizeof(a)) != 0 ||
	    (fds[1] = accept4(fd, NULL, NULL, SOCK_CLOEXEC)) < 0)
		die("loopback");
	close(fd);
	for (i = 0; i < 2; i++)
		setsockopt(fds[i], IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
}

void
floor_pair(enum floor_kind kind, bool stream, int fds[2])
{
	const int size = FLOOR_BUFFER;
	int i;

	if (kind != FLOOR_UNIX)
		tcp_pair(fds);
	else if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
		die("socketpair");
	for (i = 0; stream && i < 2; i++) {
		/* without the right to, as much as the system lets us have */
		if (setsockopt(fds[i], SOL_SOCKET, SO_SNDBUFFORCE, &size,
		    sizeof(size)) != 0)
			setsockopt(fds[i], SOL_SOCKET, SO_SNDBUF, &size,
			    sizeof(size));
		if (setsockopt(fds[i], SOL_SOCKET, SO_RCVBUFFORCE, &size,
		    sizeof(size)) != 0)
			setsockopt(fds[i], SOL_SOCKET, SO_RCVBUF, &size,
			    sizeof(size));
	}
}

/* Stay on the n-th of the processors that we may use. */
static void
pin(const cpu_set_t *all, int n)
{
	cpu_set_t one;
	unsigned i;

	n %= CPU_COUNT(all);
	for (i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, all) && n-- == 0)
			break;
	CPU_ZERO(&one);
	CPU_SET(i, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

pid_t
floor_fork(int fds[][2], unsigned n, void (*peer)(int *fd, unsigned n,
    const void *arg), const void *arg)
{
	cpu_set_t all;
	int theirs[8];
	unsigned i;
	pid_t pid;

	sched_getaffinity(0, sizeof(all), &all);
	fflush(stdout);
	if ((pid = fork()) < 0)
		die("fork");
	for (i = 0; i < n; i++) {
		close(fds[i][pid == 0 ? 0 : 1]);
		theirs[i] = fds[i][1];
	}
	pin(&all, pid == 0);
	if (pid == 0) {
		peer(theirs, n, arg);
		_exit(0);
	}
	return pid;
}

void
floor_join(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || status != 0)
		reply_fail("the other process: status %#x", (unsigned)status);
}

void
floor_open(struct floor_link *l, enum floor_kind kind, int fd, bool server,
    bool stream)
{
	*l = (struct floor_link){ .kind = kind, .fd = fd };
	if (kind == FLOOR_TLS)
		floor_tls_open(l, server, stream);
	if (!stream)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

void
floor_close(struct floor_link *l)
{
	SSL_free(l->ssl);
	close(l->fd);
}

void
floor_write(struct floor_link *l, const void *data, size_t size)
{
	const char *p = data;
	ssize_t n;

	while (size > 0) {
		n = l->ssl != NULL ? SSL_write(l->ssl, p, (int)size) :
		    write(l->fd, p, size);
		if (n <= 0)
			die("write");
		p += n;
		size -= (size_t)n;
	}
}

void
floor_flush(struct floor_link *l)
{
	if (l->out != NULL && BIO_flush(l->out) != 1)
		die("flush");
}

/* Some bytes of it; 0 when there are none yet. */
static size_t
take(struct floor_link *l, char *p, size_t size)
{
	ssize_t n;

	n = l->ssl != NULL ? SSL_read(l->ssl, p, (int)size) :
	    read(l->fd, p, size);
	if (n > 0)
		return (size_t)n;
	if (l->ssl != NULL ? SSL_get_error(l->ssl, (int)n) !=
	    SSL_ERROR_WANT_READ : n == 0 || errno != EAGAIN)
		die("read");
	return 0;
}

void
floor_read(struct floor_link *l, void *data, size_t size)
{
	struct pollfd p = { .fd = l->fd, .events = POLLIN };
	double began = now_us();
	char *to = data;
	size_t n;

	while (size > 0) {
		n = take(l, to, size);
		to += n;
		size -= n;
		if (n == 0 && now_us() - began >= l->poll_us)
			poll(&p, 1, -1);
	}
}
