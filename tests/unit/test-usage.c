/* SPDX-License-Identifier: ISC */
#include "hostd/usage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include <cmocka.h>

#include "hostd/pool.h"

static struct usage *theirs, *ours;
static struct err_text text;
static int fd;

static int
setup(void **state)
{
	(void)state;
	assert_int_equal(usage_new(&ours, &fd, &text), VGPU_OK);
	assert_int_equal(usage_map(&theirs, fd, &text), VGPU_OK);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	usage_free(ours);
	usage_free(theirs);
	usage_free(NULL);
	close(fd);
	return 0;
}

static void
what_one_writes_the_other_reads(void **state)
{
	const unsigned last = POOL_DEVICES_MAX - 1;
	struct usage_class c;
	unsigned i, found = 0;

	(void)state;
	usage_add_queued(theirs, last, 700);
	usage_add_queued(theirs, last, -200);
	usage_add_busy(theirs, last, 40);
	usage_add_memory(theirs, 3, 4096);
	usage_add_memory(theirs, 3, -4096);
	usage_add_memory(theirs, 3, 100);
	usage_built(theirs, 3, 55);
	usage_slot_launched(usage_class(theirs, 77, last));
	usage_slot_set(usage_class(theirs, 77, last), 123);
	assert_int_equal(usage_queued(ours, last), 500);
	assert_int_equal(usage_busy(ours, last), 40);
	assert_int_equal(usage_memory(ours, 3), 100);
	assert_int_equal(usage_peak(ours), 4096);
	assert_true(usage_has_built(ours, 3));
	assert_int_equal(usage_built_end(ours), 4);
	assert_false(usage_has_built(ours, last));
	assert_int_equal(usage_build_ns(ours), 55);
	for (i = 0; i < USAGE_CLASSES; i++)
		if (usage_class_at(ours, i, &c)) {
			found++;
			assert_int_equal(c.key, 77);
			assert_int_equal(c.device, last);
			assert_int_equal(c.launches, 1);
			assert_int_equal(c.ns, 123);
		}
	assert_int_equal(found, 1);
}

/* A session that was taken over may write anything. */
static void
what_can_not_be_is_cut(void **state)
{
	struct usage_class c;
	unsigned i;

	(void)state;
	usage_add_queued(theirs, 0, -1);
	usage_add_busy(theirs, 0, UINT64_MAX);
	usage_add_memory(theirs, 0, -1);
	usage_built(theirs, 0, UINT64_MAX);
	usage_slot_set(usage_class(theirs, 1, 0), UINT64_MAX);
	assert_non_null(usage_class(theirs, 2, POOL_DEVICES_MAX));
	assert_int_equal(usage_queued(ours, 0), USAGE_QUEUED_NS_MAX);
	assert_int_equal(usage_busy(ours, 0), INT64_MAX);
	assert_int_equal(usage_memory(ours, 0), INT64_MAX);
	assert_true(usage_build_ns(ours) < UINT64_MAX);
	for (i = 0; i < USAGE_CLASSES; i++)
		if (usage_class_at(ours, i, &c)) {
			assert_int_equal(c.key, 1);
			assert_int_equal(c.ns, USAGE_CLASS_NS_MAX);
		}
}

static void
its_size_stays(void **state)
{
	(void)state;
	assert_int_not_equal(ftruncate(fd, 0), 0);
	assert_int_not_equal(ftruncate(fd, 1 << 20), 0);
}

static void
more_classes_than_there_is_room_for_are_none(void **state)
{
	unsigned i, refused = 0;

	(void)state;
	for (i = 1; i <= 2 * USAGE_CLASSES; i++)
		refused += usage_class(theirs, i, 0) == NULL;
	assert_int_equal(refused, USAGE_CLASSES);
	assert_ptr_equal(usage_class(theirs, 1, 0), usage_class(theirs, 1, 0));
	assert_int_equal(usage_slot_ns(usage_class(theirs, 1, 0)), 0);
}

#define USAGE_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		USAGE_TEST(what_one_writes_the_other_reads),
		USAGE_TEST(what_can_not_be_is_cut),
		USAGE_TEST(its_size_stays),
		USAGE_TEST(more_classes_than_there_is_room_for_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
