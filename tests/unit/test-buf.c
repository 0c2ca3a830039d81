/* SPDX-License-Identifier: ISC */
#include "common/buf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
bytes_come_out_in_the_order_they_went_in(void **state)
{
	struct buf b;
	uint32_t i, v, out = 0;

	(void)state;
	buf_init(&b);
	for (i = 0; i < 50000; i++) {
		buf_append(&b, &i, sizeof(i));
		if (i % 3 == 0) /* so that it moves and grows in between */
			continue;
		memcpy(&v, buf_front(&b), sizeof(v));
		assert_int_equal(v, out++);
		buf_take(&b, sizeof(v));
	}
	while (buf_len(&b) > 0) {
		memcpy(&v, buf_front(&b), sizeof(v));
		assert_int_equal(v, out++);
		buf_take(&b, sizeof(v));
	}
	assert_int_equal(out, 50000);
	buf_fini(&b);
}

static void
reserve_counts_nothing_until_commit(void **state)
{
	struct buf b;
	uint8_t *p;

	(void)state;
	buf_init(&b);
	buf_append(&b, "ab", 2);
	p = buf_reserve(&b, 100);
	assert_non_null(p);
	assert_int_equal(buf_len(&b), 2);
	memcpy(p, "cd", 2);
	buf_commit(&b, 2);
	assert_int_equal(buf_len(&b), 4);
	assert_memory_equal(buf_front(&b), "abcd", 4);
	buf_fini(&b);
}

static void
zeros_are_appended(void **state)
{
	static const uint8_t expected[9] = { 7 };
	struct buf b;

	(void)state;
	buf_init(&b);
	memset(buf_reserve(&b, 64), 0xff, 64); /* what was there before */
	buf_append(&b, expected, 1);
	buf_append_zero(&b, 8);
	assert_int_equal(buf_len(&b), 9);
	assert_memory_equal(buf_front(&b), expected, 9);
	buf_fini(&b);
}

static void
failure_is_sticky_and_leaves_what_was_there(void **state)
{
	struct buf b;

	(void)state;
	buf_init(&b);
	buf_append(&b, "abc", 3);
	assert_null(buf_reserve(&b, SIZE_MAX / 2));
	assert_true(b.failed);
	buf_append(&b, "d", 1);
	assert_null(buf_reserve(&b, 1));
	assert_int_equal(buf_len(&b), 3);
	assert_memory_equal(buf_front(&b), "abc", 3);
	buf_fini(&b);
	assert_false(b.failed);
}

static void
memory_stays_within_a_small_factor_when_bytes_flow_through(void **state)
{
	struct buf b;
	char piece[1000] = "";
	int i;

	(void)state;
	buf_init(&b);
	buf_append(&b, piece, sizeof(piece));
	for (i = 0; i < 10000; i++) {
		buf_append(&b, piece, sizeof(piece));
		buf_take(&b, sizeof(piece));
	}
	assert_int_equal(buf_len(&b), sizeof(piece));
	assert_true(b.size <= 8192);
	buf_fini(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_come_out_in_the_order_they_went_in),
		cmocka_unit_test(reserve_counts_nothing_until_commit),
		cmocka_unit_test(zeros_are_appended),
		cmocka_unit_test(failure_is_sticky_and_leaves_what_was_there),
		cmocka_unit_test(
		    memory_stays_within_a_small_factor_when_bytes_flow_through),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
