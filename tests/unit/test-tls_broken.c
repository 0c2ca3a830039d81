/* SPDX-License-Identifier: ISC */
/* Peers that are broken. */
#include "transport/tls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/clock.h"
#include "tests/unit/fixture-talk.h"

/* What an end says to these bytes and the end of the connection. */
static enum vgpu_err
handshake_with_bytes(bool host, const void *p, size_t n, struct err_text *err)
{
	struct transport *t;
	enum vgpu_err e;
	int fd[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	assert_int_equal(host ? tls_new_host(&t, pki.host_ctx, fd[1], err) :
	    tls_new_client(&t, pki.client_ctx, fd[1], "localhost", err),
	    VGPU_OK);
	assert_int_equal(send(fd[0], p, n, MSG_NOSIGNAL), n);
	shutdown(fd[0], SHUT_WR);
	e = transport_handshake_wait(t, clock_after_ms(5000), err);
	t->ops->close(t, true);
	close(fd[0]);
	return e;
}

static void
plaintext_is_told_from_tls(void **state)
{
	static const struct {
		const char *bytes, *reason;
	} cases[] = {
		{ "GET / HTTP/1.1\r\n\r\n", "sent an HTTP request" },
		{ "HTTP/1.1 400 Bad Request\r\n", "does not speak TLS" },
		{ "SSH-2.0-OpenSSH_9.2p1\r\n", "does not speak TLS" },
		{ "hello, hello, hello", "does not speak TLS" },
	};
	struct err_text err;
	size_t i;

	(void)state;
	for (i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(handshake_with_bytes(i % 2 == 0,
		    cases[i / 2].bytes, strlen(cases[i / 2].bytes), &err),
		    VGPU_ETLS);
		said(&err, cases[i / 2].reason);
	}
}

static void
random_bytes_are_an_error_with_a_reason(void **state)
{
	uint8_t bytes[300];
	struct err_text err;
	unsigned seed = 1;
	size_t i, n;

	(void)state;
	for (n = 1; n < sizeof(bytes); n++) {
		for (i = 0; i < n; i++)
			bytes[i] = (uint8_t)rand_r(&seed);
		if (n % 2 == 0)
			memcpy(bytes, "\x16\x03\x01\x00\x20", n < 5 ? n : 5);
		assert_int_equal(handshake_with_bytes(n % 4 < 2, bytes, n,
		    &err), VGPU_ETLS);
		assert_true(strlen(err.s) > 10);
	}
}

/* The first bytes that a client sends. */
static size_t
client_hello(uint8_t *out, size_t size)
{
	struct transport *t;
	struct err_text err;
	enum transport_want want;
	ssize_t n;
	int fd[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	assert_int_equal(tls_new_client(&t, pki.client_ctx, fd[1],
	    "localhost", &err), VGPU_OK);
	assert_int_equal(tls_handshake(t, &want, &err), VGPU_EAGAIN);
	assert_int_equal(want, TRANSPORT_WANT_READ);
	n = recv(fd[0], out, size, 0);
	assert_in_range(n, 100, size - 1);
	t->ops->close(t, true);
	close(fd[0]);
	return (size_t)n;
}

static void
a_handshake_cut_anywhere_is_an_error(void **state)
{
	uint8_t hello[2048];
	struct err_text err;
	size_t i, n = client_hello(hello, sizeof(hello));

	(void)state;
	for (i = 0; i <= n; i++) {
		assert_int_equal(handshake_with_bytes(true, hello, i, &err),
		    VGPU_ETLS);
		said(&err, "closed the connection during the handshake");
	}
}

static void
a_byte_changed_anywhere_in_a_handshake_harms_nobody(void **state)
{
	uint8_t hello[2048];
	struct err_text err;
	size_t i, n = client_hello(hello, sizeof(hello));

	(void)state;
	for (i = 0; i < n; i++) {
		hello[i] ^= 0x81;
		assert_int_equal(handshake_with_bytes(true, hello, n, &err),
		    VGPU_ETLS);
		hello[i] ^= 0x81;
	}
}

static void
silence_ends_at_the_deadline(void **state)
{
	struct transport *t;
	struct err_text err;
	int fd[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	assert_int_equal(tls_new_host(&t, pki.host_ctx, fd[1], &err), VGPU_OK);
	assert_int_equal(send(fd[0], "\x16\x03\x01\x02", 4, 0), 4);
	assert_int_equal(transport_handshake_wait(t, clock_after_ms(20), &err),
	    VGPU_ETIME);
	t->ops->close(t, true);
	close(fd[0]);
}

/* Flip one bit of what is on its way from the client. */
static void
a_forged_record_ends_the_connection(void **state)
{
	struct shaken s = { 0 };
	struct err_text err;
	char junk[64];
	int fd[2], raw;
	size_t n;

	(void)state;
	sockets_new(&fd[0], &fd[1]);
	raw = dup(fd[0]);
	assert_int_equal(tls_new_client(&s.client, pki.client_ctx, fd[0],
	    "localhost", &err), VGPU_OK);
	assert_int_equal(tls_new_host(&s.host, pki.host_ctx, fd[1], &err),
	    VGPU_OK);
	shake_on(&s);
	assert_int_equal(s.host_error, VGPU_OK);
	memset(junk, 'j', sizeof(junk));
	memcpy(junk, "\x17\x03\x03\x00\x20", 5);
	assert_int_equal(send(raw, junk, 5 + 32, 0), 37);
	assert_int_equal(read_wait(s.host, junk, 1, &n, &err), VGPU_ETLS);
	said(&err, "TLS failed");
	close(raw);
	shaken_close(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plaintext_is_told_from_tls),
		cmocka_unit_test(random_bytes_are_an_error_with_a_reason),
		cmocka_unit_test(a_handshake_cut_anywhere_is_an_error),
		cmocka_unit_test(
		    a_byte_changed_anywhere_in_a_handshake_harms_nobody),
		cmocka_unit_test(silence_ends_at_the_deadline),
		cmocka_unit_test(a_forged_record_ends_the_connection),
	};

	return cmocka_run_group_tests(tests, worlds_init, worlds_fini);
}
