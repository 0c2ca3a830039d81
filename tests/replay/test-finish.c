/* SPDX-License-Identifier: ISC */
/*
 * A clFinish that arrives right behind a command of its in-order queue is
 * answered by that command's end.  Else a marker answers it; so a vendor whose
 * markers fail shows which it was.
 */
#include "tests/replay/world.h"

#define NO_MARKERS "devices 1 gpu; fail clEnqueueMarkerWithWaitList -6 times 9;"

static void
a_command_answers_the_finish_behind_it(void **state)
{
	uint64_t serial;

	(void)state;
	begin(NO_MARKERS, 0);
	hold();
	barrier(q, AFTER_NOTHING, NO_EVENT);
	barrier(q, AFTER_NOTHING, NO_EVENT);
	serial = finish(q);
	let_go();
	expect_finish(serial, CL_SUCCESS);
	expect_nothing();
	host_leave();
}

static void
it_does_so_only_when_it_has_ended(void **state)
{
	uint64_t gate, serial;

	(void)state;
	begin(NO_MARKERS, 0);
	gate = user_event(c);
	hold();
	barrier(q, AFTER(gate), NO_EVENT);
	serial = finish(q);
	let_go();
	expect_nothing();
	set_user_event(gate, CL_COMPLETE);
	expect_finish(serial, CL_SUCCESS);
	host_leave();
}

static void
its_body_and_status_come_before(void **state)
{
	const uint64_t content = 42;
	uint64_t b, e, serial;

	(void)state;
	begin(NO_MARKERS, 0);
	b = buffer_with(c, &content, sizeof(content));
	hold();
	e = read_buffer(q, b, 0, sizeof(content), 7, AFTER_NOTHING, TELL);
	serial = finish(q);
	let_go();
	expect_data(7, &content, sizeof(content));
	expect_status(e, CL_COMPLETE);
	expect_finish(serial, CL_SUCCESS);
	expect_nothing();
	host_leave();
}

static void
one_finish_is_answered_and_not_the_next(void **state)
{
	uint64_t first, second, third;

	(void)state;
	begin(NO_MARKERS, 0);
	hold();
	barrier(q, AFTER_NOTHING, NO_EVENT);
	first = finish(q);
	second = finish(q);
	third = finish(q);
	let_go();
	/* Markers fail at once, the barrier ends in the vendor's thread. */
	expect_reply(&desc_clFinish, second);
	expect_reply(&desc_clFinish, third);
	expect_finish(first, CL_SUCCESS);
	host_leave();
}

static void
a_finish_of_another_queue_has_a_marker(void **state)
{
	uint64_t serial, other;

	(void)state;
	begin(NO_MARKERS, 0);
	other = queue(c, 0);
	hold();
	barrier(q, AFTER_NOTHING, NO_EVENT);
	serial = finish(other);
	let_go();
	expect_finish(serial, CL_OUT_OF_HOST_MEMORY);
	host_leave();
}

static void
in_a_queue_without_order_it_has_a_marker(void **state)
{
	uint64_t serial;

	(void)state;
	begin(NO_MARKERS, ORDER_FREE);
	hold();
	barrier(q, AFTER_NOTHING, NO_EVENT);
	serial = finish(q);
	let_go();
	expect_finish(serial, CL_OUT_OF_HOST_MEMORY);
	host_leave();
}

static void
behind_a_refused_command_it_tells_of_that(void **state)
{
	uint64_t serial;

	(void)state;
	begin("devices 1 gpu; fail clEnqueueBarrierWithWaitList -5", 0);
	hold();
	barrier(q, AFTER_NOTHING, NO_EVENT);
	serial = finish(q);
	let_go();
	expect(&desc_notify);
	expect_finish(serial, CL_OUT_OF_RESOURCES);
	expect_nothing();
	host_leave();
}

static void
so_does_a_blocking_command_and_only_once(void **state)
{
	const uint64_t content = 42;
	uint64_t b, e;

	(void)state;
	begin("devices 1 gpu; fail clEnqueueBarrierWithWaitList -5", 0);
	b = buffer_with(c, &content, sizeof(content));
	barrier(q, AFTER_NOTHING, NO_EVENT);
	expect(&desc_notify);
	e = read_buffer(q, b, 0, 8, 6, AFTER_NOTHING, TELL);
	expect_status(e, CL_OUT_OF_RESOURCES);
	e = read_buffer(q, b, 0, 8, 7, AFTER_NOTHING, TELL);
	expect_data(7, &content, sizeof(content));
	expect_status(e, CL_COMPLETE);
	expect_finish(finish(q), CL_SUCCESS);
	expect_nothing();
	host_leave();
}

static void
behind_a_failed_command_it_ends(void **state)
{
	uint64_t serial, e;

	(void)state;
	begin(NO_MARKERS "end clEnqueueBarrierWithWaitList -5", 0);
	hold();
	e = barrier(q, AFTER_NOTHING, QUIET);
	serial = finish(q);
	let_go();
	expect_status(e, CL_OUT_OF_RESOURCES);
	expect_finish(serial, CL_SUCCESS);
	expect_nothing();
	host_leave();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SCENARIO(a_command_answers_the_finish_behind_it),
		SCENARIO(it_does_so_only_when_it_has_ended),
		SCENARIO(its_body_and_status_come_before),
		SCENARIO(one_finish_is_answered_and_not_the_next),
		SCENARIO(a_finish_of_another_queue_has_a_marker),
		SCENARIO(in_a_queue_without_order_it_has_a_marker),
		SCENARIO(behind_a_refused_command_it_tells_of_that),
		SCENARIO(so_does_a_blocking_command_and_only_once),
		SCENARIO(behind_a_failed_command_it_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
