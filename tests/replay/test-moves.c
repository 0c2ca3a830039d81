/* SPDX-License-Identifier: ISC */
/*
 * Contexts that move between alike devices: nothing is lost, nothing is left
 * over, and what fails on the way changes nothing.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/clock.h"
#include "hostd/channel.h"
#include "hostd/usage.h"
#include "tests/replay/host.h"
#include "tests/replay/objects.h"

#define FAKE "devices 4 gpu; unarmed"
#define DEADLINE_MS 10000
#define TRIES 10
#define ORDERS_MS 200
#define SOURCE "kernel void where(global int *out) {}\n" \
	"kernel void copy(global int *in, global int *out) {}\n" \
	"kernel void alive(global int *out) {}\n" \
	"kernel void fail() {}\n" \
	"kernel void sleep(ulong ns) {}\n" \
	"kernel void arm() {}\n"

static struct world {
	uint64_t context, queue, program, in, out, part, number;
	uint64_t copy, where, alive, arm, fail;
} w;
static uint64_t transfer;
static const uint32_t content[] = { 11, 22, 33, 44 };

static int
teardown(void **state)
{
	host_view = VIEW_PHYSICAL;
	host_usage = NULL;
	host_place = NULL;
	host_step_ms = 0;
	return scenario_teardown(state);
}

static uint64_t
sub_buffer(uint64_t b, size_t origin, size_t size)
{
	const struct msg_clCreateSubBuffer m = { .buffer = { .id = b },
		.buffer_create_type = CL_BUFFER_CREATE_TYPE_REGION,
		.origin = origin, .size = size, .id = { .id = new_id() } };

	say(&desc_clCreateSubBuffer, &m, 0);
	return m.id.id;
}

static void
run(uint64_t k)
{
	launch(w.queue, k, 1, NULL, 0, AFTER_NOTHING, NO_EVENT);
	expect_finish(finish(w.queue), CL_SUCCESS);
}

/* Arguments are set here, once and for all. */
static void
make_world(void)
{
	struct arg copy[] = { { 0, ARG_MEM, 8, &w.in }, { 1, ARG_MEM, 8,
		&w.part } };
	const struct arg number = { 0, ARG_MEM, 8, &w.number };

	w.context = context();
	w.queue = queue(w.context, 0);
	w.in = buffer_with(w.context, content, sizeof(content));
	w.out = buffer(w.context, 2 * sizeof(content));
	w.part = sub_buffer(w.out, sizeof(content), sizeof(content));
	w.number = buffer(w.context, 4);
	w.program = program(w.context, SOURCE);
	w.copy = kernel(w.program, "copy");
	w.where = kernel(w.program, "where");
	w.alive = kernel(w.program, "alive");
	w.arm = kernel(w.program, "arm");
	w.fail = kernel(w.program, "fail");
	launch(w.queue, w.copy, 4, copy, 2, AFTER_NOTHING, NO_EVENT);
	launch(w.queue, w.where, 1, &number, 1, AFTER_NOTHING, NO_EVENT);
	launch(w.queue, w.alive, 1, &number, 1, AFTER_NOTHING, NO_EVENT);
	release(w.program);
}

static void
begin(const char *script)
{
	host_view = VIEW_CLASS;
	host_start_ready(script);
	make_world();
	run(w.arm);
}

static void
read_and_expect(uint64_t b, size_t offset, const void *p, size_t size)
{
	uint64_t e = read_buffer(w.queue, b, offset, size, ++transfer,
	    AFTER_NOTHING, TELL);

	expect_data(transfer, p, size);
	expect_status(e, CL_COMPLETE);
	release(e);
}

static void
expect_on(uint32_t device)
{
	run(w.where);
	read_and_expect(w.number, 0, &device, sizeof(device));
}

static uint32_t
alive(void)
{
	const struct heard *h;
	uint32_t n;
	uint64_t e;

	run(w.alive);
	e = read_buffer(w.queue, w.number, 0, sizeof(n), ++transfer,
	    AFTER_NOTHING, TELL);
	h = hear();
	assert_ptr_equal(h->message, &desc_data);
	memcpy(&n, h->tail, sizeof(n));
	expect_status(e, CL_COMPLETE);
	release(e);
	return n;
}

/* The fewest of some times: the vendor's thread drops references late. */
static uint32_t
fewest_alive(void)
{
	uint32_t fewest = UINT32_MAX, now;
	unsigned i;

	for (i = 0; i < TRIES; i++)
		if ((now = alive()) < fewest)
			fewest = now;
	return fewest;
}

static void
expect_alive(uint32_t n)
{
	unsigned i;

	for (i = 0; i < 100 * TRIES; i++)
		if (alive() == n)
			return;
	fail_msg("%u objects, not %u", (unsigned)alive(), (unsigned)n);
}

/* All works as it did before, also without its arguments being set again. */
static void
expect_working(uint32_t device)
{
	static const uint32_t zeros[4];

	expect_on(device);
	read_and_expect(w.in, 0, content, sizeof(content));
	read_and_expect(w.out, sizeof(content), content, sizeof(content));
	write_inline(w.queue, w.out, sizeof(content), zeros, sizeof(zeros),
	    AFTER_NOTHING, NO_EVENT);
	launch(w.queue, w.copy, 4, NULL, 0, AFTER_NOTHING, NO_EVENT);
	read_and_expect(w.out, sizeof(content), content, sizeof(content));
}

static void
order(uint32_t from)
{
	const struct channel_move m = { .from = from, .to = MOVE_ANYWHERE,
		.why = MOVE_DRAIN };

	host_move(&m);
}

static struct channel_moved
ordered(uint32_t from)
{
	struct channel_moved m;

	order(from);
	host_moved(&m, clock_after_ms(DEADLINE_MS));
	assert_int_equal(m.from, from);
	return m;
}

static void
a_context_moves_with_all_that_it_has(void **state)
{
	uint32_t before;
	unsigned i;

	(void)state;
	begin(FAKE);
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
	begin(FAKE);
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

/* Launches before a move and after it, in a queue whose events are asked for. */
static void
what_is_counted_follows(void **state)
{
	uint64_t before, after, size;
	struct usage *u;
	int fd;

	(void)state;
	assert_int_equal(usage_new(&u, &fd, NULL), VGPU_OK);
	host_usage = u;
	begin(FAKE);
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

/* ---- specialization constants --------------------------------------------- */

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
	run(k);
	read_and_expect(w.number, 0, &value, sizeof(value));
}

static void
constants_are_those_of_the_build(void **state)
{
	uint64_t built, unbuilt, k;

	(void)state;
	begin(FAKE);
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

/* ---- what is not quiet ----------------------------------------------------- */

static void
a_command_that_only_the_client_can_end_is_waited_for(void **state)
{
	struct channel_moved m;
	uint64_t user, e;

	(void)state;
	begin(FAKE);
	user = user_event(w.context);
	marker(w.queue, AFTER(user), NO_EVENT);
	e = marker(w.queue, AFTER_NOTHING, TELL);
	expect_nothing();
	order(0);
	set_user_event(user, CL_COMPLETE);
	expect_status(e, CL_COMPLETE);
	do
		host_moved(&m, clock_after_ms(DEADLINE_MS));
	while (m.again);
	assert_int_equal(m.to, 1);
	expect_working(1);
	host_leave();
}

/* What comes of it in the end. */
static uint32_t
moved_to(void)
{
	struct channel_moved m;

	do
		host_moved(&m, clock_after_ms(DEADLINE_MS));
	while (m.again);
	return m.to;
}

static void
one_that_has_to_wait_holds_up_no_other(void **state)
{
	struct world waits;
	uint64_t user, e;

	(void)state;
	begin(FAKE);
	user = user_event(w.context);
	marker(w.queue, AFTER(user), NO_EVENT);
	waits = w;
	make_world();
	expect_on(0);
	order(0);
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
	begin(FAKE);
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
 * early.  That it goes on before the queue is empty shows in what is heard first.
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
	begin(FAKE);
	p = program(w.context, SOURCE);
	e = launch(w.queue, kernel(p, "sleep"), 1, &arg, 1, AFTER_NOTHING,
	    TELL);
	expect_nothing();
	for (until = clock_after_ms(ORDERS_MS); clock_ns() < until;) {
		order(0);
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
			    " %u", FAKE, calls[i], n);
			begin(script);
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
		snprintf(text, sizeof(text), "%s; hang %s", FAKE,
		    table[i].call);
		begin(text);
		order(0);
		snprintf(text, sizeof(text), "a context moves to device 1, and"
		    " the vendor's call for %s does not return",
		    table[i].what);
		expect_goodbye(VGPU_ECL, text);
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
	w.program = program(w.context, SOURCE);
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
	begin(FAKE);
	b = buffer(w.context, size);
	write_inline(w.queue, b, 0, content, sizeof(content), AFTER_NOTHING,
	    NO_EVENT);
	write_inline(w.queue, b, size / 2, content, sizeof(content),
	    AFTER_NOTHING, NO_EVENT);
	write_inline(w.queue, b, size - sizeof(last), &last, sizeof(last),
	    AFTER_NOTHING, NO_EVENT);
	assert_int_equal(ordered(0).to, 1);
	read_and_expect(b, 0, content, sizeof(content));
	read_and_expect(b, size / 2, content, sizeof(content));
	read_and_expect(b, size - sizeof(last), &last, sizeof(last));
	host_leave();
}

static void
nothing_new_begins_where_nothing_may(void **state)
{
	uint64_t c;

	(void)state;
	begin(FAKE);
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
	begin(FAKE);
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

#define MOVE_SCENARIO(name) cmocka_unit_test_teardown(name, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		MOVE_SCENARIO(a_context_moves_with_all_that_it_has),
		MOVE_SCENARIO(
		    events_that_have_ended_are_told_and_can_be_waited_for),
		MOVE_SCENARIO(what_is_counted_follows),
		MOVE_SCENARIO(constants_are_those_of_the_build),
		MOVE_SCENARIO(
		    a_command_that_only_the_client_can_end_is_waited_for),
		MOVE_SCENARIO(one_that_has_to_wait_holds_up_no_other),
		MOVE_SCENARIO(where_to_is_asked_when_it_can_go),
		MOVE_SCENARIO(a_client_is_not_held_for_long),
		MOVE_SCENARIO(what_fails_on_the_way_changes_nothing),
		MOVE_SCENARIO(a_vendor_that_hangs_ends_the_session),
		MOVE_SCENARIO(what_has_nothing_there_leaves_a_dead_device),
		MOVE_SCENARIO(a_large_buffer_moves_in_parts),
		MOVE_SCENARIO(nothing_new_begins_where_nothing_may),
		MOVE_SCENARIO(what_is_alone_in_its_class_stays),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
