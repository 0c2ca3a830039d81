/* SPDX-License-Identifier: ISC */
/*
 * Bodies of a device whose memory is the host's: they land in the buffer, and
 * leave from it, whatever fails on the way.  And bodies that are spelled
 * shorter than they are.
 */
#include <string.h>

#include "common/coding.h"
#include "hostd/serve.h"
#include "tests/replay/objects.h"

#define FAKE "devices 1 cpu memory 64; "
#define SIZE (512u << 10)

static uint64_t c, q, b;
static uint8_t content[SIZE], got[SIZE];

static void
begin(const char *script)
{
	size_t i;

	for (i = 0; i < sizeof(content); i++)
		content[i] = (uint8_t)(i * 7 + i / 256);
	host_start_ready(script);
	join();
	c = context();
	q = queue(c, 0);
	b = buffer(c, SIZE);
}

/* All of a long body, on the data lane. */
static void
expect_body(uint64_t transfer)
{
	size_t n = 0, piece;
	const struct heard *h = hear_on(data_lane());
	const struct msg_data *m = (const void *)h->msg;

	assert_ptr_equal(h->message, &desc_data);
	assert_int_equal(m->transfer, transfer);
	assert_int_equal(m->size, SIZE);
	while (n < SIZE)
		if (link_receive_body(data_lane(), got + n, SIZE - n, &piece,
		    NULL) == VGPU_OK)
			n += piece;
	assert_memory_equal(got, content, SIZE);
}

static void
expect_content(void)
{
	uint64_t e = read_buffer(q, b, 0, SIZE, 99, AFTER_NOTHING, TELL);

	expect_status(e, CL_COMPLETE);
	expect_body(99);
}

/* Whatever went before, a body lands. */
static void
expect_landing(uint64_t transfer)
{
	uint64_t e = write_body(q, b, 0, SIZE, transfer, AFTER_NOTHING, TELL,
	    0);

	say_data(transfer, 0, content, SIZE);
	expect_credit(SIZE);
	expect_status(e, CL_COMPLETE);
	expect_content();
}

static void
say_on_data(const struct message *desc, const void *m)
{
	struct buf *out = link_begin(data_lane(), desc->number, 0, 0);

	codec_encode(out, desc->fields, desc->field_count, m);
	assert_int_equal(link_end(data_lane()), VGPU_OK);
	assert_int_equal(link_flush_wait(data_lane(), INT64_MAX, NULL),
	    VGPU_OK);
}

/* ---- in the buffer itself ------------------------------------------------ */

static void
a_body_lands_and_leaves(void **state)
{
	uint64_t e;

	(void)state;
	begin(FAKE);
	e = write_body(q, b, 0, SIZE, 5, AFTER_NOTHING, TELL, 0);
	say_data(5, 100000, content + 100000, SIZE - 100000);
	expect_nothing();
	say_data(5, 0, content, 100000);
	expect_credit(SIZE);
	expect_status(e, CL_COMPLETE);
	expect_content();
	/* and what follows a read is not held up by it */
	expect_status(marker(q, AFTER_NOTHING, TELL), CL_COMPLETE);
	host_leave();
}

static void
a_body_that_comes_long_before_its_turn_is_kept(void **state)
{
	const uint64_t ns = 100000000;
	const struct arg arg = { 0, ARG_VALUE, sizeof(ns), &ns };
	uint64_t p, e;

	(void)state;
	begin(FAKE);
	p = program(c, "kernel void sleep(ulong ns) {}\n");
	launch(q, kernel(p, "sleep"), 1, &arg, 1, AFTER_NOTHING, QUIET);
	e = write_body(q, b, 0, SIZE, 5, AFTER_NOTHING, TELL, 0);
	say_data(5, 0, content, SIZE);
	expect_nothing();
	expect_credit(SIZE);
	expect_status(e, CL_COMPLETE);
	expect_content();
	host_leave();
}

static void
where_a_map_is_refused_the_body_is_staged(void **state)
{
	(void)state;
	begin(FAKE "fail clEnqueueMapBuffer -12 times 2");
	expect_landing(5);
	host_leave();
}

static void
a_map_that_fails_fails_its_write(void **state)
{
	uint64_t e;

	(void)state;
	begin(FAKE "end clEnqueueMapBuffer -5");
	e = write_body(q, b, 0, SIZE, 5, AFTER_NOTHING, TELL, 0);
	expect_status(e, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
	say_data(5, 0, content, SIZE);
	expect_credit(SIZE);
	expect_landing(6);
	host_leave();
}

static void
an_unmap_that_is_refused_fails_its_write(void **state)
{
	uint64_t e;

	(void)state;
	begin(FAKE "fail clEnqueueUnmapMemObject -5");
	e = write_body(q, b, 0, SIZE, 5, AFTER_NOTHING, QUIET, 0);
	expect_status(e, CL_OUT_OF_RESOURCES);
	say_data(5, 0, content, SIZE);
	expect_credit(SIZE);
	expect_landing(6);
	host_leave();
}

static void
a_buffer_may_go_before_its_body_comes(void **state)
{
	uint64_t e;

	(void)state;
	begin(FAKE);
	e = write_body(q, b, 0, SIZE, 5, AFTER_NOTHING, TELL, 0);
	release(b);
	expect_nothing();
	say_data(5, 0, content, SIZE);
	expect_credit(SIZE);
	expect_status(e, CL_COMPLETE);
	host_leave();
}

static void
more_than_a_whole_body_ends_the_session(void **state)
{
	const uint64_t ns = 500000000;
	const struct arg arg = { 0, ARG_VALUE, sizeof(ns), &ns };
	uint64_t p;

	(void)state;
	begin(FAKE);
	p = program(c, "kernel void sleep(ulong ns) {}\n");
	launch(q, kernel(p, "sleep"), 1, &arg, 1, AFTER_NOTHING, QUIET);
	write_body(q, b, 0, SIZE, 5, AFTER_NOTHING, QUIET, 0);
	say_data(5, 0, content, SIZE);
	say_data(5, 0, content, 8);
	expect_goodbye(VGPU_EPROTO, "more data than its transfer has");
}

/* ---- spelled ------------------------------------------------------------- */

static void
patterns_and_packed_pieces_are_spelled_out(void **state)
{
	struct msg_data_pattern zeros = { .transfer = 5, .size = SIZE / 2 };
	struct msg_data_packed packed = { .transfer = 5, .offset = SIZE / 2,
		.size = SIZE / 2 };
	struct coding *coding = coding_new();
	struct coded coded;
	uint64_t e;
	size_t i;

	(void)state;
	begin(FAKE);
	memset(content, 0, SIZE / 2);
	for (i = SIZE / 2; i < SIZE; i++)
		content[i] = (uint8_t)(i / 4);
	e = write_body(q, b, 0, SIZE, 5, AFTER_NOTHING, TELL, 0);
	say_on_data(&desc_data_pattern, &zeros);
	coding_encode(coding, content + SIZE / 2, SIZE / 2, 1, &coded);
	assert_int_equal(coded.kind, CODING_PACKED);
	packed.packed = (struct span){ coded.packed, coded.packed_n };
	say_on_data(&desc_data_packed, &packed);
	coding_done(coding, &coded);
	coding_free(coding);
	expect_credit(SIZE);
	expect_status(e, CL_COMPLETE);
	expect_content();
	host_leave();
}

static void
a_pattern_outside_of_its_transfer_ends_the_session(void **state)
{
	const struct msg_data_pattern m = { .transfer = 5, .offset = 8,
		.size = SIZE };

	(void)state;
	begin(FAKE);
	write_body(q, b, 0, SIZE, 5, AFTER_NOTHING, QUIET, 0);
	say_on_data(&desc_data_pattern, &m);
	expect_goodbye(VGPU_EPROTO, "data outside of its transfer");
}

static void
a_pattern_longer_than_a_piece_ends_the_session(void **state)
{
	const struct msg_data_pattern m = { .transfer = 5,
		.size = CODING_MAX + 1 };

	(void)state;
	begin(FAKE);
	say_on_data(&desc_data_pattern, &m);
	expect_goodbye(VGPU_EPROTO, "data frame of wrong size");
}

static void
bytes_that_are_not_packed_end_the_session(void **state)
{
	const struct msg_data_packed m = { .transfer = 5, .size = SIZE,
		.packed = { content, 1000 } };

	(void)state;
	begin(FAKE);
	write_body(q, b, 0, SIZE, 5, AFTER_NOTHING, QUIET, 0);
	say_on_data(&desc_data_packed, &m);
	expect_goodbye(VGPU_EPROTO, "a packed body can't be unpacked");
}

/* What would become more than was said is not unpacked. */
static void
a_packed_piece_of_another_size_ends_the_session(void **state)
{
	struct msg_data_packed m = { .transfer = 5, .size = 8 };
	struct coding *coding = coding_new();
	struct coded coded;

	(void)state;
	begin(FAKE);
	write_body(q, b, 0, SIZE, 5, AFTER_NOTHING, QUIET, 0);
	memset(content, 0, SIZE);
	content[SIZE - 1] = 1;
	coding_encode(coding, content, SIZE, 1, &coded);
	assert_int_equal(coded.kind, CODING_PACKED);
	m.packed = (struct span){ coded.packed, coded.packed_n };
	say_on_data(&desc_data_packed, &m);
	coding_done(coding, &coded);
	coding_free(coding);
	expect_goodbye(VGPU_EPROTO, "a packed body can't be unpacked");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SCENARIO(a_body_lands_and_leaves),
		SCENARIO(a_body_that_comes_long_before_its_turn_is_kept),
		SCENARIO(where_a_map_is_refused_the_body_is_staged),
		SCENARIO(a_map_that_fails_fails_its_write),
		SCENARIO(an_unmap_that_is_refused_fails_its_write),
		SCENARIO(a_buffer_may_go_before_its_body_comes),
		SCENARIO(more_than_a_whole_body_ends_the_session),
		SCENARIO(patterns_and_packed_pieces_are_spelled_out),
		SCENARIO(a_pattern_outside_of_its_transfer_ends_the_session),
		SCENARIO(a_pattern_longer_than_a_piece_ends_the_session),
		SCENARIO(bytes_that_are_not_packed_end_the_session),
		SCENARIO(a_packed_piece_of_another_size_ends_the_session),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
