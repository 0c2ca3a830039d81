/* SPDX-License-Identifier: ISC */
/*
 * What the parent reads of a session while it works: what is queued and what
 * has run, without any message more.
 */
#include <unistd.h>

#include "hostd/usage.h"
#include "tests/replay/host.h"
#include "tests/replay/objects.h"

#define MS 1000000u
#define SOURCE "kernel void sleep(ulong ns) {}\n" \
	"kernel void fill(global int *out, int value) {}\n"

static struct usage *page;
static uint64_t c, q, sleeps, fills, memory;

static void
begin(void)
{
	struct err_text text;
	uint64_t p;
	int fd;

	assert_int_equal(usage_new(&page, &fd, &text), VGPU_OK);
	close(fd);
	host_usage = page;
	host_start_ready("devices 1 gpu");
	host_usage = NULL;
	c = context();
	q = queue(c, 0);
	p = program(c, SOURCE);
	sleeps = kernel(p, "sleep");
	fills = kernel(p, "fill");
	memory = buffer(c, 4096);
}

static void
leave(void)
{
	host_leave();
	usage_free(page);
}

static void
launch_sleep(uint64_t ns, size_t items, struct span wait)
{
	const struct arg arg = { 0, ARG_VALUE, sizeof(ns), &ns };

	launch(q, sleeps, items, &arg, 1, wait, NO_EVENT);
}

static void
finish_all(void)
{
	expect_finish(finish(q), CL_SUCCESS);
}

/* The classes that were launched, those launched less often first. */
static unsigned
classes(struct usage_class *out)
{
	struct usage_class one;
	unsigned i, k, n = 0;

	for (i = 0; i < USAGE_CLASSES; i++) {
		if (!usage_class_at(page, i, &one) || one.launches == 0)
			continue;
		for (k = n++; k > 0 && out[k - 1].launches > one.launches; k--)
			out[k] = out[k - 1];
		out[k] = one;
	}
	return n;
}

static void
launches_are_counted_by_kernel_and_size(void **state)
{
	struct usage_class found[USAGE_CLASSES];
	unsigned i;

	(void)state;
	begin();
	launch_sleep(0, 16, AFTER_NOTHING);
	for (i = 0; i < 2; i++)
		launch_sleep(0, 1024, AFTER_NOTHING);
	for (i = 0; i < 3; i++)
		launch_sleep(0, 33 + i, AFTER_NOTHING);
	for (i = 0; i < 4; i++) {
		const int value = 1;
		const struct arg args[] = { { 0, ARG_MEM, 8, &memory },
			{ 1, ARG_VALUE, sizeof(value), &value } };

		launch(q, fills, 16, args, 2, AFTER_NOTHING, NO_EVENT);
	}
	finish_all();
	assert_int_equal(classes(found), 4);
	for (i = 0; i < 4; i++) {
		assert_int_equal(found[i].launches, i + 1);
		assert_int_equal(found[i].device, 0);
		assert_true(found[i].ns > 0);
	}
	leave();
}

static void
what_takes_longer_is_known_to(void **state)
{
	struct usage_class found[USAGE_CLASSES];

	(void)state;
	begin();
	launch_sleep(20 * MS, 16, AFTER_NOTHING);
	finish_all();
	launch_sleep(5 * MS, 1024, AFTER_NOTHING);
	launch_sleep(5 * MS, 1024, AFTER_NOTHING);
	finish_all();
	assert_int_equal(classes(found), 2);
	assert_true(found[0].ns >= 20 * MS);
	assert_true(found[1].ns >= 5 * MS);
	assert_true(usage_busy(page, 0) >= 30 * MS);
	leave();
}

/* The times were learned by another session. */
static void
what_waits_is_queued_until_it_has_run(void **state)
{
	struct usage_class found[USAGE_CLASSES];
	uint64_t gate;

	(void)state;
	begin();
	launch_sleep(0, 16, AFTER_NOTHING);
	finish_all();
	assert_int_equal(usage_queued(page, 0), 0);
	assert_int_equal(classes(found), 1);
	usage_slot_set(usage_class(page, found[0].key, 0), 7000);
	gate = user_event(c);
	hold();
	launch_sleep(0, 16, AFTER(gate));
	launch_sleep(0, 16, AFTER_NOTHING);
	launch_sleep(0, 16, AFTER_NOTHING);
	let_go();
	expect_nothing();
	assert_int_equal(usage_queued(page, 0), 3 * 7000);
	set_user_event(gate, CL_COMPLETE);
	finish_all();
	assert_int_equal(usage_queued(page, 0), 0);
	leave();
}

static void
what_is_released_with_its_queue_waits_no_more(void **state)
{
	struct usage_class found[USAGE_CLASSES];
	uint64_t other;

	(void)state;
	begin();
	launch_sleep(0, 16, AFTER_NOTHING);
	finish_all();
	classes(found);
	usage_slot_set(usage_class(page, found[0].key, 0), 7000);
	other = q;
	q = queue(c, 0);
	launch_sleep(0, 16, AFTER_NOTHING);
	expect_nothing();
	assert_int_equal(usage_queued(page, 0), 7000);
	release(q);
	q = other;
	finish_all();
	assert_int_equal(usage_queued(page, 0), 0);
	leave();
}

static void
memory_and_builds_are_told(void **state)
{
	uint64_t b;

	(void)state;
	begin();
	b = buffer(c, 8192);
	expect_nothing();
	assert_int_equal(usage_memory(page, 0), 4096 + 8192);
	release(b);
	expect_nothing();
	assert_int_equal(usage_memory(page, 0), 4096);
	assert_int_equal(usage_peak(page), 4096 + 8192);
	assert_true(usage_has_built(page, 0));
	assert_true(usage_build_ns(page) > 0);
	leave();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SCENARIO(launches_are_counted_by_kernel_and_size),
		SCENARIO(what_takes_longer_is_known_to),
		SCENARIO(what_waits_is_queued_until_it_has_run),
		SCENARIO(what_is_released_with_its_queue_waits_no_more),
		SCENARIO(memory_and_builds_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
