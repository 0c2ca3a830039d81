/* SPDX-License-Identifier: ISC */
#include "common/log.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static int out[2];

static int
setup(void **state)
{
	(void)state;
	return pipe(out);
}

static int
teardown(void **state)
{
	(void)state;
	close(out[0]);
	close(out[1]);
	return 0;
}

/* What was logged so far; at least something must have been. */
static const char *
logged(void)
{
	static char text[4096];
	ssize_t n = read(out[0], text, sizeof(text) - 1);

	assert_true(n > 0);
	text[n] = '\0';
	return text;
}

static void
a_line_has_the_program_the_prefix_and_an_end(void **state)
{
	(void)state;
	log_open("vgpu-test", out[1], LOG_LEVEL_INFO);
	log_prefix("session %d", 4);
	log_info("devices %d", 2);
	assert_string_equal(logged(), "vgpu-test: session 4: devices 2\n");
	log_prefix("%s", "");
	log_error("gone");
	assert_string_equal(logged(), "vgpu-test: gone\n");
}

static void
lines_above_the_level_are_left_out(void **state)
{
	(void)state;
	log_open("t", out[1], LOG_LEVEL_WARN);
	log_debug("no");
	log_info("no");
	log_warn("yes");
	assert_string_equal(logged(), "t: yes\n");
}

static void
a_long_line_is_cut_and_still_ends(void **state)
{
	char longer[3000];
	const char *line;

	(void)state;
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	log_open("t", out[1], LOG_LEVEL_INFO);
	log_info("%s", longer);
	line = logged();
	assert_int_equal(strlen(line), 1023);
	assert_int_equal(line[strlen(line) - 1], '\n');
}

static void
logging_keeps_errno(void **state)
{
	(void)state;
	log_open("t", out[1], LOG_LEVEL_INFO);
	errno = EPROTO;
	log_info("x");
	assert_int_equal(errno, EPROTO);
	assert_string_equal(logged(), "t: x\n");
}

static void
a_peers_text_can_not_break_a_line_or_a_terminal(void **state)
{
	char text[64];

	(void)state;
	assert_string_equal(log_escape(text, sizeof(text), "a\n\x1b[\\\xff", 6),
	    "a\\x0a\\x1b[\\x5c\\xff");
}

static void
an_escape_is_never_cut_in_two(void **state)
{
	char text[8];
	size_t size;

	(void)state;
	for (size = 1; size <= sizeof(text); size++) {
		memset(text, '!', sizeof(text));
		log_escape(text, size, "\n\n\n", 3);
		assert_true(strlen(text) < size);
		assert_int_equal(strlen(text) % 4, 0);
	}
}

#define LOG_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		LOG_TEST(a_line_has_the_program_the_prefix_and_an_end),
		LOG_TEST(lines_above_the_level_are_left_out),
		LOG_TEST(a_long_line_is_cut_and_still_ends),
		LOG_TEST(logging_keeps_errno),
		cmocka_unit_test(
		    a_peers_text_can_not_break_a_line_or_a_terminal),
		cmocka_unit_test(an_escape_is_never_cut_in_two),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
