/* SPDX-License-Identifier: ISC */
#include "hostd/alarms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define NOW 1000000
#define HOUR INT64_C(3600000)

static struct alarms s;

static int
setup(void **state)
{
	(void)state;
	memset(&s, 0, sizeof(s));
	return 0;
}

/* A look, as soon as it may be; when that was. */
static int64_t
look(bool changed, int64_t now)
{
	int64_t at;

	assert_true(alarms_want(&s, &at));
	if (at < now)
		at = now;
	alarms_begin(&s, at);
	alarms_end(&s, changed, at);
	return at;
}

static void
an_alarm_wants_one_look(void **state)
{
	int64_t at;

	(void)state;
	assert_false(alarms_want(&s, &at));
	assert_true(alarms_raise(&s, "lab", NOW));
	assert_false(alarms_raise(&s, "lab", NOW));
	assert_true(alarms_want(&s, &at));
	assert_true(at <= NOW);
	alarms_begin(&s, NOW);
	assert_false(alarms_raise(&s, "lab", NOW + 1));
	assert_false(alarms_want(&s, &at));
	alarms_end(&s, true, NOW + 10);
	assert_false(alarms_want(&s, &at));
}

static void
between_two_looks_is_some_time(void **state)
{
	int64_t at;

	(void)state;
	alarms_raise(&s, "lab", NOW);
	look(true, NOW);
	assert_true(alarms_raise(&s, "other", NOW + 1));
	assert_true(alarms_want(&s, &at));
	assert_int_equal(at, NOW + ALARMS_PAUSE_MS);
}

static void
who_was_wrong_is_not_heard_for_longer_and_longer(void **state)
{
	int64_t now = NOW, deaf = ALARMS_DEAF_MS;
	unsigned i;

	(void)state;
	for (i = 0; i < 3 * ALARMS_DOUBLINGS; i++) {
		assert_true(alarms_raise(&s, "liar", now));
		now = look(false, now);
		assert_false(alarms_raise(&s, "liar", now + deaf - 1));
		assert_true(alarms_raise(&s, "lab", now));
		look(true, now);
		now += deaf;
		if (i < ALARMS_DOUBLINGS)
			deaf *= 2;
	}
	assert_true(deaf < HOUR);
	assert_true(alarms_raise(&s, "liar", now));
	now = look(true, now);
	/* It was right, and begins anew. */
	assert_true(alarms_raise(&s, "liar", now));
	now = look(false, now);
	assert_true(alarms_raise(&s, "liar", now + ALARMS_DEAF_MS));
}

static void
what_comes_during_a_look_wants_another_one(void **state)
{
	int64_t at;

	(void)state;
	alarms_raise(&s, "lab", NOW);
	alarms_begin(&s, NOW);
	assert_true(alarms_raise(&s, "other", NOW + 1));
	alarms_end(&s, false, NOW + 2);
	assert_true(alarms_want(&s, &at));
	assert_false(alarms_raise(&s, "lab", NOW + 3));
	look(true, NOW + 3);
	assert_true(alarms_raise(&s, "other", NOW + 4));
}

static void
a_look_of_somebody_else_blames_nobody(void **state)
{
	int64_t at;

	(void)state;
	alarms_raise(&s, "lab", NOW);
	alarms_end(&s, false, NOW + 1);
	assert_true(alarms_want(&s, &at));
	look(true, NOW + 2);
	assert_true(alarms_raise(&s, "lab", NOW + 3));
}

/* The many that one has: those who lied longest are remembered. */
static void
many_tenants_are_known(void **state)
{
	char name[32];
	unsigned i;

	(void)state;
	alarms_raise(&s, "liar", NOW);
	look(false, NOW);
	for (i = 0; i < 3 * ALARMS_TENANTS_MAX; i++) {
		snprintf(name, sizeof(name), "t%u", i);
		assert_true(alarms_raise(&s, name, NOW + i));
		look(true, NOW + i);
	}
	assert_false(alarms_raise(&s, "liar", NOW + i));
	for (i = 0; i < ALARMS_TENANTS_MAX; i++) {
		snprintf(name, sizeof(name), "u%u", i);
		alarms_raise(&s, name, NOW + HOUR);
	}
	assert_false(alarms_raise(&s, "one too many", NOW + HOUR));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(an_alarm_wants_one_look, setup),
		cmocka_unit_test_setup(between_two_looks_is_some_time, setup),
		cmocka_unit_test_setup(
		    who_was_wrong_is_not_heard_for_longer_and_longer, setup),
		cmocka_unit_test_setup(
		    what_comes_during_a_look_wants_another_one, setup),
		cmocka_unit_test_setup(a_look_of_somebody_else_blames_nobody,
		    setup),
		cmocka_unit_test_setup(many_tenants_are_known, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
