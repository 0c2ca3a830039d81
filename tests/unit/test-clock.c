/* SPDX-License-Identifier: ISC */
#include "common/clock.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void
time_does_not_go_back(void **state)
{
	int64_t last = clock_ns(), now;
	int i;

	(void)state;
	for (i = 0; i < 1000; i++, last = now) {
		now = clock_ns();
		assert_true(now >= last);
	}
	assert_true(clock_ms() >= last / CLOCK_NS_PER_MS);
}

static void
a_deadline_out_of_range_never_comes(void **state)
{
	(void)state;
	assert_true(clock_after_ms(INT64_MAX) == CLOCK_NEVER);
	assert_true(clock_after_ms(1000) > clock_ns());
}

static void
poll_gets_what_it_means(void **state)
{
	int ms;

	(void)state;
	assert_int_equal(clock_poll_ms(CLOCK_NEVER), -1);
	assert_int_equal(clock_poll_ms(0), 0);
	assert_int_equal(clock_poll_ms(clock_ns()), 0);
	assert_int_equal(clock_poll_ms(CLOCK_NEVER - 1), INT_MAX);
	ms = clock_poll_ms(clock_after_ms(3600000));
	assert_true(ms > 3000000 && ms <= 3600000);
}

static void
poll_is_not_given_less_than_what_is_left(void **state)
{
	int64_t deadline = clock_ns() + 60 * 1000 * CLOCK_NS_PER_MS, before;
	int i;

	(void)state;
	for (i = 0; i < 1000; i++) {
		int ms = clock_poll_ms(deadline);

		before = clock_ns();
		assert_true(before + ms * CLOCK_NS_PER_MS >= deadline);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(time_does_not_go_back),
		cmocka_unit_test(a_deadline_out_of_range_never_comes),
		cmocka_unit_test(poll_gets_what_it_means),
		cmocka_unit_test(poll_is_not_given_less_than_what_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
