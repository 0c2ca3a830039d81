/* SPDX-License-Identifier: ISC */
/*
 * Bodies: inside of their message, on the data lane before or after it, pulled
 * by the host, and such as the protocol does not allow.
 */
#include <poll.h>
#include <string.h>
#include <time.h>

#include "tests/replay/content.h"

static void
expect_pull(uint64_t transfer)
{
	const struct msg_pull *m = expect(&desc_pull);

	assert_int_equal(m->transfer, transfer);
}

/* ---- bodies of commands -------------------------------------------------- */

static void
content_in_the_message_is_written(void **state)
{
	uint64_t e;

	(void)state;
	begin_bodies(FAKE);
	e = write_inline(q, b, 0, content, SIZE, AFTER_NOTHING, TELL);
	expect_status(e, CL_COMPLETE);
	expect_content(content, SIZE);
	host_leave();
}

static void
a_body_may_come_after_its_message_in_pieces(void **state)
{
	uint64_t e;

	(void)state;
	begin_bodies(FAKE);
	e = write_body(q, b, 0, SIZE, 5, AFTER_NOTHING, TELL, 0);
	say_data(5, 1000, content + 1000, SIZE - 1000);
	expect_nothing();
	say_data(5, 0, content, 1000);
	expect_credit(SIZE);
	expect_status(e, CL_COMPLETE);
	expect_content(content, SIZE);
	host_leave();
}

static void
a_body_may_come_before_its_message(void **state)
{
	uint64_t e;

	(void)state;
	begin_bodies(FAKE);
	say_data(5, 0, content, SIZE);
	expect_nothing();
	e = write_body(q, b, 0, SIZE, 5, AFTER_NOTHING, TELL, 0);
	expect_credit(SIZE);
	expect_status(e, CL_COMPLETE);
	expect_content(content, SIZE);
	host_leave();
}

static void
a_body_that_is_not_sent_unasked_is_pulled(void **state)
{
	uint64_t e;

	(void)state;
	begin_bodies(FAKE);
	e = write_body(q, b, 0, SIZE, 5, AFTER_NOTHING, TELL, FRAME_PULL);
	expect_pull(5);
	say_data(5, 0, content, SIZE);
	expect_status(e, CL_COMPLETE);	/* no credit was used */
	expect_content(content, SIZE);
	host_leave();
}

static void
a_body_that_is_awaited_does_not_hold_back_other_queues(void **state)
{
	uint64_t other, e;

	(void)state;
	begin_bodies(FAKE);
	other = queue(c, 0);
	e = write_body(q, b, 0, SIZE, 5, AFTER_NOTHING, TELL, 0);
	marker(q, AFTER_NOTHING, QUIET);
	expect_status(marker(other, AFTER_NOTHING, TELL), CL_COMPLETE);
	say_data(5, 0, content, SIZE);
	expect_credit(SIZE);
	expect_status(e, CL_COMPLETE);
	host_leave();
}

static void
a_body_behind_an_unset_user_event_does_not_hold_back_others(void **state)
{
	uint64_t other, gate, e;

	(void)state;
	begin_bodies(FAKE);
	other = queue(c, 0);
	gate = user_event(c);
	e = write_body(q, b, 0, SIZE, 5, AFTER(gate), TELL, 0);
	say_data(5, 0, content, SIZE);
	expect_status(marker(other, AFTER_NOTHING, TELL), CL_COMPLETE);
	set_user_event(gate, CL_COMPLETE);
	expect_credit(SIZE);
	expect_status(e, CL_COMPLETE);
	expect_content(content, SIZE);
	host_leave();
}

/* Make staging memory scarce, with a body that nobody will ask for. */
static void
use_up_staging(void)
{
	uint64_t huge = buffer(c, HUGE);

	write_body(queue(c, 0), huge, 0, HUGE, 4, AFTER(user_event(c)), QUIET,
	    FRAME_PULL);
}

static void
while_memory_is_scarce_a_body_is_pulled_when_it_could_be_used(void **state)
{
	uint64_t gate, e;

	(void)state;
	begin_bodies(FAKE);
	use_up_staging();
	gate = user_event(c);
	e = write_body(q, b, 0, SIZE, 5, AFTER(gate), TELL, FRAME_PULL);
	expect_nothing();
	set_user_event(gate, CL_COMPLETE);
	expect_pull(5);
	say_data(5, 0, content, SIZE);
	expect_status(e, CL_COMPLETE);
	expect_content(content, SIZE);
	host_leave();
}

static void
a_body_of_a_command_that_fails_is_never_pulled(void **state)
{
	uint64_t gate, e;

	(void)state;
	begin_bodies(FAKE);
	use_up_staging();
	gate = user_event(c);
	e = write_body(q, b, 0, SIZE, 5, AFTER(gate), TELL, FRAME_PULL);
	set_user_event(gate, -1);
	expect_status(e, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	expect_nothing();
	host_leave();
}

/* Its memory is free again, so bodies are pulled at once. */
static void
what_was_never_pulled_gives_its_memory_back(void **state)
{
	uint64_t gate, huge, e;

	(void)state;
	begin_bodies(FAKE);
	gate = user_event(c);
	huge = buffer(c, HUGE);
	e = write_body(q, huge, 0, HUGE, 4, AFTER(gate), TELL, FRAME_PULL);
	set_user_event(gate, -1);
	expect_status(e, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	gate = user_event(c);
	write_body(q, b, 0, SIZE, 5, AFTER(gate), TELL, FRAME_PULL);
	expect_pull(5);
	host_leave();
}

static void
a_long_body_of_a_read_comes_on_the_data_lane(void **state)
{
	const struct heard *h;
	const struct msg_data *m;
	uint8_t got[sizeof(longer)];
	size_t n = 0, piece;
	uint64_t e;

	(void)state;
	begin_bodies(FAKE);
	e = write_body(q, b, 0, sizeof(longer), 5, AFTER_NOTHING, QUIET, 0);
	say_data(5, 0, longer, sizeof(longer));
	expect_credit(sizeof(longer));
	e = read_buffer(q, b, 0, sizeof(longer), 6, AFTER_NOTHING, TELL);
	expect_status(e, CL_COMPLETE);
	h = hear_on(data_lane());
	m = (const void *)h->msg;
	assert_ptr_equal(h->message, &desc_data);
	assert_int_equal(m->transfer, 6);
	assert_int_equal(m->size, sizeof(longer));
	while (n < sizeof(got)) {
		if (link_receive_body(data_lane(), got + n, sizeof(got) - n,
		    &piece, NULL) == VGPU_OK)
			n += piece;
	}
	assert_memory_equal(got, longer, sizeof(longer));
	host_leave();
}

static void
a_read_out_of_a_buffers_bounds_fails_its_event(void **state)
{
	uint64_t e;

	(void)state;
	begin_bodies(FAKE);
	e = read_buffer(q, b, sizeof(longer) - 8, 16, 6, AFTER_NOTHING, QUIET);
	expect_status(e, CL_INVALID_VALUE);
	expect_nothing();
	host_leave();
}

static void
a_body_that_is_larger_than_its_buffer_fails_its_event(void **state)
{
	uint64_t e;

	(void)state;
	begin_bodies(FAKE);
	e = write_body(q, b, 0, SIZE_MAX / 2, 5, AFTER_NOTHING, QUIET,
	    FRAME_PULL);
	expect_status(e, CL_INVALID_VALUE);
	e = read_buffer(q, b, 0, SIZE_MAX / 2, 6, AFTER_NOTHING, QUIET);
	expect_status(e, CL_INVALID_VALUE);
	expect_nothing();
	host_leave();
}

static void
content_of_another_size_than_its_message_says_fails_its_event(void **state)
{
	struct msg_clEnqueueWriteBuffer w = { .size = SIZE,
		.data = { content, 100 } };

	(void)state;
	begin_bodies(FAKE);
	w.command_queue.id = q;
	w.buffer.id = b;
	w.event.id = new_id();
	say(&desc_clEnqueueWriteBuffer, &w, 0);
	expect_status(w.event.id, CL_INVALID_VALUE);
	host_leave();
}

/* ---- bodies of calls that fail ------------------------------------------- */

static void
a_body_of_a_refused_command_is_passed_over(void **state)
{
	uint64_t e;

	(void)state;
	begin_bodies(FAKE "fail clEnqueueWriteBuffer -5");
	e = write_body(q, b, 0, SIZE, 5, AFTER_NOTHING, QUIET, 0);
	expect_status(e, CL_OUT_OF_RESOURCES);
	say_data(5, 0, content, SIZE);
	expect_credit(SIZE);
	e = write_body(q, b, 0, SIZE, 6, AFTER_NOTHING, TELL, 0);
	say_data(6, 0, content, SIZE);
	expect_credit(SIZE);
	expect_status(e, CL_COMPLETE);
	host_leave();
}

static void
a_body_for_a_poisoned_buffer_is_passed_over_and_credited(void **state)
{
	uint64_t bad, e;

	(void)state;
	begin_bodies(FAKE "fail clCreateBuffer -4 after 1");
	bad = buffer(c, SIZE);
	expect_object_error(bad, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	e = write_body(q, bad, 0, SIZE, 5, AFTER_NOTHING, QUIET, 0);
	expect_status(e, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	say_data(5, 0, content, SIZE);
	expect_credit(SIZE);
	expect_status(marker(q, AFTER_NOTHING, TELL), CL_COMPLETE);
	host_leave();
}

static void
a_client_may_leave_with_bodies_under_way(void **state)
{
	(void)state;
	begin_bodies(FAKE);
	write_body(q, b, 0, SIZE, 5, AFTER(user_event(c)), TELL, 0);
	say_data(5, 0, content, SIZE);
	write_body(q, b, 0, SIZE, 6, AFTER_NOTHING, TELL, 0);
	say_data(6, 0, content, 8);
	write_body(q, b, 0, SIZE, 7, AFTER_NOTHING, TELL, FRAME_PULL);
	expect_pull(7);
	host_leave();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SCENARIO(content_in_the_message_is_written),
		SCENARIO(a_body_may_come_after_its_message_in_pieces),
		SCENARIO(a_body_may_come_before_its_message),
		SCENARIO(a_body_that_is_not_sent_unasked_is_pulled),
		SCENARIO(
		    a_body_that_is_awaited_does_not_hold_back_other_queues),
		SCENARIO(
		    a_body_behind_an_unset_user_event_does_not_hold_back_others),
		SCENARIO(
		    while_memory_is_scarce_a_body_is_pulled_when_it_could_be_used),
		SCENARIO(a_body_of_a_command_that_fails_is_never_pulled),
		SCENARIO(what_was_never_pulled_gives_its_memory_back),
		SCENARIO(a_long_body_of_a_read_comes_on_the_data_lane),
		SCENARIO(a_read_out_of_a_buffers_bounds_fails_its_event),
		SCENARIO(a_body_that_is_larger_than_its_buffer_fails_its_event),
		SCENARIO(
		    content_of_another_size_than_its_message_says_fails_its_event),
		SCENARIO(a_body_of_a_refused_command_is_passed_over),
		SCENARIO(
		    a_body_for_a_poisoned_buffer_is_passed_over_and_credited),
		SCENARIO(a_client_may_leave_with_bodies_under_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
