/* SPDX-License-Identifier: ISC */
/*
 * When contexts move: what has to wait for their clients or their commands, for
 * how long, and what hangs.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "common/clock.h"
#include "tests/replay/moving.h"

#define ORDERS_MS 200

/* One whose command waits for the user event that is returned. */
static uint64_t
begin_waiting(void)
{
	uint64_t user;

	begin_moving(MOVING);
	user = user_event(w.context);
	marker(w.queue, AFTER(user), NO_EVENT);
	return user;
}

static void
a_command_that_only_the_client_can_end_is_waited_for(void **state)
{
	struct channel_moved m;
	uint64_t user, e;

	(void)state;
	user = begin_waiting();
	e = marker(w.queue, AFTER_NOTHING, TELL);
	expect_nothing();
	order_move(0);
	set_user_event(user, CL_COMPLETE);
	expect_status(e, CL_COMPLETE);
	do
		host_moved(&m, clock_after_ms(DEADLINE_MS));
	while (m.again);
	assert_int_equal(m.to, 1);
	expect_working(1);
	host_leave();
}

static void
one_that_has_to_wait_holds_up_no_other(void **state)
{
	struct moving waits;
	uint64_t user, e;

	(void)state;
	user = begin_waiting();
	waits = w;
	make_moving();
	expect_on(0);
	order_move(0);
	assert_int_equal(moved_to(), 1);
	expect_working(1);
	w = waits;
	e = marker(w.queue, AFTER_NOTHING, TELL);
	set_user_event(user, CL_COMPLETE);
	expect_status(e, CL_COMPLETE);
	assert_int_equal(moved_to(), 1);
	expect_working(1);
	host_leave();
}

/* In memory that the test and its host share. */
static unsigned *asked;

static unsigned
count_and_place(const unsigned *index, unsigned n)
{
	(void)n;
	++*asked;
	return index[0];
}

static void
where_to_is_asked_when_it_can_go(void **state)
{
	struct channel_moved m;
	uint64_t user;

	(void)state;
	asked = mmap(NULL, sizeof(*asked), PROT_READ | PROT_WRITE, MAP_SHARED |
	    MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(asked, MAP_FAILED);
	host_place = count_and_place;
	begin_moving(MOVING);
	assert_int_equal(*asked, 1);
	user = user_event(w.context);
	marker(w.queue, AFTER(user), NO_EVENT);
	m = ordered(0);
	assert_true(m.again);
	assert_int_equal(*asked, 1);
	set_user_event(user, CL_COMPLETE);
	assert_int_equal(moved_to(), 1);
	assert_int_equal(*asked, 2);
	host_leave();
	munmap(asked, sizeof(*asked));
}

/*
 * Other orders come while the client is held back, and have the one timer end
 * early.  That it goes on before the queue is empty shows in what is heard
 * first.
 */
static void
a_client_is_not_held_for_long(void **state)
{
	const cl_ulong ns = 3000000000;
	const struct arg arg = { 0, ARG_VALUE, sizeof(ns), &ns };
	struct channel_moved m;
	uint64_t p, e;
	int64_t until;

	(void)state;
	begin_moving(MOVING);
	p = program(w.context, MOVING_SOURCE);
	e = launch(w.queue, kernel(p, "sleep"), 1, &arg, 1, AFTER_NOTHING,
	    TELL);
	expect_nothing();
	for (until = clock_after_ms(ORDERS_MS); clock_ns() < until;) {
		order_move(0);
		host_shut(1);
	}
	host_moved(&m, clock_after_ms(DEADLINE_MS));
	assert_int_equal(m.to, MOVE_ANYWHERE);
	assert_true(m.again);
	assert_non_null(strstr(m.text, "its commands take long"));
	expect_nothing();
	assert_int_equal(moved_to(), 1);
	expect_status(e, CL_COMPLETE);
	expect_working(1);
	host_leave();
}

/* Whatever it is that hangs; what compiles has longer. */
static void
a_vendor_that_hangs_ends_the_session(void **state)
{
	static const struct {
		const char *call, *what;
	} table[] = {
		{ "clFinish", "the end of a queue" },
		{ "clCreateContext", "a context" },
		{ "clCreateUserEvent", "an event" },
		{ "clCreateCommandQueueWithProperties", "a queue" },
		{ "clBuildProgram", "a program" },
		{ "clCreateBuffer", "a memory object" },
		{ "clCreateKernel", "a kernel" },
		{ "clEnqueueWriteBuffer", "a copy of its content" },
	};
	char text[160];
	size_t i;

	(void)state;
	host_step_ms = 500;
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		snprintf(text, sizeof(text), "%s; hang %s", MOVING,
		    table[i].call);
		begin_moving(text);
		order_move(0);
		snprintf(text, sizeof(text), "a context moves to device 1, and"
		    " the vendor's call for %s does not return",
		    table[i].what);
		expect_goodbye(VGPU_ECL, text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		MOVE_SCENARIO(
		    a_command_that_only_the_client_can_end_is_waited_for),
		MOVE_SCENARIO(one_that_has_to_wait_holds_up_no_other),
		MOVE_SCENARIO(where_to_is_asked_when_it_can_go),
		MOVE_SCENARIO(a_client_is_not_held_for_long),
		MOVE_SCENARIO(a_vendor_that_hangs_ends_the_session),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
