/* SPDX-License-Identifier: ISC */
#include "hostd/replica.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SIZE 100

static struct replica
fresh(uint8_t valid)
{
	struct replica r;

	assert_true(replica_init(&r, SIZE, valid));
	return r;
}

/* The next missing part is [at, at + size), valid in the given members. */
static void
expect_missing(const struct replica *r, unsigned member, size_t *at,
    size_t begin, size_t size, uint8_t where)
{
	uint8_t valid = 0;

	assert_int_equal(replica_missing(r, member, at, SIZE, &valid), size);
	assert_int_equal(*at, begin);
	assert_int_equal(valid, where);
	*at += size;
}

static void
expect_none_missing(const struct replica *r, unsigned member)
{
	uint8_t valid;
	size_t at = 0;

	assert_int_equal(replica_missing(r, member, &at, SIZE, &valid), 0);
}

static void
what_was_never_written_is_valid_anywhere(void **state)
{
	struct replica r = fresh(REPLICA_ANYWHERE);
	unsigned m;

	(void)state;
	for (m = 0; m < 8; m++)
		expect_none_missing(&r, m);
	replica_fini(&r);
}

static void
what_was_written_is_missing_elsewhere(void **state)
{
	struct replica r = fresh(REPLICA_ANYWHERE);
	size_t at = 0;

	(void)state;
	assert_true(replica_reserve(&r, 1));
	replica_written(&r, 2, 10, 20);
	expect_none_missing(&r, 2);
	expect_missing(&r, 1, &at, 10, 20, 1 << 2);
	assert_int_equal(r.count, 3);
	replica_fini(&r);
}

static void
only_the_part_that_is_asked_for_is_told(void **state)
{
	struct replica r = fresh(1);
	uint8_t valid;
	size_t at = 40;

	(void)state;
	assert_int_equal(replica_missing(&r, 1, &at, 50, &valid), 10);
	assert_int_equal(at, 40);
	replica_fini(&r);
}

static void
a_copy_is_valid_in_one_member_more(void **state)
{
	struct replica r = fresh(1);
	size_t at = 0;

	(void)state;
	assert_true(replica_reserve(&r, 1));
	replica_copied(&r, 0, 3, 0, 50);
	expect_missing(&r, 3, &at, 50, 50, 1);
	at = 0;
	expect_missing(&r, 1, &at, 0, 50, 1 | 1 << 3);
	replica_fini(&r);
}

static void
a_copy_of_what_was_written_meanwhile_is_not_valid(void **state)
{
	struct replica r = fresh(1);
	size_t at = 0;

	(void)state;
	assert_true(replica_reserve(&r, 2));
	replica_written(&r, 2, 0, 10);
	replica_copied(&r, 0, 1, 0, SIZE);
	expect_missing(&r, 1, &at, 0, 10, 1 << 2);
	at = 10;
	assert_int_equal(replica_missing(&r, 1, &at, SIZE, &(uint8_t){ 0 }),
	    0);
	replica_fini(&r);
}

static void
pieces_that_are_alike_become_one(void **state)
{
	struct replica r = fresh(1);
	size_t i;

	(void)state;
	for (i = 0; i < SIZE; i += 10) {
		assert_true(replica_reserve(&r, 1));
		replica_written(&r, 1, i, 10);
		assert_true(r.count <= 2);
	}
	assert_int_equal(r.count, 1);
	replica_fini(&r);
}

/* Every byte's set, kept in the simplest way. */
static void
a_thousand_changes_agree_with_an_array(void **state)
{
	uint8_t model[SIZE], valid = 0;
	struct replica r = fresh(1);
	unsigned i, k, m, from;
	size_t at, size, b;

	(void)state;
	srand(1);
	memset(model, 1, SIZE);
	for (i = 0; i < 1000; i++) {
		at = (size_t)rand() % SIZE;
		size = (size_t)rand() % (SIZE - at + 1);
		m = (unsigned)rand() % 4;
		from = (unsigned)rand() % 4;
		assert_true(replica_reserve(&r, 1));
		if (rand() % 2) {
			replica_written(&r, m, at, size);
			memset(model + at, 1 << m, size);
		} else {
			replica_copied(&r, from, m, at, size);
			for (b = at; b < at + size; b++)
				if (model[b] & 1 << from)
					model[b] |= (uint8_t)(1 << m);
		}
		for (k = 1; k < r.count; k++)
			assert_true(r.piece[k].end > r.piece[k - 1].end &&
			    r.piece[k].valid != r.piece[k - 1].valid);
		assert_int_equal(r.piece[r.count - 1].end, SIZE);
		for (b = 0; b < SIZE; b++) {
			at = b;
			size = replica_missing(&r, m, &at, b + 1, &valid);
			assert_int_equal(size, !(model[b] & 1 << m));
			if (size > 0)
				assert_int_equal(valid, model[b]);
		}
	}
	replica_fini(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_never_written_is_valid_anywhere),
		cmocka_unit_test(what_was_written_is_missing_elsewhere),
		cmocka_unit_test(only_the_part_that_is_asked_for_is_told),
		cmocka_unit_test(a_copy_is_valid_in_one_member_more),
		cmocka_unit_test(
		    a_copy_of_what_was_written_meanwhile_is_not_valid),
		cmocka_unit_test(pieces_that_are_alike_become_one),
		cmocka_unit_test(a_thousand_changes_agree_with_an_array),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
