/* SPDX-License-Identifier: ISC */
#include "transport/tcp.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/clock.h"

static struct url
url_of(const char *host, uint32_t port)
{
	struct url u = { .kind = URL_TLS, .port = port };

	snprintf(u.host, sizeof(u.host), "%s", host);
	return u;
}

static int
listen_on(const char *host)
{
	struct err_text err;
	int fd;

	if (tcp_listen(host, 0, &fd, &err) != VGPU_OK)
		fail_msg("%s", err.s);
	return fd;
}

static int
connect_to(const char *host, uint32_t port)
{
	struct url u = url_of(host, port);
	struct err_text err;
	int fd;

	if (tcp_connect(&u, clock_after_ms(10000), &fd, &err) != VGPU_OK)
		fail_msg("%s", err.s);
	return fd;
}

static int
accept_from(int listener)
{
	struct pollfd p = { .fd = listener, .events = POLLIN };
	struct err_text err;
	int fd;

	assert_int_equal(poll(&p, 1, 10000), 1);
	assert_int_equal(tcp_accept(listener, &fd, &err), VGPU_OK);
	return fd;
}

static void
check_socket(int fd)
{
	socklen_t len = sizeof(int);
	int value = 0;

	assert_true((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
	assert_true((fcntl(fd, F_GETFL) & O_NONBLOCK) != 0);
	assert_int_equal(getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &value,
	    &len), 0);
	assert_int_not_equal(value, 0);
	assert_int_equal(getsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &value,
	    &len), 0);
	assert_int_not_equal(value, 0);
}

static void
every_socket_is_ready_for_use(void **state)
{
	int listener = listen_on("127.0.0.1"), client, host;
	char peer[TCP_NAME_MAX], expected[TCP_NAME_MAX];

	(void)state;
	client = connect_to("127.0.0.1", tcp_port(listener));
	host = accept_from(listener);
	check_socket(listener);
	check_socket(client);
	check_socket(host);
	snprintf(expected, sizeof(expected), "127.0.0.1:%u", tcp_port(client));
	assert_string_equal(tcp_peer(host, peer), expected);
	close(client);
	close(host);
	close(listener);
}

static void
a_name_is_looked_up(void **state)
{
	int listener = listen_on("127.0.0.1"), client;

	(void)state;
	client = connect_to("localhost", tcp_port(listener));
	close(accept_from(listener));
	close(client);
	close(listener);
}

static void
the_star_listens_everywhere(void **state)
{
	int listener = listen_on("*"), client;

	(void)state;
	client = connect_to("127.0.0.1", tcp_port(listener));
	close(accept_from(listener));
	close(client);
	close(listener);
}

static void
a_port_in_use_is_an_error_with_its_number(void **state)
{
	int listener = listen_on("127.0.0.1"), fd = -7;
	struct err_text err;
	char expected[100];

	(void)state;
	assert_int_equal(tcp_listen("127.0.0.1", tcp_port(listener), &fd,
	    &err), VGPU_ESYS);
	snprintf(expected, sizeof(expected), "cannot listen on 127.0.0.1 port "
	    "%u: Address already in use", tcp_port(listener));
	assert_string_equal(err.s, expected);
	assert_int_equal(tcp_listen("*", tcp_port(listener), &fd, &err),
	    VGPU_ESYS);
	assert_int_equal(fd, -7);
	close(listener);
}

static void
an_address_that_is_not_ours_is_refused(void **state)
{
	struct err_text err;
	int fd;

	(void)state;
	assert_int_equal(tcp_listen("192.0.2.1", 0, &fd, &err), VGPU_ESYS);
	assert_int_equal(tcp_listen("127.0.0.1", 65536, &fd, &err),
	    VGPU_ECONF);
}

static void
nobody_listening_is_refused_at_once(void **state)
{
	int listener = listen_on("127.0.0.1"), fd = -7;
	struct url u = url_of("127.0.0.1", tcp_port(listener));
	struct err_text err;
	char expected[100];

	(void)state;
	close(listener);
	assert_int_equal(tcp_connect(&u, CLOCK_NEVER, &fd, &err), VGPU_ESYS);
	snprintf(expected, sizeof(expected), "cannot connect to "
	    "vgpu://127.0.0.1:%u: Connection refused", u.port);
	assert_string_equal(err.s, expected);
	assert_int_equal(fd, -7);
}

/* A listener whose queue is full: the kernel drops what else comes. */
static void
silence_ends_at_the_deadline(void **state)
{
	int listener = listen_on("127.0.0.1"), fds[8], n;
	struct url u = url_of("127.0.0.1", tcp_port(listener));
	enum vgpu_err e = VGPU_OK;
	struct err_text err;
	int64_t begin = 0;

	(void)state;
	assert_int_equal(listen(listener, 0), 0); /* room for one */
	for (n = 0; n < 8 && e == VGPU_OK; n++) {
		begin = clock_ms();
		e = tcp_connect(&u, clock_after_ms(200), &fds[n], &err);
	}
	assert_int_equal(e, VGPU_ETIME);
	assert_non_null(strstr(err.s, "no answer in time from vgpu://127"));
	assert_true(clock_ms() - begin >= 199);
	assert_true(clock_ms() - begin < 2000);
	for (n--; n > 0; n--)
		close(fds[n - 1]);
	close(listener);
}

static void
an_unknown_name_is_an_error_within_the_deadline(void **state)
{
	struct url u = url_of("no-such-host.invalid", 9443);
	int64_t begin = clock_ms();
	struct err_text err;
	enum vgpu_err e;
	int fd = -7;

	(void)state;
	e = tcp_connect(&u, clock_after_ms(1000), &fd, &err);
	assert_true(e == VGPU_ESYS || e == VGPU_ETIME);
	assert_non_null(strstr(err.s, "\"no-such-host.invalid\""));
	assert_true(clock_ms() - begin < 3000);
	/* Nothing may be left of a deadline: still no wait. */
	assert_int_equal(tcp_connect(&u, 0, &fd, &err), VGPU_ETIME);
	assert_int_equal(fd, -7);
}

static void
another_kind_of_address_is_refused(void **state)
{
	struct url u = { .kind = URL_UNIX, .path = "/x" };
	struct err_text err;
	int fd;

	(void)state;
	assert_int_equal(tcp_connect(&u, CLOCK_NEVER, &fd, &err), VGPU_ECONF);
}

static void
accept_with_nobody_there_does_not_wait(void **state)
{
	int listener = listen_on("127.0.0.1"), fd;
	struct err_text err;

	(void)state;
	assert_int_equal(tcp_accept(listener, &fd, &err), VGPU_EAGAIN);
	close(listener);
	assert_int_equal(tcp_accept(listener, &fd, &err), VGPU_ESYS);
}

static void
what_is_not_tcp_has_no_port(void **state)
{
	char peer[TCP_NAME_MAX];
	int fd[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	assert_int_equal(tcp_port(fd[0]), 0);
	assert_int_equal(tcp_port(-1), 0);
	assert_string_equal(tcp_peer(-1, peer), "unknown");
	close(fd[0]);
	close(fd[1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_socket_is_ready_for_use),
		cmocka_unit_test(a_name_is_looked_up),
		cmocka_unit_test(the_star_listens_everywhere),
		cmocka_unit_test(a_port_in_use_is_an_error_with_its_number),
		cmocka_unit_test(an_address_that_is_not_ours_is_refused),
		cmocka_unit_test(nobody_listening_is_refused_at_once),
		cmocka_unit_test(silence_ends_at_the_deadline),
		cmocka_unit_test(
		    an_unknown_name_is_an_error_within_the_deadline),
		cmocka_unit_test(another_kind_of_address_is_refused),
		cmocka_unit_test(accept_with_nobody_there_does_not_wait),
		cmocka_unit_test(what_is_not_tcp_has_no_port),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
