/* SPDX-License-Identifier: ISC */
#include "hostd/account.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t seed = 1;

static uint64_t
random_number(void)
{
	seed = seed * UINT64_C(6364136223846793005) +
	    UINT64_C(1442695040888963407);
	return seed >> 33;
}

/* Events with serials 1 to n, in the order of index(i). */
static void
sorts(unsigned n, unsigned (*index)(unsigned i, unsigned n))
{
	struct vevent *events = calloc(n + 1, sizeof(*events)), *e;
	struct account a;
	unsigned i, next = 0;

	assert_non_null(events);
	account_init(&a);
	for (i = 0; i < n; i++) {
		events[i].serial = index(i, n) + 1;
		account_add(&a, &events[i]);
	}
	for (e = account_sorted(&a); e != NULL; e = e->next)
		assert_int_equal(e->serial, ++next);
	assert_int_equal(next, n);
	free(events);
}

static unsigned
forwards(unsigned i, unsigned n)
{
	(void)n;
	return i;
}

static unsigned
backwards(unsigned i, unsigned n)
{
	return n - 1 - i;
}

/* Two queues that wait for each other: all of one, then all of the other. */
static unsigned
in_two_queues(unsigned i, unsigned n)
{
	unsigned odd = n / 2;

	return i < odd ? 2 * i + 1 : 2 * (n - 1 - i);
}

static void
nothing_is_nothing(void **state)
{
	struct account a;

	(void)state;
	account_init(&a);
	assert_null(account_sorted(&a));
}

static void
every_order_is_put_right(void **state)
{
	unsigned n;

	(void)state;
	for (n = 1; n < 70; n++) {
		sorts(n, forwards);
		sorts(n, backwards);
		sorts(n, in_two_queues);
	}
}

/* Walking from one end for each would take minutes. */
static void
a_million_is_not_too_many(void **state)
{
	(void)state;
	sorts(1000000, in_two_queues);
}

static void
what_is_random_is_put_right(void **state)
{
	static struct vevent events[1000];
	struct vevent *e;
	struct account a;
	uint64_t last = 0;
	unsigned i, n = 0;

	(void)state;
	account_init(&a);
	for (i = 0; i < 1000; i++) {
		events[i].serial = random_number();
		account_add(&a, &events[i]);
	}
	for (e = account_sorted(&a); e != NULL; e = e->next, n++) {
		assert_true(e->serial >= last);
		last = e->serial;
	}
	assert_int_equal(n, 1000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_nothing),
		cmocka_unit_test(every_order_is_put_right),
		cmocka_unit_test(a_million_is_not_too_many),
		cmocka_unit_test(what_is_random_is_put_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
