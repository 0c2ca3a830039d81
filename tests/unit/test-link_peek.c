/* SPDX-License-Identifier: ISC */
#include "transport/link.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/fixture-link.h"

static void
the_next_frame_is_shown_when_all_of_it_is_there(void **state)
{
	uint8_t bytes[2 * LINK_HEADER_LEN + 16];
	struct err_text err;
	struct frame f, next;
	size_t n;

	(void)state;
	header(bytes, LINK_HEADER_LEN, 1);
	header(bytes + LINK_HEADER_LEN, LINK_HEADER_LEN + 16, 2);
	memset(bytes + 2 * LINK_HEADER_LEN, 'x', 16);
	for (n = LINK_HEADER_LEN; n <= sizeof(bytes); n++) {
		link_free(a, true);
		raw->ops->close(raw, true);
		assert_int_equal(link_setup_raw(NULL), 0);
		assert_false(link_peek(a, &next));
		write_raw(bytes, n);
		assert_int_equal(link_receive(a, &f, &err), VGPU_OK);
		assert_int_equal(link_peek(a, &next), n == sizeof(bytes));
		assert_int_equal(f.type, 1);
	}
	assert_int_equal(next.type, 2);
	assert_int_equal(next.len, 16);
	assert_int_equal(next.rest, 0);
	assert_memory_equal(next.body, bytes + 2 * LINK_HEADER_LEN, 16);
	assert_int_equal(link_receive(a, &f, &err), VGPU_OK);
	assert_int_equal(f.type, 2);
	assert_ptr_equal(f.body, next.body);
	assert_false(link_peek(a, &next));
}

static void
what_is_no_frame_is_not_shown(void **state)
{
	static const uint32_t lengths[] = { 0, 8, LINK_HEADER_LEN - 1,
		LINK_HEADER_LEN + 8, UINT32_MAX };
	uint8_t bytes[2 * LINK_HEADER_LEN];
	struct err_text err;
	struct frame f, next;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		link_free(a, true);
		raw->ops->close(raw, true);
		assert_int_equal(link_setup_raw(NULL), 0);
		header(bytes, LINK_HEADER_LEN, 1);
		header(bytes + LINK_HEADER_LEN, lengths[i], 2);
		write_raw(bytes, sizeof(bytes));
		assert_int_equal(link_receive(a, &f, &err), VGPU_OK);
		assert_false(link_peek(a, &next));
	}
}

static void
behind_a_body_that_is_not_read_nothing_is_shown(void **state)
{
	uint8_t bytes[2 * LINK_HEADER_LEN + 24], got[8];
	struct err_text err;
	struct frame f, next;
	size_t n;

	(void)state;
	link_set_streamed(a, STREAMED, 16);
	header(bytes, LINK_HEADER_LEN + 24, STREAMED);
	memset(bytes + LINK_HEADER_LEN, 'x', 24);
	header(bytes + LINK_HEADER_LEN + 24, LINK_HEADER_LEN, 2);
	write_raw(bytes, sizeof(bytes));
	assert_int_equal(link_receive(a, &f, &err), VGPU_OK);
	assert_int_equal(f.rest, 8);
	assert_false(link_peek(a, &next));
	assert_int_equal(link_receive_body(a, got, 8, &n, &err), VGPU_OK);
	assert_int_equal(n, 8);
	assert_true(link_peek(a, &next));
	assert_int_equal(next.type, 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		RAW(the_next_frame_is_shown_when_all_of_it_is_there),
		RAW(what_is_no_frame_is_not_shown),
		RAW(behind_a_body_that_is_not_read_nothing_is_shown),
	};

	return cmocka_run_group_tests(tests, link_group_setup,
	    link_group_teardown);
}
