/* SPDX-License-Identifier: ISC */
#include "transport/local.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/clock.h"
#include "tests/unit/fixture-local.h"
#include "transport/fds.h"

#define HELLO_LEN (8 + TRANSPORT_TOKEN_LEN)

static struct transport *client, *host;

static int
setup(void **state)
{
	(void)state;
	local_connect(&client, &host);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	if (client != NULL)
		client->ops->close(client, true);
	if (host != NULL)
		host->ops->close(host, true);
	client = host = NULL;
	return 0;
}

static void
put(struct transport *t, const void *p, size_t n)
{
	size_t out;

	assert_int_equal(t->ops->write(t, p, n, &out, NULL), VGPU_OK);
	assert_int_equal(out, n);
}

static void
expect(struct transport *t, const void *p, size_t n)
{
	uint8_t got[64];
	size_t in;

	assert_int_equal(t->ops->read(t, got, sizeof(got), &in, NULL),
	    VGPU_OK);
	assert_int_equal(in, n);
	assert_memory_equal(got, p, n);
}

/* --- bytes ---------------------------------------------------------------- */

static void
bytes_come_out_at_the_other_end(void **state)
{
	uint8_t got[8];
	size_t n;

	(void)state;
	put(client, "abc", 3);
	expect(host, "abc", 3);
	assert_int_equal(host->ops->read(host, got, sizeof(got), &n, NULL),
	    VGPU_EAGAIN);
	put(host, "defg", 4);
	expect(client, "defg", 4);
	assert_false(client->ops->pending(client));
}

static void
a_full_socket_takes_no_more_and_wakes_the_writer(void **state)
{
	static char chunk[1 << 20];
	struct pollfd p = { .fd = client->ops->fd(client),
		.events = POLLOUT };
	size_t n, total = 0, back = 0;

	(void)state;
	while (client->ops->write(client, chunk, sizeof(chunk), &n, NULL) ==
	    VGPU_OK)
		total += n;
	assert_int_equal(poll(&p, 1, 0), 0);
	while (host->ops->read(host, chunk, sizeof(chunk), &n, NULL) ==
	    VGPU_OK)
		back += n;
	assert_int_equal(back, total);
	assert_int_equal(poll(&p, 1, 0), 1);
}

static void
the_end_is_seen_after_the_last_byte_and_without_a_signal(void **state)
{
	uint8_t got[8];
	size_t n;
	int i;

	(void)state;
	put(client, "last", 4);
	client->ops->close(client, true);
	client = NULL;
	expect(host, "last", 4);
	for (i = 0; i < 2; i++) {
		assert_int_equal(host->ops->read(host, got, sizeof(got), &n,
		    NULL), VGPU_ECLOSED);
		assert_int_equal(host->ops->write(host, "x", 1, &n, NULL),
		    VGPU_ECLOSED);
	}
}

static void
what_came_before_is_read_though_the_peer_did_not_read(void **state)
{
	(void)state;
	put(host, "unread", 6);
	put(client, "farewell", 8);
	client->ops->close(client, true);
	client = NULL;
	expect(host, "farewell", 8);
}

/* --- identity ------------------------------------------------------------- */

static void
each_end_knows_the_others_user(void **state)
{
	char name[32];
	uint8_t a[TRANSPORT_DIGEST_LEN], b[TRANSPORT_DIGEST_LEN];

	(void)state;
	snprintf(name, sizeof(name), "user %u", (unsigned)geteuid());
	assert_string_equal(host->ops->peer(host), name);
	assert_string_equal(client->ops->peer(client), name);
	assert_int_equal(host->ops->digest(host, a, NULL), VGPU_OK);
	assert_int_equal(client->ops->digest(client, b, NULL), VGPU_OK);
	assert_memory_equal(a, b, sizeof(a));
}

static void
both_ends_have_one_token_and_no_other_connection_has_it(void **state)
{
	uint8_t a[TRANSPORT_TOKEN_LEN], b[TRANSPORT_TOKEN_LEN];

	assert_int_equal(client->ops->token(client, a, NULL), VGPU_OK);
	assert_int_equal(host->ops->token(host, b, NULL), VGPU_OK);
	assert_memory_equal(a, b, sizeof(a));
	teardown(state);
	setup(state);
	assert_int_equal(client->ops->token(client, b, NULL), VGPU_OK);
	assert_memory_not_equal(a, b, sizeof(a));
}

/* What a client with another user id says of a host that is root. */
static int
as_user(uid_t uid, uid_t trusted)
{
	struct transport *t;
	int c, h, status = -1;
	enum vgpu_err e;
	pid_t pid;

	local_sockets(&c, &h);
	if ((pid = fork()) == 0) {
		/* The pair was made by root: so is who is at its other end. */
		if (seteuid(uid) != 0)
			_exit(99);
		e = local_new_client(&t, c, trusted, NULL);
		_exit((int)e);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	close(c);
	close(h);
	return WEXITSTATUS(status);
}

static void
root_may_be_the_host_of_everybody(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(as_user(12345, (uid_t)-1), VGPU_OK);
}

/* Sockets made by an ordinary user, looked at by another one. */
static void
another_user_may_not_be_the_host(void **state)
{
	struct transport *t;
	struct err_text err;
	int c, h;

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(seteuid(12345), 0);
	local_sockets(&c, &h);
	assert_int_equal(seteuid(0), 0);
	assert_int_equal(local_new_client(&t, c, (uid_t)-1, &err),
	    VGPU_EAUTH);
	assert_string_equal(err.s, "the host runs as user 12345, who is "
	    "neither root nor this user; if that is right, name it with "
	    "host-user");
	assert_int_equal(local_new_client(&t, c, 54321, &err), VGPU_EAUTH);
	assert_int_equal(local_new_client(&t, c, 12345, &err), VGPU_OK);
	t->ops->close(t, true);
	close(h);
}

static void
a_socket_of_another_kind_is_refused(void **state)
{
	struct transport *t;
	struct err_text err;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(local_new_client(&t, fd, (uid_t)-1, &err),
	    VGPU_EAUTH);
	assert_int_equal(local_new_host(&t, fd, &err), VGPU_EAUTH);
	close(fd);
}

/* --- the handshake -------------------------------------------------------- */

/* What a host says of these bytes and the end of their sender. */
static enum vgpu_err
host_hears(const void *p, size_t n, struct err_text *err)
{
	struct transport *t;
	enum vgpu_err e;
	int c, h;

	local_sockets(&c, &h);
	assert_int_equal(local_new_host(&t, h, NULL), VGPU_OK);
	assert_int_equal(send(c, p, n, 0), n);
	shutdown(c, SHUT_WR);
	e = transport_handshake_wait(t, clock_after_ms(5000), err);
	t->ops->close(t, true);
	close(c);
	return e;
}

static void
a_handshake_in_pieces_gets_through(void **state)
{
	uint8_t hello[HELLO_LEN] = { 0 }, got[TRANSPORT_TOKEN_LEN];
	enum transport_want want;
	struct transport *t;
	int c, h, i;

	(void)state;
	memset(hello + 8, 7, TRANSPORT_TOKEN_LEN);
	local_sockets(&c, &h);
	assert_int_equal(local_new_host(&t, h, NULL), VGPU_OK);
	for (i = 0; i < HELLO_LEN; i++) {
		assert_int_equal(t->ops->handshake(t, &want, NULL),
		    VGPU_EAGAIN);
		assert_int_equal(want, TRANSPORT_WANT_READ);
		assert_int_equal(send(c, hello + i, 1, 0), 1);
	}
	assert_int_equal(t->ops->handshake(t, &want, NULL), VGPU_OK);
	assert_int_equal(t->ops->token(t, got, NULL), VGPU_OK);
	assert_memory_equal(got, hello + 8, sizeof(got));
	assert_int_equal(recv(c, hello, sizeof(hello), MSG_DONTWAIT), 8);
	t->ops->close(t, true);
	close(c);
}

static void
what_follows_the_handshake_at_once_is_not_lost(void **state)
{
	uint8_t bytes[HELLO_LEN + 5] = { 0 };
	enum transport_want want;
	struct transport *t;
	int c, h;

	(void)state;
	memcpy(bytes + HELLO_LEN, "hello", 5);
	local_sockets(&c, &h);
	assert_int_equal(local_new_host(&t, h, NULL), VGPU_OK);
	assert_int_equal(send(c, bytes, sizeof(bytes), 0), sizeof(bytes));
	assert_int_equal(t->ops->handshake(t, &want, NULL), VGPU_OK);
	expect(t, "hello", 5);
	t->ops->close(t, true);
	close(c);
}

static void
a_peer_that_leaves_in_the_handshake_is_gone(void **state)
{
	const uint8_t hello[HELLO_LEN] = { 0 };
	struct err_text err;

	(void)state;
	assert_int_equal(host_hears("", 0, &err), VGPU_ECLOSED);
	assert_int_equal(host_hears(hello, HELLO_LEN - 1, &err),
	    VGPU_ECLOSED);
	assert_string_equal(err.s, "the peer closed the connection during "
	    "the handshake");
	assert_int_equal(host_hears(hello, HELLO_LEN, &err), VGPU_OK);
}

static void
a_silent_peer_costs_no_more_than_its_time(void **state)
{
	struct transport *t;
	int c, h;

	(void)state;
	local_sockets(&c, &h);
	assert_int_equal(local_new_host(&t, h, NULL), VGPU_OK);
	assert_int_equal(transport_handshake_wait(t, clock_after_ms(20),
	    NULL), VGPU_ETIME);
	t->ops->close(t, true);
	close(c);
}

static void
an_answer_that_was_not_offered_is_refused(void **state)
{
	const uint8_t answer[8] = { 1 };
	enum transport_want want;
	struct transport *t;
	int c, h;

	(void)state;
	local_sockets(&c, &h);
	assert_int_equal(local_new_client(&t, c, (uid_t)-1, NULL), VGPU_OK);
	assert_int_equal(send(h, answer, sizeof(answer), 0), sizeof(answer));
	assert_int_equal(t->ops->handshake(t, &want, NULL), VGPU_EPROTO);
	t->ops->close(t, true);
	close(h);
}

/* --- descriptors ---------------------------------------------------------- */

static ino_t
inode(int fd)
{
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	return st.st_ino;
}

static void
descriptors_arrive_in_order_with_the_bytes_after_them(void **state)
{
	int fd[2], got[2], i;

	(void)state;
	assert_int_equal(pipe(fd), 0);
	put(host, "before", 6);
	for (i = 0; i < 2; i++)
		assert_int_equal(host->ops->send_fd(host, fd[i], NULL),
		    VGPU_OK);
	expect(client, "before", 6);
	assert_int_equal(client->ops->take_fd(client), -1);
	put(host, "after", 5);
	expect(client, "after", 5);
	for (i = 0; i < 2; i++) {
		got[i] = client->ops->take_fd(client);
		assert_true(got[i] >= 0 && got[i] != fd[i]);
		assert_int_equal(inode(got[i]), inode(fd[i]));
		assert_true((fcntl(got[i], F_GETFD) & FD_CLOEXEC) != 0);
		close(got[i]);
	}
	assert_int_equal(client->ops->take_fd(client), -1);
	close(fd[0]);
	close(fd[1]);
}

/* Descriptors that are open in this process. */
static int
open_count(void)
{
	int fd, n = 0;

	for (fd = 0; fd < 1024; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void
a_host_keeps_no_descriptors_of_its_client(void **state)
{
	int before, i;

	(void)state;
	before = open_count();
	for (i = 0; i < 5; i++) {
		assert_int_equal(client->ops->send_fd(client, 0, NULL),
		    VGPU_OK);
		put(client, "x", 1);
		expect(host, "x", 1);
	}
	assert_int_equal(host->ops->take_fd(host), -1);
	assert_int_equal(open_count(), before);
}

static void
a_client_keeps_few_descriptors_that_it_does_not_take(void **state)
{
	int before, i;

	(void)state;
	before = open_count();
	for (i = 0; i < 3 * FDS_MAX; i++) {
		assert_int_equal(host->ops->send_fd(host, 0, NULL), VGPU_OK);
		put(host, "x", 1);
		expect(client, "x", 1);
	}
	assert_int_equal(open_count(), before + FDS_MAX);
	client->ops->close(client, true);
	client = NULL;
	assert_int_equal(open_count(), before - 1);
}

static void
descriptors_that_wait_are_limited(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < FDS_MAX; i++)
		assert_int_equal(host->ops->send_fd(host, 0, NULL), VGPU_OK);
	assert_int_equal(host->ops->send_fd(host, 0, NULL), VGPU_EAGAIN);
	put(host, "x", 1);
	assert_int_equal(host->ops->send_fd(host, 0, NULL), VGPU_OK);
}

#define LOCAL_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		LOCAL_TEST(bytes_come_out_at_the_other_end),
		LOCAL_TEST(a_full_socket_takes_no_more_and_wakes_the_writer),
		LOCAL_TEST(
		    the_end_is_seen_after_the_last_byte_and_without_a_signal),
		LOCAL_TEST(
		    what_came_before_is_read_though_the_peer_did_not_read),
		LOCAL_TEST(each_end_knows_the_others_user),
		LOCAL_TEST(
		    both_ends_have_one_token_and_no_other_connection_has_it),
		cmocka_unit_test(root_may_be_the_host_of_everybody),
		cmocka_unit_test(another_user_may_not_be_the_host),
		cmocka_unit_test(a_socket_of_another_kind_is_refused),
		cmocka_unit_test(a_handshake_in_pieces_gets_through),
		cmocka_unit_test(
		    what_follows_the_handshake_at_once_is_not_lost),
		cmocka_unit_test(a_peer_that_leaves_in_the_handshake_is_gone),
		cmocka_unit_test(a_silent_peer_costs_no_more_than_its_time),
		cmocka_unit_test(an_answer_that_was_not_offered_is_refused),
		LOCAL_TEST(
		    descriptors_arrive_in_order_with_the_bytes_after_them),
		LOCAL_TEST(a_host_keeps_no_descriptors_of_its_client),
		LOCAL_TEST(
		    a_client_keeps_few_descriptors_that_it_does_not_take),
		LOCAL_TEST(descriptors_that_wait_are_limited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
