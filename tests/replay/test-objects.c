/* SPDX-License-Identifier: ISC */
/*
 * Ids that clients may not use, and objects that could not be made: these keep
 * their ids, and what uses them fails.
 */
#include "hostd/serve.h"
#include "tests/replay/objects.h"

#define FAKE "devices 4 gpu"

/* ---- ids ----------------------------------------------------------------- */

static void
flush_queue(uint64_t id)
{
	const struct msg_clFlush m = { .command_queue = { .id = id } };

	say(&desc_clFlush, &m, 0);
}

static void
make_context(uint64_t id)
{
	static const uint64_t device[] = { DEVICE(0) };
	const struct msg_clCreateContext m = { .devices = { device, 1 },
		.id = { .id = id } };

	say(&desc_clCreateContext, &m, 0);
}

static void
an_id_that_names_nothing_ends_the_session(void **state)
{
	(void)state;
	host_start_ready(FAKE);
	flush_queue(new_id());
	expect_goodbye(VGPU_EPROTO,
	    "clFlush: command_queue names no such object");
}

static void
an_object_of_another_kind_ends_the_session(void **state)
{
	(void)state;
	host_start_ready(FAKE);
	flush_queue(context());
	expect_goodbye(VGPU_EPROTO,
	    "clFlush: command_queue names no such object");
}

static void
one_wrong_id_of_many_ends_the_session(void **state)
{
	uint64_t c, q, e;

	(void)state;
	host_start_ready(FAKE);
	c = context();
	q = queue(c, 0);
	e = marker(q, AFTER_NOTHING, QUIET);
	marker(q, AFTER(e, e, q), NO_EVENT);
	expect_goodbye(VGPU_EPROTO, "clEnqueueMarkerWithWaitList: "
	    "event_wait_list names no such object");
}

static void
a_released_id_names_nothing(void **state)
{
	uint64_t q;

	(void)state;
	host_start_ready(FAKE);
	q = queue(context(), 0);
	release(q);
	flush_queue(q);
	expect_goodbye(VGPU_EPROTO,
	    "clFlush: command_queue names no such object");
}

static void
a_released_id_is_not_used_again(void **state)
{
	const uint64_t id = (uint64_t)3 << 32 | 50;

	(void)state;
	host_start_ready(FAKE);
	make_context(id);
	release(id);
	make_context(id);
	expect_goodbye(VGPU_EPROTO, "clCreateContext: id 50.3 can't be used "
	    "for a new object");
}

static void
an_id_in_use_is_not_used_again(void **state)
{
	(void)state;
	host_start_ready(FAKE);
	make_context((uint64_t)1 << 32 | 50);
	make_context((uint64_t)2 << 32 | 50);
	expect_goodbye(VGPU_EPROTO, "clCreateContext: id 50.2 can't be used "
	    "for a new object");
}

static void
a_slot_is_used_again_with_a_newer_generation(void **state)
{
	const uint64_t old = (uint64_t)1 << 32 | 50, new = (uint64_t)9 << 32 |
	    50;

	(void)state;
	host_start_ready(FAKE);
	make_context(old);
	release(old);
	make_context(new);
	flush_queue(queue(new, 0));
	expect_nothing();
	host_leave();
}

static void
slots_are_limited(void **state)
{
	(void)state;
	host_start_ready(FAKE);
	make_context((uint64_t)1 << 32 | SERVE_OBJECTS_MAX);
	expect_goodbye(VGPU_EQUOTA, "clCreateContext: id 16777216.1 can't be "
	    "used for a new object");
}

static void
releasing_twice_ends_the_session(void **state)
{
	uint64_t c;

	(void)state;
	host_start_ready(FAKE);
	c = context();
	release(c);
	release(c);
	expect_goodbye(VGPU_EPROTO,
	    "release of an object that is not there");
}

static void
what_is_in_use_may_be_released(void **state)
{
	static const uint32_t one = 1;
	uint64_t c, q, gate, b, e;

	(void)state;
	host_start_ready(FAKE);
	c = context();
	q = queue(c, 0);
	gate = user_event(c);
	b = buffer(c, 4096);
	e = write_inline(q, b, 0, &one, sizeof(one), AFTER(gate), QUIET);
	release(b);
	release(e);
	e = marker(q, AFTER_NOTHING, TELL);
	release(q);
	release(c);
	set_user_event(gate, CL_COMPLETE);
	release(gate);
	expect_status(e, CL_COMPLETE);
	release(e);
	expect_nothing();
	host_leave();
}

/* ---- poison -------------------------------------------------------------- */

static void
a_context_that_failed_poisons_all_that_is_made_of_it(void **state)
{
	uint64_t c, q, e;

	(void)state;
	host_start_ready(FAKE "; fail clCreateContext -6");
	c = context();
	expect_object_error(c, CL_OUT_OF_HOST_MEMORY);
	q = queue(c, 0);
	expect_object_error(q, CL_OUT_OF_HOST_MEMORY);
	expect_object_error(buffer(c, 64), CL_OUT_OF_HOST_MEMORY);
	expect_status(user_event(c), CL_OUT_OF_HOST_MEMORY);
	e = marker(q, AFTER_NOTHING, QUIET);
	expect_status(e, CL_OUT_OF_HOST_MEMORY);
	expect_finish(finish(q), CL_OUT_OF_HOST_MEMORY);
	release(e);
	release(q);
	release(c);
	expect_nothing();
	host_leave();
}

/* It has no event to tell by; the client's shadow knows that it failed. */
static void
a_command_without_event_in_a_poisoned_queue_does_no_harm(void **state)
{
	uint64_t c, q;

	(void)state;
	host_start_ready(FAKE "; fail clCreateContext -6");
	c = context();
	expect_object_error(c, CL_OUT_OF_HOST_MEMORY);
	q = queue(c, 0);
	expect_object_error(q, CL_OUT_OF_HOST_MEMORY);
	marker(q, AFTER_NOTHING, NO_EVENT);
	flush_queue(q);
	expect_finish(finish(q), CL_OUT_OF_HOST_MEMORY);
	host_leave();
}

static void
a_buffer_that_failed_does_not_stop_its_queue(void **state)
{
	static const uint32_t one = 1;
	uint64_t c, q, b, e;

	(void)state;
	host_start_ready(FAKE "; fail clCreateBuffer -4");
	c = context();
	q = queue(c, 0);
	b = buffer(c, 64);
	expect_object_error(b, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	e = write_inline(q, b, 0, &one, sizeof(one), AFTER_NOTHING, QUIET);
	expect_status(e, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	e = marker(q, AFTER_NOTHING, TELL);
	expect_status(e, CL_COMPLETE);
	expect_finish(finish(q), CL_SUCCESS);
	host_leave();
}

static void
what_waits_for_a_failed_event_fails_for_that(void **state)
{
	uint64_t c, q, e;

	(void)state;
	host_start_ready(FAKE "; fail clEnqueueBarrierWithWaitList -5");
	c = context();
	q = queue(c, 0);
	e = barrier(q, AFTER_NOTHING, QUIET);
	expect_status(e, CL_OUT_OF_RESOURCES);
	e = marker(q, AFTER(e), QUIET);
	expect_status(e, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	/* It was told when it failed. */
	watch(e, 1);
	expect_nothing();
	host_leave();
}

static void
a_refused_command_without_event_is_told_by_the_next_finish(void **state)
{
	const struct msg_notify *n;
	uint64_t c, q;

	(void)state;
	host_start_ready(FAKE "; fail clEnqueueBarrierWithWaitList -5");
	c = context();
	q = queue(c, 0);
	barrier(q, AFTER_NOTHING, NO_EVENT);
	n = expect(&desc_notify);
	assert_int_equal(n->context, c);
	assert_string_equal(n->text.p,
	    "vgpu: clEnqueueBarrierWithWaitList failed with error -5");
	expect_finish(finish(q), CL_OUT_OF_RESOURCES);
	expect_finish(finish(q), CL_SUCCESS);
	host_leave();
}

static void
a_creation_is_confirmed_where_asked_to(void **state)
{
	struct msg_clCreateBufferWithProperties m = { .size = 64,
		.flags = CL_MEM_READ_WRITE };
	const struct reply_clFinish *r;	/* just a status, too */

	(void)state;
	host_start_ready(FAKE "; fail clCreateBuffer -4 after 1");
	m.context.id = context();
	m.id.id = new_id();
	r = expect_reply(&desc_clCreateBufferWithProperties,
	    say(&desc_clCreateBufferWithProperties, &m, FRAME_CONFIRM));
	assert_int_equal(r->status, CL_SUCCESS);
	m.id.id = new_id();
	say(&desc_clCreateBufferWithProperties, &m, FRAME_CONFIRM);
	expect_object_error(m.id.id, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	r = (const void *)hear()->msg;
	assert_int_equal(r->status, CL_MEM_OBJECT_ALLOCATION_FAILURE);
	host_leave();
}

static void
a_vendor_of_opencl_1_2_makes_queues_the_old_way(void **state)
{
	uint64_t q;

	(void)state;
	host_start_ready(FAKE "; version 1.2");
	q = queue(context(), CL_QUEUE_PROFILING_ENABLE);
	expect_finish(finish(q), CL_SUCCESS);
	q = queue(context(), 0);
	expect_finish(finish(q), CL_SUCCESS);
	host_leave();
}

static void
a_vendor_that_does_not_load_fails_the_context(void **state)
{
	(void)state;
	host_start_ready("no-devices");
	expect_object_error(context(), CL_DEVICE_NOT_AVAILABLE);
	/* The reason is kept. */
	expect_object_error(context(), CL_DEVICE_NOT_AVAILABLE);
	host_leave();
}

static void
a_device_that_is_gone_fails_the_context(void **state)
{
	static const uint64_t device[] = { DEVICE(3) };
	const struct msg_clCreateContext m = { .devices = { device, 1 },
		.id = { .id = new_id() } };
	const struct msg_object_error *e;

	(void)state;
	host_start_ready("devices 2 gpu");
	say(&desc_clCreateContext, &m, 0);
	e = expect(&desc_object_error);
	assert_int_equal(e->code, CL_DEVICE_NOT_AVAILABLE);
	assert_string_equal(e->reason.p, "vgpu: clCreateContext failed with "
	    "error -2: the device is gone");
	host_leave();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SCENARIO(an_id_that_names_nothing_ends_the_session),
		SCENARIO(an_object_of_another_kind_ends_the_session),
		SCENARIO(one_wrong_id_of_many_ends_the_session),
		SCENARIO(a_released_id_names_nothing),
		SCENARIO(a_released_id_is_not_used_again),
		SCENARIO(an_id_in_use_is_not_used_again),
		SCENARIO(a_slot_is_used_again_with_a_newer_generation),
		SCENARIO(slots_are_limited),
		SCENARIO(releasing_twice_ends_the_session),
		SCENARIO(what_is_in_use_may_be_released),
		SCENARIO(a_context_that_failed_poisons_all_that_is_made_of_it),
		SCENARIO(
		    a_command_without_event_in_a_poisoned_queue_does_no_harm),
		SCENARIO(a_buffer_that_failed_does_not_stop_its_queue),
		SCENARIO(what_waits_for_a_failed_event_fails_for_that),
		SCENARIO(
		    a_refused_command_without_event_is_told_by_the_next_finish),
		SCENARIO(a_creation_is_confirmed_where_asked_to),
		SCENARIO(a_vendor_of_opencl_1_2_makes_queues_the_old_way),
		SCENARIO(a_vendor_that_does_not_load_fails_the_context),
		SCENARIO(a_device_that_is_gone_fails_the_context),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
