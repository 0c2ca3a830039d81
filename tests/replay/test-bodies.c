/* SPDX-License-Identifier: ISC */
/*
 * Bodies: inside of their message, on the data lane before or after it, pulled
 * by the host, and such as the protocol does not allow.
 */
#include <poll.h>
#include <string.h>
#include <time.h>

#include "hostd/serve.h"
#include "tests/replay/objects.h"

#define FAKE "devices 4 gpu memory 4096; "
#define SIZE 4096u
#define HUGE (300u << 20)	/* above SERVE_STAGING_MAX, never touched */

static uint64_t c, q, b;
static uint8_t content[SIZE], longer[2 * SERVE_INLINE_MAX];

static void
begin(const char *script)
{
	size_t i;

	for (i = 0; i < sizeof(content); i++)
		content[i] = (uint8_t)(i * 7 + i / 256);
	for (i = 0; i < sizeof(longer); i++)
		longer[i] = (uint8_t)(i * 5 + i / 256);
	host_start_ready(script);
	join();
	c = context();
	q = queue(c, 0);
	b = buffer(c, sizeof(longer));
}

static void
expect_content(const void *p, size_t size)
{
	uint64_t e = read_buffer(q, b, 0, size, 99, AFTER_NOTHING, TELL);

	expect_data(99, p, size);
	expect_status(e, CL_COMPLETE);
}

static void
expect_credit(uint64_t size)
{
	const struct msg_credit *m = expect(&desc_credit);

	assert_int_equal(m->size, size);
}

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
	begin(FAKE);
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
	begin(FAKE);
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
	begin(FAKE);
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
	begin(FAKE);
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
	begin(FAKE);
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
	begin(FAKE);
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
	begin(FAKE);
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
	begin(FAKE);
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
	begin(FAKE);
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
	begin(FAKE);
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
	begin(FAKE);
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
	begin(FAKE);
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
	begin(FAKE);
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
	begin(FAKE "fail clEnqueueWriteBuffer -5");
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
	begin(FAKE "fail clCreateBuffer -4 after 1");
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
	begin(FAKE);
	write_body(q, b, 0, SIZE, 5, AFTER(user_event(c)), TELL, 0);
	say_data(5, 0, content, SIZE);
	write_body(q, b, 0, SIZE, 6, AFTER_NOTHING, TELL, 0);
	say_data(6, 0, content, 8);
	write_body(q, b, 0, SIZE, 7, AFTER_NOTHING, TELL, FRAME_PULL);
	expect_pull(7);
	host_leave();
}

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
	begin(FAKE);
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
	begin(FAKE);
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
	begin(FAKE);
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
	begin(FAKE);
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
	begin(FAKE);
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
	begin(FAKE);
	write_body(q, b, 0, SIZE, 5, AFTER_NOTHING, QUIET, 0);
	say_data(5, SIZE - 8, content, 16);
	expect_goodbye(VGPU_EPROTO, "data outside of its transfer");
}

static void
data_far_outside_of_its_transfer_ends_the_session(void **state)
{
	(void)state;
	begin(FAKE);
	write_body(q, b, 0, SIZE, 5, AFTER_NOTHING, QUIET, 0);
	say_data(5, UINT64_MAX - 7, content, 16);
	expect_goodbye(VGPU_EPROTO, "data outside of its transfer");
}

static void
data_that_says_another_size_than_it_has_ends_the_session(void **state)
{
	const struct msg_data m = { .transfer = 5, .offset = 0, .size = 1000 };

	(void)state;
	begin(FAKE);
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
	begin(FAKE);
	say_bytes(data_lane(), frame, sizeof(frame));
	expect_goodbye(VGPU_EPROTO, "message 46 is not for the data lane");
}

static void
data_on_the_control_lane_ends_the_session(void **state)
{
	const struct msg_data m = { .transfer = 5 };

	(void)state;
	begin(FAKE);
	say(&desc_data, &m, 0);
	expect_goodbye(VGPU_EPROTO, "data on the control lane");
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
		SCENARIO(
		    a_body_that_is_larger_than_its_buffer_fails_its_event),
		SCENARIO(
		    content_of_another_size_than_its_message_says_fails_its_event),
		SCENARIO(a_body_of_a_refused_command_is_passed_over),
		SCENARIO(
		    a_body_for_a_poisoned_buffer_is_passed_over_and_credited),
		SCENARIO(a_client_may_leave_with_bodies_under_way),
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
