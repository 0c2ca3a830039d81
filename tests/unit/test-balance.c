/* SPDX-License-Identifier: ISC */
#include "hostd/balance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define NOWHERE 99u
#define DEVICES 4

/* Devices 0, 1 and 2 are alike, 3 is not; each is on a card of its own. */
static void
fill(struct balance_device *d, const unsigned *working)
{
	unsigned i;

	for (i = 0; i < DEVICES; i++)
		d[i] = (struct balance_device){ .device = i,
			.class = i < 3 ? 0 : 1, .card = i,
			.working = working[i] };
}

/* Where a context goes from the first device where it always is so. */
static struct balance_pair
decide(const struct balance_device *d)
{
	struct balance_pair p = { NOWHERE, NOWHERE };
	struct balance b = { .looks = 0 };
	unsigned i;

	for (i = 0; i < BALANCE_LOOKS; i++)
		if (balance_look(&b, d, DEVICES, &p))
			break;
	return p;
}

static void
only_much_is_moved_for(void **state)
{
	static const struct {
		unsigned working[DEVICES], from, to;
	} table[] = {
		{ { 0, 0, 0, 0 }, NOWHERE, NOWHERE },
		{ { 1, 0, 0, 0 }, NOWHERE, NOWHERE },
		{ { 2, 0, 0, 0 }, 0, 1 },
		{ { 0, 2, 1, 0 }, 1, 0 },
		{ { 3, 1, 1, 0 }, NOWHERE, NOWHERE },
		{ { 4, 1, 2, 0 }, 0, 1 },
		{ { 4, 2, 1, 0 }, 0, 2 },
		{ { 2, 2, 0, 0 }, 0, 2 },
		{ { 2, 4, 0, 0 }, 1, 2 },
		{ { 1, 1, 1, 9 }, NOWHERE, NOWHERE },
		{ { 9, 9, 9, 0 }, NOWHERE, NOWHERE },
	};
	struct balance_device d[DEVICES];
	struct balance_pair p;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		fill(d, table[i].working);
		p = decide(d);
		assert_int_equal(p.from, table[i].from);
		assert_int_equal(p.to, table[i].to);
	}
}

static void
not_to_the_same_card_or_where_nothing_new_may_run(void **state)
{
	struct balance_device d[DEVICES];

	(void)state;
	fill(d, (const unsigned[]){ 4, 0, 1, 0 });
	assert_int_equal(decide(d).to, 1);
	d[1].card = 0;
	assert_int_equal(decide(d).to, 2);
	d[2].shut = true;
	assert_int_equal(decide(d).to, NOWHERE);
}

static void
it_has_to_be_so_for_a_while_and_then_nothing_moves_for_a_while(void **state)
{
	struct balance_device even[DEVICES], odd[DEVICES], other[DEVICES];
	struct balance b = { .looks = 0 };
	struct balance_pair p;
	unsigned i, k;

	(void)state;
	fill(even, (const unsigned[]){ 1, 1, 1, 0 });
	fill(odd, (const unsigned[]){ 2, 0, 1, 0 });
	fill(other, (const unsigned[]){ 0, 2, 1, 0 });
	for (i = 0; i < 9; i++) {
		assert_false(balance_look(&b, odd, DEVICES, &p));
		assert_false(balance_look(&b, even, DEVICES, &p));
	}
	for (i = 0; i < 9; i++) {
		assert_false(balance_look(&b, odd, DEVICES, &p));
		assert_false(balance_look(&b, other, DEVICES, &p));
	}
	for (i = 0; i < 3; i++) {
		for (k = 1; k < BALANCE_LOOKS; k++)
			assert_false(balance_look(&b, odd, DEVICES, &p));
		assert_true(balance_look(&b, odd, DEVICES, &p));
		for (k = 0; k < BALANCE_REST; k++)
			assert_false(balance_look(&b, odd, DEVICES, &p));
	}
}

/* Whatever the load, each move makes it more even, so that they come to an end. */
static void
moves_come_to_an_end(void **state)
{
	struct balance_device d[DEVICES];
	unsigned working[DEVICES], i, k, moves;
	struct balance_pair p;

	(void)state;
	srand(1);
	for (i = 0; i < 1000; i++) {
		for (k = 0; k < DEVICES; k++)
			working[k] = (unsigned)rand() % 40;
		for (moves = 0;; moves++) {
			fill(d, working);
			p = decide(d);
			if (p.from == NOWHERE)
				break;
			assert_true(working[p.to] + 1 < working[p.from]);
			working[p.from]--;
			working[p.to]++;
			assert_true(moves < 80);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_much_is_moved_for),
		cmocka_unit_test(
		    not_to_the_same_card_or_where_nothing_new_may_run),
		cmocka_unit_test(
		    it_has_to_be_so_for_a_while_and_then_nothing_moves_for_a_while),
		cmocka_unit_test(moves_come_to_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
