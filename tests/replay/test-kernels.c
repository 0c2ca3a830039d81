/* SPDX-License-Identifier: ISC */
/*
 * Kernels, their arguments, and launches.
 */
#include <string.h>

#include "tests/replay/world.h"

/* ---- launches ------------------------------------------------------------ */

static void
a_launch_loop_with_one_finish_is_answered_by_one_message(void **state)
{
	const uint32_t ones[] = { 1, 1, 1, 1 };
	const uint32_t sums[] = { 1001, 1001, 1001, 1001 };
	uint64_t one = 0, sum = 0, k, serial, e;
	struct arg args[3];
	unsigned i, before;

	(void)state;
	begin_program(FAKE, 0);
	one = buffer_with(c, ones, sizeof(ones));
	sum = buffer_with(c, ones, sizeof(ones));
	args[0] = memory(0, &one);
	args[1] = memory(1, &sum);
	args[2] = memory(2, &sum);
	k = kernel(p, "add");
	before = heard_count();
	hold();
	/* What is set once stays set. */
	for (i = 0; i < 1000; i++)
		launch(q, k, 4, args, i == 0 ? 3 : 0, AFTER_NOTHING, QUIET);
	serial = finish(q);
	let_go();
	expect_finish(serial, CL_SUCCESS);
	assert_int_equal(heard_count() - before, 1);
	e = read_buffer(q, sum, 0, sizeof(sums), 9, AFTER_NOTHING, TELL);
	expect_data(9, sums, sizeof(sums));
	expect_status(e, CL_COMPLETE);
	host_leave();
}

static void
an_argument_is_the_one_that_was_set_at_the_launch(void **state)
{
	const uint32_t ones[] = { 1 }, twos[] = { 2 };
	uint64_t one, two, out, k, gate, e;
	struct arg args[2];

	(void)state;
	begin_program(FAKE, 0);
	one = buffer_with(c, ones, sizeof(ones));
	two = buffer_with(c, twos, sizeof(twos));
	out = buffer(c, sizeof(ones));
	k = kernel(p, "copy");
	gate = user_event(c);
	args[0] = memory(0, &one);
	args[1] = memory(1, &out);
	launch(q, k, 1, args, 2, AFTER(gate), QUIET);
	e = read_buffer(q, out, 0, sizeof(ones), 9, AFTER_NOTHING, TELL);
	args[0] = memory(0, &two);
	launch(q, k, 1, args, 1, AFTER_NOTHING, QUIET);
	release(one);
	set_user_event(gate, CL_COMPLETE);
	expect_data(9, ones, sizeof(ones));
	expect_status(e, CL_COMPLETE);
	e = read_buffer(q, out, 0, sizeof(ones), 10, AFTER_NOTHING, TELL);
	expect_data(10, twos, sizeof(twos));
	expect_status(e, CL_COMPLETE);
	host_leave();
}

static void
a_poisoned_argument_fails_the_launch_until_it_is_replaced(void **state)
{
	const uint32_t ones[] = { 1 };
	uint64_t bad, good, k, e;
	struct arg args[2];

	(void)state;
	begin_program(FAKE "fail clCreateBuffer -4", 0);
	bad = buffer(c, sizeof(ones));
	expect_object_error(bad, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	good = buffer_with(c, ones, sizeof(ones));
	k = kernel(p, "copy");
	args[0] = memory(0, &good);
	args[1] = memory(1, &bad);
	e = launch(q, k, 1, args, 2, AFTER_NOTHING, QUIET);
	expect_status(e, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	e = launch(q, k, 1, NULL, 0, AFTER_NOTHING, QUIET);
	expect_status(e, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	args[1] = memory(1, &good);
	e = launch(q, k, 1, args + 1, 1, AFTER_NOTHING, TELL);
	expect_status(e, CL_COMPLETE);
	host_leave();
}

/* The client does not say again what it said with a launch that failed. */
static void
arguments_of_a_launch_that_fails_are_set_all_the_same(void **state)
{
	const uint32_t ones[] = { 1 };
	uint64_t one, out, k, failed, e;
	struct arg args[2];

	(void)state;
	begin_program(FAKE "fail clEnqueueMarkerWithWaitList -5", 0);
	one = buffer_with(c, ones, sizeof(ones));
	out = buffer(c, sizeof(ones));
	k = kernel(p, "copy");
	failed = marker(q, AFTER_NOTHING, QUIET);
	expect_status(failed, CL_OUT_OF_RESOURCES);
	args[0] = memory(0, &one);
	args[1] = memory(1, &out);
	e = launch(q, k, 1, args, 2, AFTER(failed), QUIET);
	expect_status(e, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	launch(q, k, 1, NULL, 0, AFTER_NOTHING, QUIET);
	e = read_buffer(q, out, 0, sizeof(ones), 9, AFTER_NOTHING, TELL);
	expect_data(9, ones, sizeof(ones));
	expect_status(e, CL_COMPLETE);
	host_leave();
}

static void
a_kernel_that_fails_ends_its_event_with_the_code(void **state)
{
	uint64_t e;

	(void)state;
	begin_program(FAKE, 0);
	e = launch(q, kernel(p, "fail"), 1, NULL, 0, AFTER_NOTHING, TELL);
	expect_status(e, CL_OUT_OF_RESOURCES);
	e = launch(q, kernel(p, "say"), 1, NULL, 0, AFTER_NOTHING, QUIET);
	expect_status(e, CL_INVALID_KERNEL_ARGS);
	host_leave();
}

static void
time_stamps_show_how_long_a_kernel_took(void **state)
{
	const cl_ulong ns = 5000000;
	const struct arg args[] = { { 0, ARG_VALUE, sizeof(ns), &ns } };
	const struct msg_event_status *m;
	const uint64_t *stamp;
	uint64_t e;

	(void)state;
	begin_program(FAKE "fake-clock", CL_QUEUE_PROFILING_ENABLE);
	e = launch(q, kernel(p, "sleep"), 1, args, 1, AFTER_NOTHING, TELL);
	m = expect_status(e, CL_COMPLETE);
	stamp = m->stamps.p;
	assert_int_equal(m->stamps.n, 5);
	assert_int_equal(stamp[3] - stamp[2], ns + 1000);
	host_leave();
}

static void
an_argument_of_another_kind_ends_the_session(void **state)
{
	const uint64_t address = 4096;
	const struct arg args[] = { { 0, ARG_VALUE, 8, &address } };

	(void)state;
	begin_program(FAKE, 0);
	launch(q, kernel(p, "copy"), 1, args, 1, AFTER_NOTHING, QUIET);
	expect_goodbye(VGPU_EPROTO, "kernel has no argument 0 of kind 0");
}

static void
an_argument_too_many_ends_the_session(void **state)
{
	const int n = 1;
	const struct arg args[] = { number(1, &n) };

	(void)state;
	begin_program(FAKE, 0);
	launch(q, kernel(p, "say"), 1, args, 1, AFTER_NOTHING, QUIET);
	expect_goodbye(VGPU_EPROTO, "kernel has no argument 1 of kind 0");
}

static void
an_argument_that_names_no_buffer_ends_the_session(void **state)
{
	struct arg args[1];

	(void)state;
	begin_program(FAKE, 0);
	args[0] = memory(0, &q);
	launch(q, kernel(p, "copy"), 1, args, 1, AFTER_NOTHING, QUIET);
	expect_goodbye(VGPU_EPROTO,
	    "argument 0 of a kernel names no such object");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SCENARIO(
		    a_launch_loop_with_one_finish_is_answered_by_one_message),
		SCENARIO(an_argument_is_the_one_that_was_set_at_the_launch),
		SCENARIO(
		    a_poisoned_argument_fails_the_launch_until_it_is_replaced),
		SCENARIO(arguments_of_a_launch_that_fails_are_set_all_the_same),
		SCENARIO(a_kernel_that_fails_ends_its_event_with_the_code),
		SCENARIO(time_stamps_show_how_long_a_kernel_took),
		SCENARIO(an_argument_of_another_kind_ends_the_session),
		SCENARIO(an_argument_too_many_ends_the_session),
		SCENARIO(an_argument_that_names_no_buffer_ends_the_session),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
