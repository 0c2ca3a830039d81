/* SPDX-License-Identifier: ISC */
/*
 * What has to be told before an event that the client asked for: its causes,
 * what failed on the way; and what must not be taken for told.
 */
#include "tests/replay/world.h"

#define FAILING_BARRIER "end clEnqueueBarrierWithWaitList -5; "

/* ---- causes before effects ----------------------------------------------- */

static void
what_an_event_waited_for_is_told_before_it(void **state)
{
	uint64_t other, gate, cause, effect;

	(void)state;
	begin(FAKE, 0);
	other = queue(c, 0);
	gate = user_event(c);
	cause = marker(q, AFTER(gate), QUIET);
	effect = marker(other, AFTER(cause), TELL);
	set_user_event(gate, CL_COMPLETE);
	expect_status(cause, CL_COMPLETE);
	expect_status(effect, CL_COMPLETE);
	watch(cause, COMPLETE);
	expect_nothing();
	host_leave();
}

static void
a_chain_over_two_queues_is_told_from_its_beginning(void **state)
{
	uint64_t queues[2], e[100], gate;
	unsigned i;

	(void)state;
	begin(FAKE, ORDER_FREE);
	queues[0] = q;
	queues[1] = queue(c, ORDER_FREE);
	gate = user_event(c);
	for (i = 0; i < 100; i++)
		e[i] = marker(queues[i % 2], i == 0 ? AFTER(gate) :
		    AFTER(e[i - 1]), i == 99 ? TELL : QUIET);
	set_user_event(gate, CL_COMPLETE);
	for (i = 0; i < 100; i++)
		expect_status(e[i], CL_COMPLETE);
	expect_nothing();
	host_leave();
}

/* The client takes an in-order queue's event as news of all before it. */
static void
what_failed_before_a_cause_is_told_before_the_cause(void **state)
{
	uint64_t other, gate, failed, cause, effect;

	(void)state;
	begin(FAKE FAILING_BARRIER, 0);
	other = queue(c, 0);
	gate = user_event(c);
	marker(q, AFTER(gate), QUIET);
	failed = barrier(q, AFTER_NOTHING, QUIET);
	cause = marker(q, AFTER_NOTHING, QUIET);
	effect = marker(other, AFTER(cause), TELL);
	set_user_event(gate, CL_COMPLETE);
	expect_status(failed, CL_OUT_OF_RESOURCES);
	expect_status(cause, CL_COMPLETE);
	expect_status(effect, CL_COMPLETE);
	expect_nothing();
	host_leave();
}

/* Nothing of a command without event is told, but what it waited for is. */
static void
what_a_command_without_event_waited_for_is_told_before_later_ones(void **state)
{
	uint64_t other, gate, cause, effect;

	(void)state;
	begin(FAKE, 0);
	other = queue(c, 0);
	gate = user_event(c);
	cause = marker(q, AFTER(gate), QUIET);
	marker(other, AFTER(cause), NO_EVENT);
	effect = marker(other, AFTER_NOTHING, TELL);
	set_user_event(gate, CL_COMPLETE);
	expect_status(cause, CL_COMPLETE);
	expect_status(effect, CL_COMPLETE);
	expect_nothing();
	host_leave();
}

static void
what_a_released_event_waited_for_is_told_before_later_ones(void **state)
{
	uint64_t other, gate, cause, effect;

	(void)state;
	begin(FAKE, 0);
	other = queue(c, 0);
	gate = user_event(c);
	cause = marker(q, AFTER(gate), QUIET);
	release(marker(other, AFTER(cause), QUIET));
	effect = marker(other, AFTER_NOTHING, TELL);
	set_user_event(gate, CL_COMPLETE);
	expect_status(cause, CL_COMPLETE);
	expect_status(effect, CL_COMPLETE);
	expect_nothing();
	host_leave();
}

/* Two queues that take turns, as double buffering does. */
static void
many_commands_that_wait_for_another_queue_are_told_rightly(void **state)
{
	uint64_t other, e, serial;
	unsigned i;

	(void)state;
	begin(FAKE, 0);
	other = queue(c, 0);
	for (i = 0; i < 500; i++) {
		e = marker(q, AFTER_NOTHING, TELL);
		marker(other, AFTER(e), NO_EVENT);
		expect_status(e, CL_COMPLETE);
		release(e);
	}
	serial = finish(other);
	expect_finish(serial, CL_SUCCESS);
	host_leave();
}

/* ---- commands that fail early -------------------------------------------- */

#define LOST CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST

/* A failed event is no watermark. */
static void
what_ended_before_a_failed_event_is_told_when_it_is_watched(void **state)
{
	uint64_t first, failed;

	(void)state;
	begin(FAKE FAILING_BARRIER, 0);
	hold();
	first = marker(q, AFTER_NOTHING, QUIET);
	failed = barrier(q, AFTER_NOTHING, TELL);
	let_go();
	expect_status(failed, CL_OUT_OF_RESOURCES);
	watch(first, COMPLETE);
	expect_status(first, CL_COMPLETE);
	expect_nothing();
	host_leave();
}

static void
what_runs_when_a_later_command_fails_is_told_when_it_ends(void **state)
{
	uint64_t gate, hopeless, first, second;

	(void)state;
	begin(FAKE "fail-early", 0);
	gate = user_event(c);
	hopeless = user_event(c);
	first = marker(q, AFTER(gate), QUIET);
	second = marker(q, AFTER(hopeless), TELL);
	set_user_event(hopeless, -1);
	expect_status(second, LOST);
	watch(first, COMPLETE);
	expect_nothing();
	set_user_event(gate, CL_COMPLETE);
	expect_status(first, CL_COMPLETE);
	expect_nothing();
	host_leave();
}

static void
what_a_failed_command_waited_for_is_told_when_it_ends(void **state)
{
	uint64_t other, gate, hopeless, first, second;

	(void)state;
	begin(FAKE "fail-early", 0);
	other = queue(c, 0);
	gate = user_event(c);
	hopeless = user_event(c);
	first = marker(q, AFTER(gate), QUIET);
	second = marker(other, AFTER(first, hopeless), TELL);
	set_user_event(hopeless, -1);
	expect_status(second, LOST);
	expect_nothing();
	watch(first, COMPLETE);
	set_user_event(gate, CL_COMPLETE);
	expect_status(first, CL_COMPLETE);
	expect_finish(finish(q), CL_SUCCESS);
	host_leave();
}

/* ---- queues out of order ------------------------------------------------- */

static void
out_of_order_each_event_tells_of_itself_alone(void **state)
{
	uint64_t gate, first, second;

	(void)state;
	begin(FAKE, ORDER_FREE);
	gate = user_event(c);
	first = marker(q, AFTER(gate), QUIET);
	second = marker(q, AFTER(gate), QUIET);
	watch(second, COMPLETE);
	set_user_event(gate, CL_COMPLETE);
	expect_status(second, CL_COMPLETE);
	expect_nothing();
	watch(first, COMPLETE);
	expect_status(first, CL_COMPLETE);
	host_leave();
}

static void
out_of_order_a_later_event_may_be_told_first(void **state)
{
	uint64_t gate, open, first, second;

	(void)state;
	begin(FAKE, ORDER_FREE);
	gate = user_event(c);
	open = user_event(c);
	set_user_event(open, CL_COMPLETE);
	first = marker(q, AFTER(gate), TELL);
	second = marker(q, AFTER(open), TELL);
	expect_status(second, CL_COMPLETE);
	set_user_event(gate, CL_COMPLETE);
	expect_status(first, CL_COMPLETE);
	expect_nothing();
	host_leave();
}

static void
out_of_order_finish_tells_what_failed(void **state)
{
	uint64_t gate, done, failed, last, serial;

	(void)state;
	begin(FAKE "end clEnqueueMarkerWithWaitList -5", ORDER_FREE);
	gate = user_event(c);
	done = user_event(c);
	failed = marker(q, AFTER(gate), QUIET);
	last = marker(q, AFTER(done), TELL);
	serial = finish(q);
	set_user_event(done, CL_COMPLETE);
	expect_status(last, CL_COMPLETE);
	set_user_event(gate, CL_COMPLETE);
	expect_status(failed, CL_OUT_OF_RESOURCES);
	expect_finish(serial, CL_SUCCESS);
	host_leave();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SCENARIO(what_an_event_waited_for_is_told_before_it),
		SCENARIO(a_chain_over_two_queues_is_told_from_its_beginning),
		SCENARIO(what_failed_before_a_cause_is_told_before_the_cause),
		SCENARIO(
		    what_a_command_without_event_waited_for_is_told_before_later_ones),
		SCENARIO(
		    what_a_released_event_waited_for_is_told_before_later_ones),
		SCENARIO(
		    many_commands_that_wait_for_another_queue_are_told_rightly),
		SCENARIO(
		    what_ended_before_a_failed_event_is_told_when_it_is_watched),
		SCENARIO(
		    what_runs_when_a_later_command_fails_is_told_when_it_ends),
		SCENARIO(what_a_failed_command_waited_for_is_told_when_it_ends),
		SCENARIO(out_of_order_each_event_tells_of_itself_alone),
		SCENARIO(out_of_order_a_later_event_may_be_told_first),
		SCENARIO(out_of_order_finish_tells_what_failed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
