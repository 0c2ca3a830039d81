/* SPDX-License-Identifier: ISC */
#include "common/twin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SIZE (5 * TWIN_BLOCK + 100)

/* Two processes in one: each side's memory, and records that move it. */
struct side {
	struct twin twin;
	uint8_t memory[SIZE];
};

static struct side client, host;

static int
start(void **state)
{
	(void)state;
	memset(&client, 0, sizeof(client));
	memset(&host, 0, sizeof(host));
	assert_true(twin_init(&client.twin, client.memory, SIZE));
	assert_true(twin_init(&host.twin, host.memory, SIZE));
	return 0;
}

static int
end(void **state)
{
	(void)state;
	twin_fini(&client.twin);
	twin_fini(&host.twin);
	return 0;
}

static void
collect(struct side *from, struct buf *out)
{
	size_t at = 0;

	buf_init(out);
	assert_true(twin_collect(&from->twin, &at, out, SIZE_MAX));
	assert_false(out->failed);
}

/* The blocks have other addresses here than they have on the other side. */
static size_t
apply(struct side *to, const struct side *from, struct buf *records)
{
	struct twin_record r;
	size_t n = 0;

	for (; buf_len(records) > 0; n++) {
		assert_true(buf_len(records) >= sizeof(r));
		memcpy(&r, buf_front(records), sizeof(r));
		buf_take(records, sizeof(r));
		r.address += (uintptr_t)to->memory - (uintptr_t)from->memory;
		assert_int_equal(twin_apply(&to->twin, &r), VGPU_OK);
	}
	buf_fini(records);
	return n;
}

static size_t
move(struct side *from, struct side *to)
{
	struct buf records;

	collect(from, &records);
	return apply(to, from, &records);
}

static void
what_has_not_changed_does_not_travel(void **state)
{
	(void)state;
	assert_int_equal(move(&client, &host), 0);
	client.memory[TWIN_BLOCK] = 7;
	assert_int_equal(move(&client, &host), 1);
	assert_int_equal(move(&client, &host), 0);
	assert_int_equal(move(&host, &client), 0);
}

static void
every_byte_arrives_to_the_last(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < SIZE; i++)
		client.memory[i] = (uint8_t)(i * 7 + 1);
	assert_int_equal(move(&client, &host), 6);
	assert_memory_equal(client.memory, host.memory, SIZE);
	memset(host.memory, 0, SIZE);
	assert_int_equal(move(&host, &client), 6);
	assert_memory_equal(client.memory, host.memory, SIZE);
}

static void
bytes_beside_a_change_keep_what_was_written(void **state)
{
	(void)state;
	client.memory[10] = 1;
	client.memory[12] = 3;
	host.memory[11] = 2;
	move(&client, &host);
	move(&host, &client);
	assert_memory_equal(client.memory, host.memory, SIZE);
	assert_memory_equal(client.memory + 10, "\1\2\3", 3);
}

static void
changes_may_cross(void **state)
{
	struct buf there, back;

	(void)state;
	client.memory[0] = 1;
	host.memory[1] = 2;
	collect(&client, &there);
	collect(&host, &back);
	client.memory[2] = 3;
	apply(&host, &client, &there);
	apply(&client, &host, &back);
	assert_int_equal(move(&client, &host), 1);
	assert_int_equal(move(&host, &client), 0);
	assert_memory_equal(client.memory, "\1\2\3", 3);
	assert_memory_equal(host.memory, "\1\2\3", 3);
}

static void
what_is_too_much_for_once_goes_on_later(void **state)
{
	const size_t limit = 2 * sizeof(struct twin_record);
	struct buf part;
	size_t at = 0;

	(void)state;
	memset(client.memory, 5, SIZE);
	buf_init(&part);
	assert_false(twin_collect(&client.twin, &at, &part, limit));
	assert_int_equal(buf_len(&part), limit);
	assert_int_equal(apply(&host, &client, &part), 2);
	assert_int_equal(move(&client, &host), 4);
	assert_memory_equal(client.memory, host.memory, SIZE);
}

static void
records_of_other_memory_are_refused(void **state)
{
	struct twin_record r = { .change = { 1 } };

	(void)state;
	r.address = (uintptr_t)host.memory + 1;
	assert_int_equal(twin_apply(&host.twin, &r), VGPU_EPROTO);
	r.address = (uintptr_t)host.memory - TWIN_BLOCK;
	assert_int_equal(twin_apply(&host.twin, &r), VGPU_EPROTO);
	r.address = (uintptr_t)host.memory + 6 * TWIN_BLOCK;
	assert_int_equal(twin_apply(&host.twin, &r), VGPU_EPROTO);
	r.address = (uintptr_t)host.memory + 5 * TWIN_BLOCK;
	memset(r.change, 9, sizeof(r.change));
	assert_int_equal(twin_apply(&host.twin, &r), VGPU_OK);
	assert_int_equal(host.memory[SIZE - 1], 9);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    what_has_not_changed_does_not_travel, start, end),
		cmocka_unit_test_setup_teardown(
		    every_byte_arrives_to_the_last, start, end),
		cmocka_unit_test_setup_teardown(
		    bytes_beside_a_change_keep_what_was_written, start, end),
		cmocka_unit_test_setup_teardown(changes_may_cross, start,
		    end),
		cmocka_unit_test_setup_teardown(
		    what_is_too_much_for_once_goes_on_later, start, end),
		cmocka_unit_test_setup_teardown(
		    records_of_other_memory_are_refused, start, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
