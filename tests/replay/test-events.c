/* SPDX-License-Identifier: ISC */
/*
 * What a client is told of its commands, and in which order: an event's status
 * where it asked, which in an in-order queue tells of all commands before; and
 * first whatever that would hide.
 */
#include "tests/replay/world.h"

#define FAILING_BARRIER "end clEnqueueBarrierWithWaitList -5; "

/* ---- who asks is told ---------------------------------------------------- */

static void
a_loop_with_one_finish_is_answered_by_one_message(void **state)
{
	unsigned i, before;
	uint64_t serial;

	(void)state;
	begin(FAKE, 0);
	before = heard_count();
	hold();
	for (i = 0; i < 1000; i++)
		marker(q, AFTER_NOTHING, QUIET);
	serial = finish(q);
	let_go();
	expect_finish(serial, CL_SUCCESS);
	assert_int_equal(heard_count() - before, 1);
	expect_nothing();
	host_leave();
}

static void
only_the_event_that_was_asked_for_is_told(void **state)
{
	uint64_t e;

	(void)state;
	begin(FAKE, 0);
	hold();
	marker(q, AFTER_NOTHING, QUIET);
	marker(q, AFTER_NOTHING, QUIET);
	e = marker(q, AFTER_NOTHING, TELL);
	marker(q, AFTER_NOTHING, QUIET);
	let_go();
	expect_status(e, CL_COMPLETE);
	expect_nothing();
	host_leave();
}

static void
a_command_begins_though_nobody_flushes(void **state)
{
	(void)state;
	begin(FAKE, 0);
	expect_status(marker(q, AFTER_NOTHING, TELL), CL_COMPLETE);
	host_leave();
}

static void
what_moves_nothing_waits_for_nothing_where_order_is_free(void **state)
{
	uint64_t gate, b, e;

	(void)state;
	begin(FAKE, ORDER_FREE);
	gate = user_event(c);
	b = buffer(c, 64);
	marker(q, AFTER(gate), QUIET);
	e = write_inline(q, b, 0, "", 0, AFTER_NOTHING, TELL);
	expect_status(e, CL_COMPLETE);
	set_user_event(gate, CL_COMPLETE);
	host_leave();
}

static void
a_watched_event_is_told_when_it_ends(void **state)
{
	uint64_t gate, e;

	(void)state;
	begin(FAKE, 0);
	gate = user_event(c);
	e = marker(q, AFTER(gate), QUIET);
	watch(e, COMPLETE);
	expect_nothing();
	set_user_event(gate, CL_COMPLETE);
	expect_status(e, CL_COMPLETE);
	expect_nothing();
	host_leave();
}

static void
an_event_that_has_ended_is_told_once_when_it_is_watched(void **state)
{
	uint64_t e, other;

	(void)state;
	begin(FAKE, 0);
	other = queue(c, 0);
	e = marker(q, AFTER_NOTHING, QUIET);
	/* When this one is told, that one has ended for long. */
	expect_status(marker(other, AFTER_NOTHING, TELL), CL_COMPLETE);
	watch(e, COMPLETE);
	expect_status(e, CL_COMPLETE);
	watch(e, COMPLETE);
	expect_nothing();
	host_leave();
}

static void
each_status_that_is_watched_is_told_in_order(void **state)
{
	uint64_t gate, e;

	(void)state;
	begin(FAKE, 0);
	gate = user_event(c);
	e = marker(q, AFTER(gate), QUIET);
	watch(e, SUBMITTED | RUNNING | COMPLETE);
	set_user_event(gate, CL_COMPLETE);
	expect_status(e, CL_SUBMITTED);
	expect_status(e, CL_RUNNING);
	expect_status(e, CL_COMPLETE);
	expect_nothing();
	host_leave();
}

static void
what_the_watermark_told_is_not_told_again(void **state)
{
	uint64_t first, second;

	(void)state;
	begin(FAKE, 0);
	first = marker(q, AFTER_NOTHING, QUIET);
	second = marker(q, AFTER_NOTHING, TELL);
	expect_status(second, CL_COMPLETE);
	watch(first, COMPLETE);
	expect_nothing();
	host_leave();
}

static void
a_released_event_is_not_told(void **state)
{
	uint64_t gate, e;

	(void)state;
	begin(FAKE, CL_QUEUE_PROFILING_ENABLE);
	gate = user_event(c);
	e = marker(q, AFTER(gate), TELL);
	release(e);
	set_user_event(gate, CL_COMPLETE);
	expect_finish(finish(q), CL_SUCCESS);
	host_leave();
}

/* ---- user events --------------------------------------------------------- */

static void
a_failed_user_event_fails_what_waits_for_it(void **state)
{
	uint64_t gate, first, second;

	(void)state;
	begin(FAKE, 0);
	gate = user_event(c);
	first = marker(q, AFTER(gate), TELL);
	second = marker(q, AFTER(first), TELL);
	expect_nothing();
	set_user_event(gate, -7);
	expect_status(first, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	expect_status(second, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	expect_nothing();
	host_leave();
}

static void
a_user_event_is_set_once_and_a_commands_event_never(void **state)
{
	uint64_t gate, e;

	(void)state;
	begin(FAKE, 0);
	gate = user_event(c);
	e = marker(q, AFTER(gate), TELL);
	set_user_event(e, CL_COMPLETE);
	expect_nothing();
	set_user_event(gate, CL_COMPLETE);
	expect_status(e, CL_COMPLETE);
	set_user_event(gate, -1);
	expect_nothing();
	host_leave();
}

/* ---- what the watermark would hide --------------------------------------- */

static void
a_failed_command_is_told_before_the_watermark_passes_it(void **state)
{
	uint64_t failed, last;

	(void)state;
	begin(FAKE FAILING_BARRIER, 0);
	hold();
	marker(q, AFTER_NOTHING, QUIET);
	failed = barrier(q, AFTER_NOTHING, QUIET);
	marker(q, AFTER_NOTHING, QUIET);
	last = marker(q, AFTER_NOTHING, TELL);
	let_go();
	expect_status(failed, CL_OUT_OF_RESOURCES);
	expect_status(last, CL_COMPLETE);
	expect_nothing();
	host_leave();
}

static void
a_failed_command_is_told_before_finish_returns(void **state)
{
	uint64_t failed;

	(void)state;
	begin(FAKE FAILING_BARRIER, 0);
	failed = barrier(q, AFTER_NOTHING, QUIET);
	marker(q, AFTER_NOTHING, QUIET);
	finish(q);
	expect_status(failed, CL_OUT_OF_RESOURCES);
	assert_ptr_equal(hear()->message, &desc_clFinish);
	host_leave();
}

/* The client may release the newest event while it waits for the queue. */
static void
what_fails_before_a_released_event_is_told_before_finish_returns(void **state)
{
	uint64_t gate, failed, last, serial;

	(void)state;
	begin(FAKE FAILING_BARRIER, 0);
	gate = user_event(c);
	failed = barrier(q, AFTER(gate), QUIET);
	last = marker(q, AFTER_NOTHING, QUIET);
	serial = finish(q);
	release(last);
	set_user_event(gate, CL_COMPLETE);
	expect_status(failed, CL_OUT_OF_RESOURCES);
	expect_finish(serial, CL_SUCCESS);
	host_leave();
}

static void
check_stamps(const struct msg_event_status *m)
{
	const uint64_t *stamp = m->stamps.p;

	assert_int_equal(m->stamps.n, 5);
	assert_true(stamp[0] > 0 && stamp[0] <= stamp[1]);
	assert_true(stamp[1] <= stamp[2]);
	assert_int_equal(stamp[3] - stamp[2], 1000);	/* of fakecl */
	assert_int_equal(stamp[4], stamp[3]);
}

static void
time_stamps_are_told_before_finish_returns(void **state)
{
	uint64_t e[3];
	unsigned i;

	(void)state;
	begin(FAKE "fake-clock", CL_QUEUE_PROFILING_ENABLE);
	hold();
	for (i = 0; i < 3; i++)
		e[i] = marker(q, AFTER_NOTHING, QUIET);
	finish(q);
	let_go();
	for (i = 0; i < 3; i++)
		check_stamps(expect_status(e[i], CL_COMPLETE));
	assert_ptr_equal(hear()->message, &desc_clFinish);
	host_leave();
}

static void
a_queue_that_does_not_profile_has_no_stamps(void **state)
{
	const struct msg_event_status *m;

	(void)state;
	begin(FAKE "fake-clock", 0);
	m = expect_status(marker(q, AFTER_NOTHING, TELL), CL_COMPLETE);
	assert_int_equal(m->stamps.n, 0);
	host_leave();
}

/* ---- a client that does not listen --------------------------------------- */

static void
answers_wait_for_a_client_that_does_not_listen(void **state)
{
	const struct msg_clGetHostTimer m = { .device = { .id = DEVICE(0) } };
	const unsigned n = 30000;	/* more than a socket takes */
	uint64_t first = 0;
	unsigned i;

	(void)state;
	begin(FAKE, 0);
	for (i = 0; i < n; i++)
		if (i == 0)
			first = say(&desc_clGetHostTimer, &m, 0);
		else
			say(&desc_clGetHostTimer, &m, 0);
	for (i = 0; i < n; i++)
		expect_reply(&desc_clGetHostTimer, first + i);
	expect_nothing();
	host_leave();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SCENARIO(a_loop_with_one_finish_is_answered_by_one_message),
		SCENARIO(only_the_event_that_was_asked_for_is_told),
		SCENARIO(a_command_begins_though_nobody_flushes),
		SCENARIO(
		    what_moves_nothing_waits_for_nothing_where_order_is_free),
		SCENARIO(a_watched_event_is_told_when_it_ends),
		SCENARIO(
		    an_event_that_has_ended_is_told_once_when_it_is_watched),
		SCENARIO(each_status_that_is_watched_is_told_in_order),
		SCENARIO(what_the_watermark_told_is_not_told_again),
		SCENARIO(a_released_event_is_not_told),
		SCENARIO(a_failed_user_event_fails_what_waits_for_it),
		SCENARIO(a_user_event_is_set_once_and_a_commands_event_never),
		SCENARIO(
		    a_failed_command_is_told_before_the_watermark_passes_it),
		SCENARIO(a_failed_command_is_told_before_finish_returns),
		SCENARIO(
		    what_fails_before_a_released_event_is_told_before_finish_returns),
		SCENARIO(time_stamps_are_told_before_finish_returns),
		SCENARIO(a_queue_that_does_not_profile_has_no_stamps),
		SCENARIO(answers_wait_for_a_client_that_does_not_listen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
