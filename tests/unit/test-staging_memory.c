/* SPDX-License-Identifier: ISC */
#include "hostd/staging_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MIB ((size_t)1 << 20)

static uint64_t
fresh(void)
{
	struct staging_memory_stats stats;

	staging_memory_get_stats(&stats);
	return stats.fresh;
}

static size_t
kept(void)
{
	struct staging_memory_stats stats;

	staging_memory_get_stats(&stats);
	return stats.kept;
}

/* Forget what the test before has left. */
static int
forget(void **state)
{
	(void)state;
	while (staging_memory_trim())
		;
	return 0;
}

static void
what_is_given_back_is_taken_again(void **state)
{
	uint64_t before = fresh();
	size_t room;
	void *p;
	int i;

	(void)state;
	for (i = 0; i < 10; i++) {
		p = staging_memory_take(MIB + (size_t)i, &room);
		assert_non_null(p);
		assert_true(room >= MIB + (size_t)i);
		assert_int_equal((uintptr_t)p % 128, 0);
		memset(p, i, room);
		staging_memory_give(p, room);
	}
	/* 1 MiB, and once a little more */
	assert_int_equal(fresh(), before + 2);
}

static void
a_small_body_does_not_take_a_large_block(void **state)
{
	uint64_t before = fresh();
	size_t room;
	void *p = staging_memory_take(32 * MIB, &room);

	(void)state;
	staging_memory_give(p, room);
	p = staging_memory_take(MIB, &room);
	assert_true(room < 2 * MIB);
	assert_int_equal(fresh(), before + 2);
	staging_memory_give(p, room);
}

static void
no_more_is_kept_than_the_limit(void **state)
{
	size_t room[3];
	void *p[3];
	int i;

	(void)state;
	for (i = 0; i < 3; i++)
		p[i] = staging_memory_take(STAGING_MEMORY_KEPT / 2, &room[i]);
	for (i = 0; i < 3; i++)
		staging_memory_give(p[i], room[i]);
	assert_int_equal(kept(), STAGING_MEMORY_KEPT);
	p[0] = staging_memory_take(STAGING_MEMORY_KEPT + 1, &room[0]);
	assert_non_null(p[0]);
	staging_memory_give(p[0], room[0]);
	assert_int_equal(kept(), STAGING_MEMORY_KEPT);
}

static void
what_is_not_used_is_freed(void **state)
{
	size_t room;
	void *p = staging_memory_take(MIB, &room);

	(void)state;
	staging_memory_give(p, room);
	assert_true(staging_memory_trim()); /* it was used */
	assert_int_equal(kept(), room);
	assert_false(staging_memory_trim());
	assert_int_equal(kept(), 0);
}

static void
no_size_overflows(void **state)
{
	size_t room;

	(void)state;
	assert_null(staging_memory_take(SIZE_MAX, &room));
	staging_memory_give(NULL, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(what_is_given_back_is_taken_again,
		    forget),
		cmocka_unit_test_setup(
		    a_small_body_does_not_take_a_large_block, forget),
		cmocka_unit_test_setup(no_more_is_kept_than_the_limit, forget),
		cmocka_unit_test_setup(what_is_not_used_is_freed, forget),
		cmocka_unit_test_setup(no_size_overflows, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
