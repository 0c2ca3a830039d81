/* SPDX-License-Identifier: ISC */
#include "hostd/place.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/fixture-load.h"

#define LOADS 2000
#define SECOND 1000000000.0

static unsigned order[LOAD_DEVICES_MAX];
static char reason[PLACE_REASON_MAX];

static void
run(const char *policy, const struct place_device *d, unsigned n,
    const struct place_job *j)
{
	const struct place_job unit = { .work = 1000 };

	assert_non_null(place_policy(policy));
	place_order(place_policy(policy), d, n, j != NULL ? j : &unit, order,
	    reason);
}

static void
kind_memory_and_card_come_before_any_policy(void **state)
{
	struct place_device d[] = {
		{ .number = 0, .rank = 1, .speed = 1000, .free = 100 },
		{ .number = 1, .speed = 1, .free = 100 },
		{ .number = 2, .speed = 500, .free = 5 },
		{ .number = 3, .speed = 400, .free = 100, .mine = 1 },
	};
	const struct place_job j = { .work = 1, .memory = 10 };
	const struct place_policy *p;

	(void)state;
	for (p = place_policies; p->name != NULL; p++) {
		run(p->name, d, 4, &j);
		assert_int_equal(order[0], 1);
		assert_int_equal(order[1], 3);
		assert_int_equal(order[2], 2);
		assert_int_equal(order[3], 0);
	}
	assert_non_null(strstr(reason, "different cards, before device 3"));
}

static void
an_unknown_policy_is_none(void **state)
{
	(void)state;
	assert_null(place_policy("most-loaded"));
	assert_string_equal(place_policies[0].name, "least-loaded");
}

static void
least_loaded_counts_queue_speed_and_building(void **state)
{
	struct place_device d[] = {
		{ .number = 7, .speed = 1000, .queued_ns = 900000000 },
		{ .number = 8, .speed = 600 },
	};
	struct place_job j = { .work = 1000 };

	(void)state;
	run("least-loaded", d, 2, &j);		/* 1.9 s, 1.67 s */
	assert_int_equal(order[0], 1);
	assert_string_equal(reason, "least-loaded: 1666666666 ns until done, "
	    "where device 7 has 1900000000");
	d[0].built = true;
	j.build_ns = 500000000;			/* 1.9 s, 2.17 s */
	run("least-loaded", d, 2, &j);
	assert_int_equal(order[0], 0);
	j.work = 0;
	j.build_ns = 0;				/* 0.9 s, 0 s */
	run("least-loaded", d, 2, &j);
	assert_int_equal(order[0], 1);
}

static void
round_robin_takes_turns(void **state)
{
	struct place_device d[] = {
		{ .number = 0, .speed = 9 }, { .number = 1, .speed = 1 },
		{ .number = 2, .speed = 5 },
	};
	unsigned counts[3] = { 0 }, i;

	(void)state;
	for (i = 1; i <= 12; i++) {
		run("round-robin", d, 3, NULL);
		counts[order[0]]++;
		d[order[0]].turn = i;
	}
	for (i = 0; i < 3; i++)
		assert_int_equal(counts[i], 4);
}

static void
pack_fills_what_is_in_use_before_it_opens_another(void **state)
{
	struct place_device d[] = {
		{ .number = 0, .free = 80, .users = 0 },
		{ .number = 1, .free = 60, .users = 2 },
		{ .number = 2, .free = 40, .users = 1 },
	};
	const struct place_job large = { .memory = 50 };

	(void)state;
	run("pack", d, 3, NULL);
	assert_int_equal(order[0], 2);
	assert_int_equal(order[1], 1);
	run("pack", d, 3, &large);
	assert_int_equal(order[0], 1);
	assert_int_equal(order[1], 0);
}

static void
weighted_spreads_by_weight_and_not_by_speed(void **state)
{
	struct place_device d[] = {
		{ .number = 0, .speed = 900, .weight = 1 },
		{ .number = 1, .speed = 100, .weight = 3 },
		{ .number = 2, .speed = 999, .weight = 0 },
	};
	unsigned i;

	(void)state;
	for (i = 0; i < 12; i++) {
		run("weighted", d, 3, NULL);
		d[order[0]].users++;
	}
	assert_int_equal(d[0].users, 3);
	assert_int_equal(d[1].users, 9);
	assert_int_equal(d[2].users, 0);
}

static void
equals_stay_in_the_order_of_their_numbers(void **state)
{
	struct place_device d[] = { { .number = 5 }, { .number = 3 } };

	(void)state;
	run("least-loaded", d, 2, NULL);
	assert_int_equal(order[0], 1);
	assert_string_equal(reason, "least-loaded: found first, before device 5");
	d[1].here = 1;	/* of one card, on which that makes no difference */
	run("least-loaded", d, 2, NULL);
	assert_int_equal(order[0], 0);
	assert_string_equal(reason, "least-loaded: fewer users on the same "
	    "card, before device 3");
	run("least-loaded", d, 1, NULL);
	assert_string_equal(reason, "the only one");
}

static void
programs_of_one_size_spread_in_proportion_to_speed(void **state)
{
	struct place_device d[] = {
		{ .number = 0, .speed = 1000 }, { .number = 1, .speed = 3000 },
		{ .number = 2, .speed = 2000 },
	};
	unsigned i;

	(void)state;
	for (i = 0; i < 12; i++) {
		run("least-loaded", d, 3, NULL);
		d[order[0]].users++;
		d[order[0]].waiting += 1000;
	}
	assert_int_equal(d[0].users, 2);
	assert_int_equal(d[1].users, 6);
	assert_int_equal(d[2].users, 4);
}

/* ---- loads, with a clock of their own -------------------------------------- */

/* Jobs come faster than the devices can do them, in bursts and one by one. */
static void
make_load(struct load *l, unsigned jobs)
{
	double total = 0, now = 0;
	unsigned i;

	l->devices = (unsigned)draw(2, LOAD_DEVICES_MAX);
	l->jobs = jobs;
	for (i = 0; i < l->devices; i++)
		total += l->speed[i] = (double)draw(1000, 9000);
	for (i = 0; i < jobs; i++) {
		l->work[i] = (double)(draw(0, 9) == 0 ? draw(4000, 20000) :
		    draw(100, 4000));
		l->at[i] = now;
		if (draw(0, 2) > 0)
			now += l->work[i] / total * (double)draw(0, 100) / 100;
	}
}

/* When all is done, as the policy places jobs when they come. */
static double
played(const struct load *l, const char *policy)
{
	double until[LOAD_DEVICES_MAX] = { 0 }, last = 0;
	struct place_device d[LOAD_DEVICES_MAX];
	struct place_job j = { 0 };
	unsigned i, k;

	memset(d, 0, sizeof(d));
	for (i = 0; i < l->jobs; i++) {
		for (k = 0; k < l->devices; k++) {
			d[k].number = k;
			d[k].speed = (uint64_t)l->speed[k];
			d[k].weight = (unsigned)l->speed[k];
			d[k].queued_ns = until[k] <= l->at[i] ? 0 :
			    (uint64_t)((until[k] - l->at[i]) * SECOND);
		}
		j.work = (uint64_t)l->work[i];
		run(policy, d, l->devices, &j);
		k = order[0];
		d[k].turn = i + 1;
		d[k].users++;
		if (until[k] < l->at[i])
			until[k] = l->at[i];
		until[k] += l->work[i] / l->speed[k];
		if (until[k] > last)
			last = until[k];
	}
	return last;
}

static void
least_loaded_is_within_a_tenth_of_the_best_assignment(void **state)
{
	static struct load l;
	double sum = 0, best = 0, robin = 0, bound, end;
	unsigned i;

	(void)state;
	draw_from(20260101);
	for (i = 0; i < LOADS; i++) {
		make_load(&l, (unsigned)draw(100, LOAD_JOBS_MAX));
		bound = load_bound(&l);
		end = played(&l, "least-loaded");
		assert_true(end >= bound);
		assert_true(end < 2 * bound);	/* even where luck is worst */
		best += bound;
		sum += end;
		robin += played(&l, "round-robin");
	}
	assert_true(sum <= 1.1 * best);
	/* and it is a policy that does it, not an easy load */
	assert_true(robin > 1.3 * best);
}

static void
twelve_programs_are_within_a_tenth_of_the_best_assignment(void **state)
{
	double sum = 0, best = 0;
	static struct load l;
	unsigned i, k;

	(void)state;
	draw_from(7);
	for (i = 0; i < LOADS; i++) {
		make_load(&l, 12);
		l.devices = 3;
		for (k = 0; k < l.jobs; k++) {
			l.work[k] = (double)draw(3000, 4000);
			l.at[k] = 0;
		}
		best += load_best(&l);
		sum += played(&l, "least-loaded");
	}
	assert_true(sum >= best);
	assert_true(sum <= 1.1 * best);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kind_memory_and_card_come_before_any_policy),
		cmocka_unit_test(an_unknown_policy_is_none),
		cmocka_unit_test(least_loaded_counts_queue_speed_and_building),
		cmocka_unit_test(round_robin_takes_turns),
		cmocka_unit_test(
		    pack_fills_what_is_in_use_before_it_opens_another),
		cmocka_unit_test(weighted_spreads_by_weight_and_not_by_speed),
		cmocka_unit_test(equals_stay_in_the_order_of_their_numbers),
		cmocka_unit_test(
		    programs_of_one_size_spread_in_proportion_to_speed),
		cmocka_unit_test(
		    least_loaded_is_within_a_tenth_of_the_best_assignment),
		cmocka_unit_test(
		    twelve_programs_are_within_a_tenth_of_the_best_assignment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
