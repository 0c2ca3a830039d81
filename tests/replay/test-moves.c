/* SPDX-License-Identifier: ISC */
/*
 * Contexts that move between alike devices: nothing is lost, nothing is left
 * over, and what fails on the way changes nothing.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hostd/usage.h"
#include "tests/replay/moving.h"

static void
a_context_moves_with_all_that_it_has(void **state)
{
	uint32_t before;
	unsigned i;

	(void)state;
	begin_moving(MOVING);
	expect_on(0);
	before = fewest_alive();
	for (i = 0; i < 4; i++) {
		host_shut(1u << i % 2);
		assert_int_equal(ordered(i % 2).to, 1 - i % 2);
		expect_working(1 - i % 2);
		expect_alive(before);
	}
	expect_nothing();
	host_leave();
}

static void
events_that_have_ended_are_told_and_can_be_waited_for(void **state)
{
	uint64_t good, bad, late, user;

	(void)state;
	begin_moving(MOVING);
	good = marker(w.queue, AFTER_NOTHING, QUIET);
	bad = launch(w.queue, w.fail, 1, NULL, 0, AFTER_NOTHING, QUIET);
	user = user_event(w.context);
	expect_nothing();
	assert_int_equal(ordered(0).to, 1);
	expect_status(good, CL_COMPLETE);
	expect_status(bad, CL_OUT_OF_RESOURCES);
	late = marker(w.queue, AFTER(good), TELL);
	expect_status(late, CL_COMPLETE);
	late = marker(w.queue, AFTER(good, user), TELL);
	set_user_event(user, CL_COMPLETE);
	expect_status(late, CL_COMPLETE);
	late = marker(w.queue, AFTER(bad, good), QUIET);
	expect_status(late, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	expect_working(1);
	host_leave();
}

/* Launches before a move and after it; events of the queue are asked for. */
static void
what_is_counted_follows(void **state)
{
	uint64_t before, after, size;
	struct usage *u;
	int fd;

	(void)state;
	assert_int_equal(usage_new(&u, &fd, NULL), VGPU_OK);
	host_usage = u;
	begin_moving(MOVING);
	expect_on(0);
	before = launch(w.queue, w.where, 1, NULL, 0, AFTER_NOTHING, QUIET);
	expect_nothing();
	size = usage_memory(u, 0);
	assert_int_not_equal(size, 0);
	assert_int_equal(ordered(0).to, 1);
	expect_status(before, CL_COMPLETE);
	assert_int_equal(usage_memory(u, 0), 0);
	assert_int_equal(usage_memory(u, 1), size);
	watch(before, 1);
	expect_nothing();
	after = launch(w.queue, w.where, 1, NULL, 0, AFTER_NOTHING, TELL);
	expect_status(after, CL_COMPLETE);
	expect_on(1);
	assert_int_equal(usage_queued(u, 0), 0);
	assert_int_equal(usage_queued(u, 1), 0);
	assert_int_not_equal(usage_busy(u, 1), 0);
	host_leave();
	usage_free(u);
	close(fd);
}

/* ---- specialization constants ------------------------------------------- */

static uint64_t
il_program(void)
{
	static const char code[] = "kernel void special(global int *out) {}";
	const struct msg_clCreateProgramWithIL m = {
		.context = { .id = w.context }, .code = { code, sizeof(code) -
		1 }, .id = { .id = new_id() } };

	say(&desc_clCreateProgramWithIL, &m, 0);
	return m.id.id;
}

static void
set_constant(uint64_t p, uint32_t value)
{
	const struct msg_clSetProgramSpecializationConstant m = {
		.program = { .id = p }, .value = { &value, sizeof(value) } };

	say(&desc_clSetProgramSpecializationConstant, &m, 0);
}

/* A kernel with its argument. */
static uint64_t
build_special(uint64_t p)
{
	const struct msg_clBuildProgram m = { .program = { .id = p } };
	const struct reply_clBuildProgram *r;
	const struct arg number = { 0, ARG_MEM, 8, &w.number };
	uint64_t k;

	r = expect_reply(&desc_clBuildProgram, say(&desc_clBuildProgram, &m,
	    0));
	assert_int_equal(r->status, CL_SUCCESS);
	k = kernel(p, "special");
	launch(w.queue, k, 1, &number, 1, AFTER_NOTHING, NO_EVENT);
	return k;
}

static void
expect_special(uint64_t k, uint32_t value)
{
	run_once(k);
	read_and_expect(w.number, 0, &value, sizeof(value));
}

static void
constants_are_those_of_the_build(void **state)
{
	uint64_t built, unbuilt, k;

	(void)state;
	begin_moving(MOVING);
	built = il_program();
	unbuilt = il_program();
	set_constant(unbuilt, 3);
	set_constant(built, 4);
	set_constant(built, 5);
	k = build_special(built);
	set_constant(built, 6);
	expect_special(k, 5);
	assert_int_equal(ordered(0).to, 1);
	expect_special(k, 5);
	release(k);
	k = build_special(built);
	expect_special(k, 6);
	host_shut(2);
	assert_int_equal(ordered(1).to, 0);
	expect_special(k, 6);
	expect_special(build_special(unbuilt), 3);
	host_leave();
}

/* ---- what fails --------------------------------------------------------- */

/* Each call of a move fails once, at its first, second and so on time. */
static void
what_fails_on_the_way_changes_nothing(void **state)
{
	static const char *const calls[] = { "clCreateContext",
		"clCreateUserEvent", "clSetUserEventStatus",
		"clCreateCommandQueueWithProperties",
		"clCreateProgramWithSource", "clBuildProgram",
		"clCreateKernel", "clSetKernelArg", "clCreateBuffer",
		"clCreateSubBuffer", "clEnqueueMapBuffer",
		"clEnqueueWriteBuffer", "clEnqueueMarkerWithWaitList",
		"clGetDeviceInfo" };
	struct channel_moved m;
	char script[128];
	uint32_t before;
	unsigned i, n;

	(void)state;
	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		for (n = 0;; n++) {
			snprintf(script, sizeof(script), "%s; fail %s -6 after"
			    " %u", MOVING, calls[i], n);
			begin_moving(script);
			m = ordered(0);
			if (m.to != MOVE_ANYWHERE) {
				host_leave();
				break;
			}
			assert_non_null(strstr(m.text, calls[i] ==
			    calls[12] ? "queue" : "error -6"));
			expect_working(0);
			before = fewest_alive();
			assert_int_equal(ordered(0).to, 1);
			expect_working(1);
			expect_alive(before);
			host_leave();
		}
}

/* A device that makes no queues has nothing of a context without buffers. */
static void
what_has_nothing_there_leaves_a_dead_device(void **state)
{
	const struct arg arg = { 0, ARG_MEM, 8, &w.number };
	uint64_t k;

	(void)state;
	host_view = VIEW_CLASS;
	host_start_ready("devices 4 gpu; fail clCreateCommandQueue -2 times 9");
	w.context = context();
	w.program = program(w.context, MOVING_SOURCE);
	w.where = kernel(w.program, "where");
	k = kernel(w.program, "where");
	assert_int_equal(ordered(0).to, 1);
	w.queue = queue(w.context, 0);
	w.number = buffer(w.context, 4);
	launch(w.queue, k, 1, &arg, 1, AFTER_NOTHING, NO_EVENT);
	launch(w.queue, w.where, 1, &arg, 1, AFTER_NOTHING, NO_EVENT);
	expect_on(1);
	host_leave();
}

/* More than is copied at once. */
static void
a_large_buffer_moves_in_parts(void **state)
{
	static const size_t size = 80000000;
	static const uint32_t last = 77;
	uint64_t b;

	(void)state;
	begin_moving(MOVING);
	b = buffer(w.context, size);
	write_inline(w.queue, b, 0, four_words, sizeof(four_words),
	    AFTER_NOTHING, NO_EVENT);
	write_inline(w.queue, b, size / 2, four_words, sizeof(four_words),
	    AFTER_NOTHING, NO_EVENT);
	write_inline(w.queue, b, size - sizeof(last), &last, sizeof(last),
	    AFTER_NOTHING, NO_EVENT);
	assert_int_equal(ordered(0).to, 1);
	read_and_expect(b, 0, four_words, sizeof(four_words));
	read_and_expect(b, size / 2, four_words, sizeof(four_words));
	read_and_expect(b, size - sizeof(last), &last, sizeof(last));
	host_leave();
}

static void
nothing_new_begins_where_nothing_may(void **state)
{
	uint64_t c;

	(void)state;
	begin_moving(MOVING);
	host_shut(0x5);
	w.context = context();
	w.queue = queue(w.context, 0);
	c = context();
	release(c);
	expect_nothing();
	host_shut(0xf);
	c = context();
	expect_object_error(c, CL_DEVICE_NOT_AVAILABLE);
	host_leave();
}

static void
what_is_alone_in_its_class_stays(void **state)
{
	struct channel_moved m;

	(void)state;
	begin_moving(MOVING);
	host_shut(0xe);
	m = ordered(0);
	assert_int_equal(m.to, MOVE_ANYWHERE);
	assert_false(m.again);
	assert_non_null(strstr(m.text, "no other device"));
	expect_working(0);
	host_shut(0x1);
	assert_int_equal(ordered(0).to, 1);
	expect_working(1);
	host_leave();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		MOVE_SCENARIO(a_context_moves_with_all_that_it_has),
		MOVE_SCENARIO(
		    events_that_have_ended_are_told_and_can_be_waited_for),
		MOVE_SCENARIO(what_is_counted_follows),
		MOVE_SCENARIO(constants_are_those_of_the_build),
		MOVE_SCENARIO(what_fails_on_the_way_changes_nothing),
		MOVE_SCENARIO(what_has_nothing_there_leaves_a_dead_device),
		MOVE_SCENARIO(a_large_buffer_moves_in_parts),
		MOVE_SCENARIO(nothing_new_begins_where_nothing_may),
		MOVE_SCENARIO(what_is_alone_in_its_class_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
