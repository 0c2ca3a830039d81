/* SPDX-License-Identifier: ISC */
#include "hostd/history.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#define MS 1000000u

static struct history *history;
static struct usage *usage;
static struct err_text text;

/* Device 1 says it is twice as fast as others; there is no device 9. */
static uint64_t
speed_of(const void *arg, unsigned device)
{
	(void)arg;
	return device == 9 ? 0 : device == 1 ? 2000 : 1000;
}

static const struct history_speeds speeds = { speed_of, NULL };

static void
new_page(void)
{
	int fd;

	usage_free(usage);
	assert_int_equal(usage_new(&usage, &fd, &text), VGPU_OK);
	close(fd);
}

static int
setup(void **state)
{
	(void)state;
	usage = NULL;
	history = history_new();
	assert_non_null(history);
	new_page();
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	history_free(history);
	history_free(NULL);
	usage_free(usage);
	return 0;
}

/* Launches of a class, that took so long each. */
static void
launch(uint64_t key, unsigned device, unsigned launches, uint64_t ns)
{
	struct usage_slot *s = usage_class(usage, key, device);

	assert_non_null(s);
	usage_slot_set(s, ns);
	while (launches-- > 0)
		usage_slot_launched(s);
}

/* The session ends, and another one begins. */
static void
end(const char *tenant)
{
	history_learn(history, tenant, usage, &speeds);
	new_page();
}

static uint64_t
run_ns(const char *tenant, unsigned device)
{
	return history_run_ns(history, tenant, device, speed_of(NULL, device));
}

static void
nothing_is_known_of_who_never_ran(void **state)
{
	(void)state;
	assert_int_equal(run_ns("lab", 0), 0);
	assert_int_equal(history_work(history), 0);
	assert_int_equal(history_memory(history, "lab"), 0);
	assert_false(history_has_built(history, "lab", 0));
	end("lab");	/* it only looked around */
	assert_int_equal(run_ns("lab", 0), 0);
	assert_int_equal(history_work(history), 0);
}

static void
a_run_is_expected_to_come_again(void **state)
{
	(void)state;
	launch(1, 0, 10, 3 * MS);
	launch(2, 0, 1, 20 * MS);
	usage_add_memory(usage, 0, 4096);
	usage_built(usage, 0, 5 * MS);
	end("lab");
	assert_int_equal(run_ns("lab", 0), 50 * MS);
	assert_int_equal(run_ns("lab", 1), 25 * MS);	/* by its own word */
	assert_int_equal(run_ns("office", 0), 0);
	assert_int_equal(history_work(history), 50);
	assert_int_equal(history_memory(history, "lab"), 4096);
	assert_int_equal(history_build_ns(history, "lab"), 5 * MS);
	assert_true(history_has_built(history, "lab", 0));
	assert_false(history_has_built(history, "lab", 1));
	usage_built(usage, 1, 0);	/* kept: what building takes stays known */
	end("lab");
	assert_int_equal(history_build_ns(history, "lab"), 5 * MS);
	assert_true(history_has_built(history, "lab", 1));
}

/* A long run on one device, then a short one on another. */
static void
runs_of_different_sizes_compare(void **state)
{
	(void)state;
	launch(1, 0, 100, 1 * MS);
	end("lab");
	launch(1, 1, 10, 8 * MS);	/* it is not faster at all */
	end("lab");
	/* half of each: 55 launches */
	assert_int_equal(run_ns("lab", 0), 55 * MS);
	assert_int_equal(run_ns("lab", 1), 440 * MS);
}

/* Another device's word may be wrong, and was heard of later. */
static void
a_device_tells_of_one_like_it(void **state)
{
	(void)state;
	launch(1, 0, 10, 8 * MS);
	end("lab");
	launch(1, 1, 10, 8 * MS);	/* it is not faster at all */
	end("lab");
	assert_int_equal(run_ns("lab", 2), 80 * MS);
	launch(1, 0, 10, 6 * MS);
	end("lab");
	assert_int_equal(run_ns("lab", 2), 60 * MS);
}

static void
what_is_not_run_any_more_is_forgotten(void **state)
{
	unsigned i;

	(void)state;
	launch(1, 0, 4, 100 * MS);
	end("lab");
	for (i = 0; i < 8; i++) {
		launch(2, 0, 1, 1 * MS);
		end("lab");
	}
	/* 4 times 100 ms, halved 8 times, are not there any more */
	assert_in_range(run_ns("lab", 0), MS * 99 / 100, MS);
}

static void
many_classes_count_as_much_as_all_did(void **state)
{
	unsigned i;

	(void)state;
	for (i = 1; i <= 4 * HISTORY_MIX; i++)
		launch(i, 0, 1, MS);
	end("lab");
	assert_in_range(run_ns("lab", 0), 4 * HISTORY_MIX * MS - 1000,
	    4 * HISTORY_MIX * MS + 1000);
}

static void
a_new_session_is_told(void **state)
{
	(void)state;
	launch(1, 0, 1, 3 * MS);
	end("lab");
	history_teach(history, "lab", usage);
	assert_int_equal(usage_slot_ns(usage_class(usage, 1, 0)), 3 * MS);
	end("lab");	/* which launched nothing */
	assert_int_equal(run_ns("lab", 0), 3 * MS);
	history_teach(history, "office", usage);
	assert_int_equal(usage_slot_ns(usage_class(usage, 1, 0)), 0);
}

static void
a_device_that_is_gone_is_not_learned(void **state)
{
	(void)state;
	launch(1, 9, 1, MS);
	end("lab");
	assert_int_equal(run_ns("lab", 0), 0);
}

static void
room_is_bounded(void **state)
{
	char name[32];
	unsigned i;

	(void)state;
	for (i = 0; i <= HISTORY_TENANTS; i++) {
		snprintf(name, sizeof(name), "tenant %u", i);
		launch(1, 0, 1, MS);
		end(name);
	}
	assert_int_equal(run_ns("tenant 0", 0), 0);
	assert_int_equal(run_ns("tenant 1", 0), MS);
	assert_int_equal(run_ns(name, 0), MS);
	for (i = 0; i < HISTORY_TIMES; i++) {
		launch(2 + i, 0, 1, 1);
		end(name);
	}
	launch(1, 1, 1, MS);	/* which knows of device 0 no more */
	end("tenant 1");
	assert_int_equal(run_ns("tenant 1", 0), MS);
	assert_true(run_ns(name, 0) < 4);
}

#define HISTORY_TEST(name) \
	cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		HISTORY_TEST(nothing_is_known_of_who_never_ran),
		HISTORY_TEST(a_run_is_expected_to_come_again),
		HISTORY_TEST(runs_of_different_sizes_compare),
		HISTORY_TEST(a_device_tells_of_one_like_it),
		HISTORY_TEST(what_is_not_run_any_more_is_forgotten),
		HISTORY_TEST(many_classes_count_as_much_as_all_did),
		HISTORY_TEST(a_new_session_is_told),
		HISTORY_TEST(a_device_that_is_gone_is_not_learned),
		HISTORY_TEST(room_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
