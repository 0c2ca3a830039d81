/* SPDX-License-Identifier: ISC */
#include "common/polling.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/clock.h"

/* Look until it is enough; at least once. */
static void
look_in_vain(struct polling *p)
{
	int64_t start = clock_ns();

	polling_start(p);
	assert_true(polling_more(p));
	while (polling_more(p))
		;
	assert_true(clock_ns() - start >= POLLING_NS);
	assert_false(polling_more(p));
}

static void
one_core_is_left_to_who_has_the_news(void **state)
{
	struct polling p = { 0 };

	(void)state;
	polling_set_cores(1);
	assert_false(polling_pays(&p));
	polling_set_cores(2);
	assert_true(polling_pays(&p));
}

static void
before_it_is_started_it_sleeps(void **state)
{
	struct polling p = { 0 };

	(void)state;
	assert_false(polling_more(&p));
	polling_stop(&p, false);
	assert_int_equal(p.vain, 0);
}

static void
it_ends_when_news_came(void **state)
{
	struct polling p = { 0 };

	(void)state;
	polling_start(&p);
	assert_true(polling_more(&p));
	polling_stop(&p, true);
	assert_false(polling_more(&p));
	assert_int_equal(p.vain, 0);
}

static void
in_vain_it_becomes_seldom_until_it_helps_again(void **state)
{
	struct polling p = { 0 };
	unsigned i, paid = 0;

	(void)state;
	for (i = 0; i < 4; i++) {
		assert_true(polling_pays(&p));
		look_in_vain(&p);
	}
	for (i = 0; i < 64; i++)
		paid += polling_pays(&p);
	assert_int_equal(paid, 4);
	polling_start(&p);
	polling_stop(&p, true);
	for (i = 0; i < 64; i++)
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
		cmocka_unit_test(it_ends_when_news_came),
		cmocka_unit_test(in_vain_it_becomes_seldom_until_it_helps_again),
	};

	return cmocka_run_group_tests(tests, two_cores, NULL);
}
