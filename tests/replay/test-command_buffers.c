/* SPDX-License-Identifier: ISC */
/*
 * Command buffers: recorded once, changed, replayed by one message.
 */
#include "tests/replay/world.h"

#define SOURCE \
	"kernel void add(global int *a, global int *b, global int *out) {}\n" \
	"kernel void fill(global int *out, int value) {}\n"

static uint64_t cb;

static uint64_t
command_buffer(uint64_t queue)
{
	const struct msg_clCreateCommandBufferKHR m = {
		.queues = { &queue, 1 }, .id = { .id = new_id() } };

	say(&desc_clCreateCommandBufferKHR, &m, 0);
	return m.id.id;
}

static void
begin_buffer(const char *script, cl_command_queue_properties properties)
{
	begin(script, properties);
	p = program(c, SOURCE);
	cb = command_buffer(q);
}

/* ---- what is recorded ---------------------------------------------------- */

static void
record(const struct message *what, const void *msg, struct span sync)
{
	struct msg_command_record m = { .command_buffer = { .id = cb },
		.number = what->number, .sync_points = sync };
	struct buf body;

	buf_init(&body);
	codec_encode(&body, what->fields, what->field_count, msg);
	m.body = (struct span){ buf_front(&body), buf_len(&body) };
	say(&desc_command_record, &m, 0);
	buf_fini(&body);
}

static void
record_fill(uint64_t mem, uint32_t value, size_t size, struct span sync)
{
	const struct msg_clEnqueueFillBuffer m = { .buffer = { .id = mem },
		.command_queue = { .id = q }, .size = size,
		.pattern_bytes = { &value, sizeof(value) } };

	record(&desc_clEnqueueFillBuffer, &m, sync);
}

static void
record_copy(uint64_t from, uint64_t to, size_t size, struct span sync)
{
	const struct msg_clEnqueueCopyBuffer m = {
		.command_queue = { .id = q }, .src_buffer = { .id = from },
		.dst_buffer = { .id = to }, .size = size };

	record(&desc_clEnqueueCopyBuffer, &m, sync);
}

static void
record_launch(uint64_t k, size_t n, const struct arg *args, unsigned count)
{
	const uint64_t global[] = { n };
	const struct msg_clEnqueueNDRangeKernel m = {
		.command_queue = { .id = q }, .kernel = { .id = k },
		.work_dim = 1, .global_work_size = { global, 1 },
		.args = { args, count } };

	record(&desc_clEnqueueNDRangeKernel, &m, AFTER_NOTHING);
}

static void
record_barrier(void)
{
	const struct msg_clEnqueueBarrierWithWaitList m = {
		.command_queue = { .id = q } };

	record(&desc_clEnqueueBarrierWithWaitList, &m, AFTER_NOTHING);
}

static uint64_t
replay_on(uint64_t queue, struct span wait, enum telling t)
{
	const struct msg_clEnqueueCommandBufferKHR m = {
		.command_queue = { .id = queue },
		.command_buffer = { .id = cb }, .event_wait_list = wait,
		.event = { .id = t == NO_EVENT ? 0 : new_id() } };

	say(&desc_clEnqueueCommandBufferKHR, &m,
	    t == TELL ? FRAME_NOTIFY : 0);
	return m.event.id;
}

static void
expect_first(uint64_t mem, uint32_t value)
{
	const uint32_t expected[] = { value };
	uint64_t e = read_buffer(q, mem, 0, sizeof(expected), 9,
	    AFTER_NOTHING, TELL);

	expect_data(9, expected, sizeof(expected));
	expect_status(e, CL_COMPLETE);
}

/* ---- replaying ----------------------------------------------------------- */

/* 3, then 3 + 3, in both kinds of queue. */
static void
replay_sums(cl_command_queue_properties properties)
{
	uint64_t one, sum, k, e;
	struct arg args[3];
	unsigned i, before;

	begin_buffer(FAKE, properties);
	one = buffer(c, 16);
	sum = buffer(c, 16);
	k = kernel(p, "add");
	args[0] = (struct arg){ 0, ARG_MEM, sizeof(one), &one };
	args[1] = (struct arg){ 1, ARG_MEM, sizeof(one), &one };
	args[2] = (struct arg){ 2, ARG_MEM, sizeof(sum), &sum };
	record_fill(one, 3, 16, AFTER_NOTHING);
	record_barrier();
	record_launch(k, 4, args, 3);
	before = heard_count();
	for (i = 0; i < 100; i++)
		e = replay_on(q, AFTER_NOTHING, i == 99 ? TELL : NO_EVENT);
	expect_status(e, CL_COMPLETE);
	assert_int_equal(heard_count() - before, 1);
	expect_first(sum, 6);
	host_leave();
}

static void
a_replay_does_all_commands_in_order(void **state)
{
	(void)state;
	replay_sums(0);
}

static void
a_barrier_orders_commands_of_an_out_of_order_queue(void **state)
{
	(void)state;
	replay_sums(ORDER_FREE);
}

static void
sync_points_order_commands_of_an_out_of_order_queue(void **state)
{
	uint64_t a, b, gate, e;

	(void)state;
	begin_buffer(FAKE, ORDER_FREE);
	a = buffer(c, 16);
	b = buffer(c, 16);
	record_fill(a, 7, 16, AFTER_NOTHING);
	record_copy(a, b, 16, AFTER(1));
	record_fill(a, 8, 16, AFTER(2));
	gate = user_event(c);
	e = replay_on(q, AFTER(gate), TELL);
	expect_nothing();
	set_user_event(gate, CL_COMPLETE);
	expect_status(e, CL_COMPLETE);
	expect_first(b, 7);
	expect_first(a, 8);
	host_leave();
}

static void
an_empty_buffer_waits_and_completes(void **state)
{
	uint64_t gate, e;

	(void)state;
	begin_buffer(FAKE, 0);
	gate = user_event(c);
	e = replay_on(q, AFTER(gate), TELL);
	expect_nothing();
	set_user_event(gate, CL_COMPLETE);
	expect_status(e, CL_COMPLETE);
	host_leave();
}

static void
another_queue_takes_the_place_of_the_first(void **state)
{
	uint64_t a, other, e;

	(void)state;
	begin_buffer(FAKE, 0);
	a = buffer(c, 16);
	other = queue(c, ORDER_FREE);
	record_fill(a, 1, 16, AFTER_NOTHING);
	record_fill(a, 2, 16, AFTER_NOTHING);
	/* What was recorded for an in-order queue stays in order. */
	e = replay_on(other, AFTER_NOTHING, TELL);
	expect_status(e, CL_COMPLETE);
	expect_first(a, 2);
	host_leave();
}

static void
a_failed_cause_fails_the_replay(void **state)
{
	uint64_t a, gate, e;

	(void)state;
	begin_buffer(FAKE, ORDER_FREE);
	a = buffer(c, 16);
	record_fill(a, 5, 16, AFTER_NOTHING);
	record_copy(a, a, 4, AFTER(1));
	gate = user_event(c);
	e = replay_on(q, AFTER(gate), TELL);
	set_user_event(gate, -77);
	expect_status(e, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	host_leave();
}

static void
a_command_that_is_refused_fails_its_replay_alone(void **state)
{
	uint64_t a, e;

	(void)state;
	begin_buffer(FAKE "fail clEnqueueFillBuffer -5 after 1", 0);
	a = buffer(c, 16);
	record_fill(a, 1, 16, AFTER_NOTHING);
	record_fill(a, 2, 16, AFTER_NOTHING);
	e = replay_on(q, AFTER_NOTHING, TELL);
	expect_status(e, CL_OUT_OF_RESOURCES);
	expect_first(a, 1);
	e = replay_on(q, AFTER_NOTHING, TELL);
	expect_status(e, CL_COMPLETE);
	expect_first(a, 2);
	host_leave();
}

/* ---- objects ------------------------------------------------------------- */

static void
objects_live_as_long_as_what_was_recorded(void **state)
{
	uint64_t a, b, k, e;
	const int value = 9;
	struct arg args[2];

	(void)state;
	begin_buffer(FAKE, 0);
	a = buffer(c, 16);
	b = buffer(c, 16);
	k = kernel(p, "fill");
	args[0] = (struct arg){ 0, ARG_MEM, sizeof(a), &a };
	args[1] = (struct arg){ 1, ARG_VALUE, sizeof(value), &value };
	record_launch(k, 4, args, 2);
	record_copy(a, b, 16, AFTER_NOTHING);
	release(a);
	release(k);
	release(p);
	e = replay_on(q, AFTER_NOTHING, TELL);
	release(cb);
	expect_status(e, CL_COMPLETE);
	expect_first(b, 9);
	host_leave();
}

static void
a_poisoned_object_fails_all_replays(void **state)
{
	uint64_t bad, good, e;

	(void)state;
	begin_buffer(FAKE "fail clCreateBuffer -4", 0);
	bad = buffer(c, 16);
	expect_object_error(bad, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	good = buffer(c, 16);
	record_fill(good, 1, 16, AFTER_NOTHING);
	record_copy(good, bad, 16, AFTER_NOTHING);
	record_fill(good, 2, 16, AFTER(2));
	e = replay_on(q, AFTER_NOTHING, TELL);
	expect_status(e, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	e = replay_on(q, AFTER_NOTHING, TELL);
	expect_status(e, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	host_leave();
}

/* ---- updates ------------------------------------------------------------- */

static void
update(uint32_t command, const struct arg *args, unsigned count,
    const uint64_t *global)
{
	const struct msg_command_update m = { .command_buffer = { .id = cb },
		.command = command, .args = { args, count },
		.global_work_size = { global, global != NULL } };

	say(&desc_command_update, &m, 0);
}

static void
an_update_is_for_later_replays(void **state)
{
	const uint64_t one_item = 1;
	const int first = 1, second = 2, third = 3;
	uint64_t a, k, gate, e;
	struct arg args[2];

	(void)state;
	begin_buffer(FAKE, 0);
	a = buffer(c, 8);
	k = kernel(p, "fill");
	args[0] = (struct arg){ 0, ARG_MEM, sizeof(a), &a };
	args[1] = (struct arg){ 1, ARG_VALUE, sizeof(first), &first };
	record_launch(k, 2, args, 2);
	gate = user_event(c);
	replay_on(q, AFTER(gate), NO_EVENT);
	args[1].value = &second;
	update(1, args + 1, 1, NULL);
	set_user_event(gate, CL_COMPLETE);
	expect_first(a, 1);
	e = replay_on(q, AFTER_NOTHING, TELL);
	expect_status(e, CL_COMPLETE);
	expect_first(a, 2);
	args[1].value = &third;
	update(1, args + 1, 1, &one_item);
	e = replay_on(q, AFTER_NOTHING, TELL);
	expect_status(e, CL_COMPLETE);
	expect_first(a, 3);
	e = read_buffer(q, a, 4, 4, 10, AFTER_NOTHING, TELL);
	expect_data(10, &second, sizeof(second));
	expect_status(e, CL_COMPLETE);
	host_leave();
}

/* ---- what no correct client says ----------------------------------------- */

static void
what_has_a_body_is_not_recorded(void **state)
{
	const struct msg_clFinish m = { .command_queue = { .id = 1 } };

	(void)state;
	begin_buffer(FAKE, 0);
	record(&desc_clFinish, &m, AFTER_NOTHING);
	expect_goodbye(VGPU_EPROTO, "message 47 can't be recorded");
}

static void
a_sync_point_of_the_future_is_refused(void **state)
{
	uint64_t a;

	(void)state;
	begin_buffer(FAKE, 0);
	a = buffer(c, 16);
	record_fill(a, 1, 16, AFTER(1));
	expect_goodbye(VGPU_EPROTO, "message 83 can't be recorded");
}

static void
recorded_events_are_refused(void **state)
{
	const struct msg_clEnqueueBarrierWithWaitList m = {
		.command_queue = { .id = 1 }, .event = { .id = 77 } };

	(void)state;
	begin_buffer(FAKE, 0);
	record(&desc_clEnqueueBarrierWithWaitList, &m, AFTER_NOTHING);
	expect_goodbye(VGPU_EPROTO, "recorded clEnqueueBarrierWithWaitList"
	    " with a body or events");
}

static void
recorded_bytes_are_decoded_as_strictly_as_others(void **state)
{
	const struct msg_command_record m = { .command_buffer = { .id = 0 },
		.number = MSG_clEnqueueFillBuffer, .body = { "12345678", 8 } };
	struct msg_command_record here = m;

	(void)state;
	begin_buffer(FAKE, 0);
	here.command_buffer.id = cb;
	say(&desc_command_record, &here, 0);
	expect_goodbye(VGPU_EPROTO, "recorded clEnqueueFillBuffer: buffer:"
	    " cut short");
}

static void
only_launches_are_updated(void **state)
{
	uint64_t a;

	(void)state;
	begin_buffer(FAKE, 0);
	a = buffer(c, 16);
	record_fill(a, 1, 16, AFTER_NOTHING);
	update(1, NULL, 0, NULL);
	expect_goodbye(VGPU_EPROTO, "update of what is no launch");
}

static void
a_queue_of_another_context_is_refused(void **state)
{
	uint64_t a, other, e;

	(void)state;
	begin_buffer(FAKE, 0);
	a = buffer(c, 16);
	record_fill(a, 1, 16, AFTER_NOTHING);
	other = queue(context(), 0);
	e = replay_on(other, AFTER_NOTHING, TELL);
	expect_status(e, CL_INVALID_CONTEXT);
	host_leave();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SCENARIO(a_replay_does_all_commands_in_order),
		SCENARIO(a_barrier_orders_commands_of_an_out_of_order_queue),
		SCENARIO(sync_points_order_commands_of_an_out_of_order_queue),
		SCENARIO(an_empty_buffer_waits_and_completes),
		SCENARIO(another_queue_takes_the_place_of_the_first),
		SCENARIO(a_failed_cause_fails_the_replay),
		SCENARIO(a_command_that_is_refused_fails_its_replay_alone),
		SCENARIO(objects_live_as_long_as_what_was_recorded),
		SCENARIO(a_poisoned_object_fails_all_replays),
		SCENARIO(an_update_is_for_later_replays),
		SCENARIO(what_has_a_body_is_not_recorded),
		SCENARIO(a_sync_point_of_the_future_is_refused),
		SCENARIO(recorded_events_are_refused),
		SCENARIO(recorded_bytes_are_decoded_as_strictly_as_others),
		SCENARIO(only_launches_are_updated),
		SCENARIO(a_queue_of_another_context_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
