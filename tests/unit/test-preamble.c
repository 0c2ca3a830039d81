/* SPDX-License-Identifier: ISC */
#include "transport/preamble.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

static void
the_bytes_are_these(void **state)
{
	static const uint8_t golden[PREAMBLE_LEN] = { 'v', 'g', 'p', 'u', '-',
		'1', '\r', '\n', 8, 7, 6, 5, 4, 3, 2, 1 };
	uint8_t bytes[PREAMBLE_LEN];

	(void)state;
	preamble_encode(bytes, UINT64_C(0x0102030405060708));
	assert_memory_equal(bytes, golden, sizeof(golden));
}

static void
every_session_number_comes_through(void **state)
{
	static const uint64_t numbers[] = { 0, 1, UINT64_C(1) << 63,
		UINT64_MAX };
	uint8_t bytes[PREAMBLE_LEN];
	uint64_t session = 77;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		preamble_encode(bytes, numbers[i]);
		assert_int_equal(preamble_check(bytes, sizeof(bytes),
		    &session, NULL), VGPU_OK);
		assert_true(session == numbers[i]);
	}
}

static void
a_part_is_told_from_something_else(void **state)
{
	uint8_t bytes[PREAMBLE_LEN];
	uint64_t session = 77;
	size_t n;

	(void)state;
	preamble_encode(bytes, 5);
	for (n = 0; n < PREAMBLE_LEN; n++)
		assert_int_equal(preamble_check(bytes, n, &session, NULL),
		    VGPU_EAGAIN);
	for (n = 0; n < 8; n++) {
		bytes[n] ^= 1;
		assert_int_equal(preamble_check(bytes, n + 1, &session, NULL),
		    VGPU_EPROTO);
		bytes[n] ^= 1;
	}
	assert_true(session == 77);
}

static void
what_came_instead_is_named(void **state)
{
	static const struct {
		const char *bytes, *reason;
	} cases[] = {
		{ "GET / HTTP/1.1\r\n", "an HTTP request" },
		{ "PRI * HTTP/2.0\r\n", "an HTTP request" },
		{ "\x16\x03\x01\x02\x05\x01\x01\xfc\x03\x03 rest",
		    "began TLS without" },
		{ "SSH-2.0-OpenSSH_9", "speaks SSH" },
		{ "vgpu-2\r\n12345678", "is \"vgpu-2\", this host knows" },
		{ "vgpu-1\n\n12345678", "instead of vgpu's preamble" },
		{ "\x1b[2J", "\\x1b[2J" },
	};
	struct err_text err;
	uint64_t session;
	size_t i, n;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		n = strlen(cases[i].bytes);
		assert_int_equal(preamble_check(
		    (const uint8_t *)cases[i].bytes, n < 16 ? n : 16, &session,
		    &err), VGPU_EPROTO);
		if (strstr(err.s, cases[i].reason) == NULL)
			fail_msg("%s", err.s);
	}
}

static void
sending_to_a_peer_that_is_gone_is_an_error_and_no_signal(void **state)
{
	uint8_t bytes[PREAMBLE_LEN];
	struct err_text err;
	uint64_t session;
	int fd[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	assert_int_equal(preamble_send(fd[0], 9, &err), VGPU_OK);
	assert_int_equal(read(fd[1], bytes, sizeof(bytes)), PREAMBLE_LEN);
	assert_int_equal(preamble_check(bytes, sizeof(bytes), &session, &err),
	    VGPU_OK);
	assert_true(session == 9);
	close(fd[1]);
	assert_int_equal(preamble_send(fd[0], 9, &err), VGPU_ECLOSED);
	close(fd[0]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_bytes_are_these),
		cmocka_unit_test(every_session_number_comes_through),
		cmocka_unit_test(a_part_is_told_from_something_else),
		cmocka_unit_test(what_came_instead_is_named),
		cmocka_unit_test(
		    sending_to_a_peer_that_is_gone_is_an_error_and_no_signal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
