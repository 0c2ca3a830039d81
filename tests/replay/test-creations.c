/* SPDX-License-Identifier: ISC */
/*
 * Bodies of creations, for which the control lane stands still, and such as
 * the protocol does not allow.
 */
#include <poll.h>
#include <string.h>
#include <time.h>

#include "tests/replay/content.h"

/* ---- bodies of creations ------------------------------------------------- */

static uint64_t
buffer_with_body(size_t size, uint64_t transfer)
{
	const struct msg_clCreateBufferWithProperties m = {
		.context = { .id = c }, .flags = CL_MEM_READ_WRITE,
		.size = size, .transfer = transfer,
		.id = { .id = new_id() } };

	say(&desc_clCreateBufferWithProperties, &m, 0);
	return m.id.id;
}

static void
a_creation_waits_for_its_body_and_what_follows_for_it(void **state)
{
	uint64_t e, serial;

	(void)state;
	begin_bodies(FAKE);
	hold();
	b = buffer_with_body(SIZE, 5);
	e = read_buffer(q, b, 0, SIZE, 6, AFTER_NOTHING, TELL);
	serial = finish(q);
	let_go();
	say_data(5, 0, content, 100);
	say_data(5, 100, content + 100, SIZE - 100);
	expect_data(6, content, SIZE);
	expect_status(e, CL_COMPLETE);
	expect_finish(serial, CL_SUCCESS);
	host_leave();
}

static void
a_creations_body_may_come_first(void **state)
{
	(void)state;
	begin_bodies(FAKE);
	say_data(5, 0, content, SIZE);
	expect_nothing();
	b = buffer_with_body(SIZE, 5);
	expect_content(content, SIZE);
	host_leave();
}

static void
several_creations_with_bodies_follow_each_other(void **state)
{
	unsigned i;

	(void)state;
	begin_bodies(FAKE);
	hold();
	for (i = 0; i < 10; i++)
		b = buffer_with_body(SIZE, 50 + i);
	let_go();
	for (i = 0; i < 10; i++)
		say_data(50 + i, 0, content, SIZE);
	expect_content(content, SIZE);
	host_leave();
}

/* The body of the write has 16 bytes: there are no more to be read. */
static void
a_creation_does_not_take_a_commands_body(void **state)
{
	(void)state;
	begin_bodies(FAKE);
	write_body(q, b, 0, 16, 5, AFTER(user_event(c)), QUIET, 0);
	buffer_with_body(SIZE, 5);
	expect_goodbye(VGPU_EPROTO, "clCreateBufferWithProperties: transfer 5 "
	    "is in use");
}

static void
a_client_may_leave_while_a_creation_waits(void **state)
{
	(void)state;
	host_start_ready(FAKE);	/* no data lane, which would tell, too */
	c = context();
	buffer_with_body(SIZE, 5);
	host_leave();
}

static int64_t
cpu_ms(clockid_t clock)
{
	struct timespec t;

	assert_int_equal(clock_gettime(clock, &t), 0);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* More messages lie there all the time. */
static void
a_host_that_waits_for_a_body_does_not_spin(void **state)
{
	struct pollfd p = { .events = POLLIN };
	clockid_t clock;
	int64_t before;

	(void)state;
	begin_bodies(FAKE);
	clock = host_cpu_clock();
	p.fd = link_fd(control_lane());
	buffer_with_body(SIZE, 5);
	assert_int_equal(poll(&p, 1, 50), 0);
	marker(q, AFTER_NOTHING, TELL);
	before = cpu_ms(clock);
	assert_int_equal(poll(&p, 1, 200), 0);
	assert_true(cpu_ms(clock) - before < 100);
	say_data(5, 0, content, SIZE);
	assert_ptr_equal(hear()->message, &desc_event_status);
	host_leave();
}

/* ---- what the protocol does not allow ------------------------------------ */

static void
data_outside_of_its_transfer_ends_the_session(void **state)
{
	(void)state;
	begin_bodies(FAKE);
	write_body(q, b, 0, SIZE, 5, AFTER_NOTHING, QUIET, 0);
	say_data(5, SIZE - 8, content, 16);
	expect_goodbye(VGPU_EPROTO, "data outside of its transfer");
}

static void
data_far_outside_of_its_transfer_ends_the_session(void **state)
{
	(void)state;
	begin_bodies(FAKE);
	write_body(q, b, 0, SIZE, 5, AFTER_NOTHING, QUIET, 0);
	say_data(5, UINT64_MAX - 7, content, 16);
	expect_goodbye(VGPU_EPROTO, "data outside of its transfer");
}

static void
data_that_says_another_size_than_it_has_ends_the_session(void **state)
{
	const struct msg_data m = { .transfer = 5, .offset = 0, .size = 1000 };

	(void)state;
	begin_bodies(FAKE);
	write_body(q, b, 0, SIZE, 5, AFTER_NOTHING, QUIET, 0);
	assert_int_equal(link_send_body(data_lane(), MSG_data, 0, 0, &m,
	    sizeof(m), content, 16, INT64_MAX, NULL), VGPU_OK);
	expect_goodbye(VGPU_EPROTO, "data frame of wrong size");
}

static void
another_message_on_the_data_lane_ends_the_session(void **state)
{
	static const uint64_t frame[] = { 24 | (uint64_t)MSG_clFlush << 32, 1,
	    DEVICE(0) };

	(void)state;
	begin_bodies(FAKE);
	say_bytes(data_lane(), frame, sizeof(frame));
	expect_goodbye(VGPU_EPROTO, "message 46 is not for the data lane");
}

static void
data_on_the_control_lane_ends_the_session(void **state)
{
	const struct msg_data m = { .transfer = 5 };

	(void)state;
	begin_bodies(FAKE);
	say(&desc_data, &m, 0);
	expect_goodbye(VGPU_EPROTO, "data on the control lane");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SCENARIO(a_creation_waits_for_its_body_and_what_follows_for_it),
		SCENARIO(a_creations_body_may_come_first),
		SCENARIO(several_creations_with_bodies_follow_each_other),
		SCENARIO(a_creation_does_not_take_a_commands_body),
		SCENARIO(a_client_may_leave_while_a_creation_waits),
		SCENARIO(a_host_that_waits_for_a_body_does_not_spin),
		SCENARIO(data_outside_of_its_transfer_ends_the_session),
		SCENARIO(data_far_outside_of_its_transfer_ends_the_session),
		SCENARIO(
		    data_that_says_another_size_than_it_has_ends_the_session),
		SCENARIO(another_message_on_the_data_lane_ends_the_session),
		SCENARIO(data_on_the_control_lane_ends_the_session),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
