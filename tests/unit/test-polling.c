/* SPDX-License-Identifier: ISC */
#include "common/polling.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/clock.h"

static void
news_comes_late(struct polling *p)
{
	polling_start(p);
	p->since -= POLLING_SOON_NS;
	polling_news(p);
}

static void
one_core_is_left_to_who_has_the_news(void **state)
{
	struct polling p = { 0 };

	(void)state;
	polling_set_cores(1);
	assert_false(polling_pays(&p));
	polling_start(&p);
	assert_false(polling_more(&p));
	polling_set_cores(2);
	assert_true(polling_pays(&p));
}

static void
before_it_is_started_it_sleeps(void **state)
{
	struct polling p = { 0 };

	(void)state;
	assert_false(polling_more(&p));
}

static void
it_looks_for_a_while_and_then_sleeps(void **state)
{
	struct polling p = { 0 };
	int64_t start = clock_ns();

	(void)state;
	polling_start(&p);
	while (polling_more(&p))
		;
	assert_true(clock_ns() - start >= POLLING_NS || p.crowded > start);
	assert_false(polling_more(&p));
}

static void
it_ends_when_news_came(void **state)
{
	struct polling p = { 0 };

	(void)state;
	polling_start(&p);
	polling_news(&p);
	assert_false(polling_more(&p));
}

static void
where_news_takes_long_it_sleeps_until_it_comes_soon(void **state)
{
	struct polling p = { 0 };
	unsigned i;

	(void)state;
	for (i = 0; i < 4; i++) {
		assert_true(polling_pays(&p));
		news_comes_late(&p);
	}
	for (i = 0; i < 100; i++) {
		assert_false(polling_pays(&p));
		polling_start(&p);
		assert_false(polling_more(&p));
		news_comes_late(&p);
	}
	/* It slept, and news was there soon all the same. */
	polling_start(&p);
	p.since = INT64_MAX / 2;	/* however long this thread is held up */
	polling_news(&p);
	assert_true(polling_pays(&p));
}

static void
after_a_long_yield_it_sleeps_for_long(void **state)
{
	struct polling p = { 0 };
	const int64_t now = clock_ns();

	(void)state;
	polling_start(&p);
	polling_yielded(&p, now - 100000, now);
	assert_true(polling_pays(&p));
	/* An hour was lost to others: for two days it looks no more. */
	polling_yielded(&p, now - INT64_C(3600000000000), now);
	assert_false(polling_pays(&p));
	assert_false(polling_more(&p));
	polling_start(&p);
	assert_false(polling_more(&p));
	p.crowded = now;
	assert_true(polling_pays(&p));
}

static int
two_cores(void **state)
{
	(void)state;
	polling_set_cores(2);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_core_is_left_to_who_has_the_news),
		cmocka_unit_test(before_it_is_started_it_sleeps),
		cmocka_unit_test(it_looks_for_a_while_and_then_sleeps),
		cmocka_unit_test(it_ends_when_news_came),
		cmocka_unit_test(after_a_long_yield_it_sleeps_for_long),
		cmocka_unit_test(
		    where_news_takes_long_it_sleeps_until_it_comes_soon),
	};

	return cmocka_run_group_tests(tests, two_cores, NULL);
}
