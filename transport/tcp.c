/* SPDX-License-Identifier: ISC */
#define _GNU_SOURCE /* accept4 */
#include "transport/tcp.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/clock.h"
#include "transport/lookup.h"

#define ATTEMPTS_MAX 8	  /* addresses of one name that are tried */
#define ATTEMPT_MS 200	  /* head start of each over the next (RFC 8305) */
#define BACKLOG 128
#define SOCKET_BUFFER (4 << 20)

static void
set_option(int fd, int level, int option, int value)
{
	/* Each is an improvement, none is needed. */
	(void)setsockopt(fd, level, option, &value, sizeof(value));
}

/*
 * Large buffers carry a stream at full speed over a long path, but asking for
 * them in the ordinary way would switch the kernel's own tuning off and be
 * cut to less than it reaches.  So only who may force them does.
 */
static void
tune(int fd)
{
	set_option(fd, SOL_SOCKET, SO_SNDBUFFORCE, SOCKET_BUFFER);
	set_option(fd, SOL_SOCKET, SO_RCVBUFFORCE, SOCKET_BUFFER);
	set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, 15);
	set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, 5);
	set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, 3);
}

static int
open_socket(int family)
{
	return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
	    IPPROTO_TCP);
}

/* --- connect -------------------------------------------------------------- */

struct attempts {
	struct pollfd fds[ATTEMPTS_MAX];
	nfds_t n;
	int error; /* errno of the last that failed */
	int fd;	   /* the one that succeeded, or -1 */
};

static void
attempt_start(struct attempts *a, const struct addrinfo *ai)
{
	int fd = open_socket(ai->ai_family);

	if (fd < 0) {
		a->error = errno;
		return;
	}
	tune(fd);
	if (connect(fd, ai->ai_addr, ai->ai_addrlen) == 0) {
		a->fd = fd;
		return;
	}
	if (errno != EINPROGRESS && errno != EINTR) {
		a->error = errno;
		close(fd);
		return;
	}
	a->fds[a->n].fd = fd;
	a->fds[a->n++].events = POLLOUT;
}

/* See which attempts poll reported have failed; stop at one that did not. */
static void
attempts_check(struct attempts *a)
{
	socklen_t len;
	nfds_t i = 0;
	int error;

	while (i < a->n && a->fd < 0) {
		if (a->fds[i].revents == 0) {
			i++;
			continue;
		}
		len = sizeof(error);
		if (getsockopt(a->fds[i].fd, SOL_SOCKET, SO_ERROR, &error,
		    &len) != 0)
			error = errno;
		if (error == 0) {
			a->fd = a->fds[i].fd;
		} else {
			a->error = error;
			close(a->fds[i].fd);
		}
		a->fds[i] = a->fds[--a->n];
	}
}

/* False at the deadline. */
static bool
attempts_run(struct attempts *a, const struct addrinfo *ai, int64_t deadline)
{
	int64_t next = 0, until;
	int started = 0;

	for (;;) {
		if (ai != NULL && started < ATTEMPTS_MAX &&
		    (a->n == 0 || clock_ns() >= next)) {
			attempt_start(a, ai);
			ai = ai->ai_next;
			started++;
			next = clock_after_ms(ATTEMPT_MS);
		}
		if (a->fd >= 0)
			return true;
		if (a->n == 0) {
			if (ai == NULL || started == ATTEMPTS_MAX)
				return true;
			continue;
		}
		if (clock_ns() >= deadline)
			return false;
		until = ai != NULL && started < ATTEMPTS_MAX &&
		    next < deadline ? next : deadline;
		if (poll(a->fds, a->n, clock_poll_ms(until)) > 0)
			attempts_check(a);
	}
}

enum vgpu_err
tcp_connect(const struct url *u, int64_t deadline, int *fd,
    struct err_text *err)
{
	struct attempts a = { .fd = -1, .error = EHOSTUNREACH };
	struct addrinfo *ai;
	char text[URL_TEXT_MAX];
	enum vgpu_err e;
	bool in_time;
	nfds_t i;

	if (u->kind != URL_TLS)
		return err_set(err, VGPU_ECONF,
		    "address %s is not one of TCP", url_format(u, text));
	if ((e = lookup_host(u->host, u->port, deadline, &ai, err)) != VGPU_OK)
		return e;
	in_time = attempts_run(&a, ai, deadline);
	freeaddrinfo(ai);
	for (i = 0; i < a.n; i++)
		close(a.fds[i].fd);
	if (!in_time)
		return err_set(err, VGPU_ETIME,
		    "no answer in time from %s", url_format(u, text));
	if (a.fd < 0) {
		errno = a.error;
		return err_sys(err, "cannot connect to %s",
		    url_format(u, text));
	}
	*fd = a.fd;
	return VGPU_OK;
}

/* --- listen --------------------------------------------------------------- */

static int
listen_on(const struct addrinfo *ai, bool any)
{
	int fd, error;

	if ((fd = open_socket(ai->ai_family)) < 0)
		return -1;
	set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	if (ai->ai_family == AF_INET6)
		set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, !any);
	tune(fd); /* what is accepted inherits it */
	if (bind(fd, ai->ai_addr, ai->ai_addrlen) == 0 &&
	    listen(fd, BACKLOG) == 0)
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

enum vgpu_err
tcp_listen(const char *host, uint32_t port, int *fd, struct err_text *err)
{
	bool any = host == NULL || strcmp(host, "*") == 0;
	struct addrinfo hints, *list, *ai;
	char service[16];
	int code, n = -1, error = 0;

	memset(&hints, 0, sizeof(hints));
	hints.ai_socktype = SOCK_STREAM;
	hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
	snprintf(service, sizeof(service), "%u", port);
	code = port > 65535 ? EAI_SERVICE :
	    getaddrinfo(any ? NULL : host, service, &hints, &list);
	if (code != 0)
		return err_set(err, VGPU_ECONF,
		    "cannot listen on %s port %u: %s", any ? "*" : host, port,
		    code == EAI_SYSTEM ? strerror(errno) : gai_strerror(code));
	/* With IPv6, one socket listens for both; it is not always there. */
	for (ai = list; any && ai != NULL && n < 0; ai = ai->ai_next)
		if (ai->ai_family == AF_INET6 && (n = listen_on(ai, any)) < 0)
			error = errno;
	for (ai = list; ai != NULL && n < 0 && error != EADDRINUSE;
	    ai = ai->ai_next)
		if ((n = listen_on(ai, any)) < 0)
			error = errno;
	freeaddrinfo(list);
	if (n < 0) {
		errno = error;
		return err_sys(err, "cannot listen on %s port %u",
		    any ? "*" : host, port);
	}
	*fd = n;
	return VGPU_OK;
}

enum vgpu_err
tcp_accept(int listener, int *fd, struct err_text *err)
{
	int n;

	do
		n = accept4(listener, NULL, NULL, SOCK_NONBLOCK |
		    SOCK_CLOEXEC);
	while (n < 0 && (errno == EINTR || errno == ECONNABORTED ||
	    errno == EPROTO));
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return VGPU_EAGAIN;
	if (n < 0)
		return err_sys(err, "cannot accept a connection");
	tune(n);
	*fd = n;
	return VGPU_OK;
}

/* --- addresses ------------------------------------------------------------ */

uint32_t
tcp_port(int fd)
{
	union {
		struct sockaddr sa;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} a;
	socklen_t len = sizeof(a);

	memset(&a, 0, sizeof(a));
	if (getsockname(fd, &a.sa, &len) != 0)
		return 0;
	if (a.sa.sa_family == AF_INET)
		return ntohs(a.in.sin_port);
	return a.sa.sa_family == AF_INET6 ? ntohs(a.in6.sin6_port) : 0;
}

const char *
tcp_peer(int fd, char out[TCP_NAME_MAX])
{
	struct sockaddr_storage a;
	socklen_t len = sizeof(a);
	char host[INET6_ADDRSTRLEN + 12], port[8];
	bool six;

	if (getpeername(fd, (struct sockaddr *)&a, &len) != 0 ||
	    getnameinfo((struct sockaddr *)&a, len, host, sizeof(host), port,
	    sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
		snprintf(out, TCP_NAME_MAX, "unknown");
		return out;
	}
	six = strchr(host, ':') != NULL;
	if (snprintf(out, TCP_NAME_MAX, "%s%s%s:%s", six ? "[" : "", host,
	    six ? "]" : "", port) >= TCP_NAME_MAX)
		snprintf(out, TCP_NAME_MAX, "unknown");
	return out;
}
