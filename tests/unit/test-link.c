/* SPDX-License-Identifier: ISC */
#include "transport/link.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/clock.h"
#include "tests/unit/fixture-link.h"

static void
the_bytes_are_these(void **state)
{
	static const uint8_t golden[24] = { 24, 0, 0, 0, 0x02, 0x01, 0x04,
		0x03, 8, 7, 6, 5, 4, 3, 2, 1, 'a', 'b', 'c', 0, 0, 0, 0, 0 };
	uint8_t got[64];
	size_t n;

	(void)state;
	buf_append(link_begin(a, 0x0102, 0x0304,
	    UINT64_C(0x0102030405060708)), "abc", 3);
	assert_int_equal(link_end(a), VGPU_OK);
	assert_int_equal(link_flush(a, NULL), VGPU_OK);
	assert_int_equal(raw->ops->read(raw, got, sizeof(got), &n, NULL),
	    VGPU_OK);
	assert_int_equal(n, sizeof(golden));
	assert_memory_equal(got, golden, sizeof(golden));
}

/* Receive what there is and check it; *next is the next frame's serial. */
static void
receive_patterns(uint64_t *next, const size_t sizes[8])
{
	struct err_text err;
	struct frame f;
	size_t n;

	while (link_receive(b, &f, &err) == VGPU_OK) {
		n = sizes[*next % 8];
		assert_true(f.serial == *next);
		assert_int_equal(f.type, *next);
		assert_int_equal(f.flags, *next + 1);
		assert_int_equal((uintptr_t)f.body % 8, 0);
		assert_int_equal(f.len, (n + 7) / 8 * 8);
		check_pattern(f.body, *next, n);
		(*next)++;
	}
	assert_int_equal(link_error(b, &err), VGPU_OK);
}

static void
frames_arrive_whole_in_order_and_aligned(void **state)
{
	static const size_t sizes[8] = { 0, 1, 8, 15, 4096, 65535, 65536,
		300001 };
	uint64_t i, next = 0;
	uint8_t *body;

	(void)state;
	for (i = 0; i < 400; i++) {
		body = pattern_new(i, sizes[i % 8]);
		send_frame(a, (uint16_t)i, i, body, sizes[i % 8]);
		free(body);
		(void)link_flush(a, NULL);
		if (i % 3 == 0)
			receive_patterns(&next, sizes);
	}
	while (next < 400) {
		(void)link_flush(a, NULL);
		receive_patterns(&next, sizes);
	}
	assert_int_equal(link_unsent(a), 0);
	assert_false(link_pending(b));
}

static void
a_huge_frame_arrives(void **state)
{
	size_t n = FRAME_MAX - LINK_HEADER_LEN;
	uint8_t *body = pattern_new(5, n);
	struct err_text err;
	struct frame f;

	(void)state;
	send_frame(a, 1, 5, body, n);
	free(body);
	while (link_receive(b, &f, &err) == VGPU_EAGAIN)
		(void)link_flush(a, &err);
	assert_int_equal(f.len, n);
	check_pattern(f.body, 5, n);
}

static void
a_frame_above_the_limit_is_dropped_and_the_next_goes(void **state)
{
	static uint8_t body[2000];
	struct err_text err;
	struct frame f;

	(void)state;
	link_set_frame_max(a, 1024);
	buf_append(link_begin(a, 1, 0, 1), body, 1024 - LINK_HEADER_LEN + 1);
	assert_int_equal(link_end(a), VGPU_EQUOTA);
	assert_int_equal(link_send_body(a, 1, 0, 2, body, 8, body, 1001,
	    CLOCK_NEVER, &err), VGPU_EQUOTA);
	assert_non_null(strstr(err.s, "1025 bytes"));
	assert_int_equal(link_unsent(a), 0);
	send_frame(a, 1, 3, body, 1024 - LINK_HEADER_LEN);
	assert_int_equal(link_flush(a, &err), VGPU_OK);
	assert_int_equal(receive_wait(b, &f, &err), VGPU_OK);
	assert_int_equal(f.serial, 3);
}

static void
a_frame_without_memory_is_dropped_and_the_next_goes(void **state)
{
	struct err_text err;
	struct frame f;

	(void)state;
	send_frame(a, 1, 1, "kept", 4);
	assert_null(buf_reserve(link_begin(a, 1, 0, 2), SIZE_MAX / 2));
	assert_int_equal(link_end(a), VGPU_ENOMEM);
	send_frame(a, 1, 3, "kept", 4);
	assert_int_equal(link_flush(a, &err), VGPU_OK);
	assert_int_equal(receive_wait(b, &f, &err), VGPU_OK);
	assert_int_equal(f.serial, 1);
	assert_int_equal(receive_wait(b, &f, &err), VGPU_OK);
	assert_int_equal(f.serial, 3);
}

static void
a_cancelled_frame_leaves_no_trace(void **state)
{
	struct err_text err;
	struct frame f;

	(void)state;
	send_frame(a, 1, 1, "kept", 4);
	buf_append(link_begin(a, 1, 0, 2), "gone", 4);
	link_cancel(a);
	send_frame(a, 1, 3, "kept", 4);
	assert_int_equal(link_unsent(a), 48);
	assert_int_equal(link_flush(a, &err), VGPU_OK);
	assert_int_equal(receive_wait(b, &f, &err), VGPU_OK);
	assert_int_equal(receive_wait(b, &f, &err), VGPU_OK);
	assert_int_equal(f.serial, 3);
}

static void
one_write_takes_many_frames(void **state)
{
	struct link_stats s;
	int i;

	(void)state;
	for (i = 0; i < 1000; i++)
		send_frame(a, 1, (uint64_t)i, "abcdefgh", 8);
	assert_int_equal(link_flush(a, NULL), VGPU_OK);
	link_get_stats(a, &s);
	assert_int_equal(s.frames_sent, 1000);
	assert_int_equal(s.bytes_sent, 24000);
	assert_int_equal(s.writes, 1);
}

static void
what_is_received_is_counted(void **state)
{
	struct link_stats s;
	struct frame f;
	int i;

	(void)state;
	for (i = 0; i < 10; i++)
		send_frame(a, 1, (uint64_t)i, "abcdefgh", 8);
	assert_int_equal(link_flush(a, NULL), VGPU_OK);
	for (i = 0; i < 10; i++)
		assert_int_equal(receive_wait(b, &f, NULL), VGPU_OK);
	link_get_stats(b, &s);
	assert_int_equal(s.frames_received, 10);
	assert_int_equal(s.bytes_received, 240);
	assert_in_range(s.reads, 1, 3);
}

static void
pending_frames_are_told_although_the_descriptor_is_quiet(void **state)
{
	struct pollfd p = { .events = POLLIN };
	struct frame f;

	(void)state;
	send_frame(a, 1, 1, "abc", 3);
	send_frame(a, 1, 2, "abc", 3);
	assert_int_equal(link_flush(a, NULL), VGPU_OK);
	assert_int_equal(receive_wait(b, &f, NULL), VGPU_OK);
	p.fd = link_fd(b);
	assert_int_equal(poll(&p, 1, 0), 0);
	assert_true(link_pending(b));
	assert_int_equal(link_receive(b, &f, NULL), VGPU_OK);
	assert_int_equal(f.serial, 2);
	assert_int_equal(link_receive(b, &f, NULL), VGPU_EAGAIN);
	assert_false(link_pending(b));
}

/* --- the end -------------------------------------------------------------- */

static void
a_peers_last_frames_are_received_after_sending_failed(void **state)
{
	struct err_text err;
	struct frame f;
	enum vgpu_err e = VGPU_OK;
	int i;

	(void)state;
	send_frame(b, 1, 1, "why it ends", 11);
	link_free(b, true);
	b = NULL;
	for (i = 0; i < 10000 && e == VGPU_OK; i++) {
		buf_append(link_begin(a, 1, 0, 1), "more", 4);
		e = link_end(a);
		if (e == VGPU_OK)
			e = link_flush(a, &err);
	}
	assert_int_equal(e, VGPU_ECLOSED);
	assert_int_equal(link_flush_wait(a, CLOCK_NEVER, &err), VGPU_ECLOSED);
	assert_int_equal(receive_wait(a, &f, &err), VGPU_OK);
	assert_memory_equal(f.body, "why it ends", 11);
	assert_int_equal(receive_wait(a, &f, &err), VGPU_ECLOSED);
	assert_int_equal(link_error(a, &err), VGPU_ECLOSED);
}

static void
the_first_reason_stays(void **state)
{
	struct err_text err;
	struct frame f;

	(void)state;
	link_fail(a, VGPU_EPROTO, "unknown call 77");
	link_fail(a, VGPU_EAUTH, "too late");
	assert_int_equal(link_receive(a, &f, &err), VGPU_EPROTO);
	assert_string_equal(err.s, "unknown call 77");
	assert_int_equal(link_flush(a, &err), VGPU_EPROTO);
	assert_string_equal(err.s, "unknown call 77");
	assert_int_equal(link_send_body(a, 1, 0, 0, "", 0, "x", 1,
	    CLOCK_NEVER, &err), VGPU_EPROTO);
	assert_int_equal(link_error(a, &err), VGPU_EPROTO);
	assert_int_equal(link_unsent(a), 0);
}

static void
an_orderly_end_sends_what_is_queued(void **state)
{
	struct err_text err;
	struct frame f;

	(void)state;
	send_frame(a, 1, 1, "last words", 10);
	link_free(a, true);
	a = NULL;
	assert_int_equal(receive_wait(b, &f, &err), VGPU_OK);
	assert_memory_equal(f.body, "last words", 10);
	assert_int_equal(receive_wait(b, &f, &err), VGPU_ECLOSED);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		RAW(the_bytes_are_these),
		PAIR(frames_arrive_whole_in_order_and_aligned),
		ALL(frames_arrive_whole_in_order_and_aligned),
		PAIR(a_huge_frame_arrives),
		ALL(a_huge_frame_arrives),
		PAIR(a_frame_above_the_limit_is_dropped_and_the_next_goes),
		PAIR(a_frame_without_memory_is_dropped_and_the_next_goes),
		PAIR(a_cancelled_frame_leaves_no_trace),
		PAIR(one_write_takes_many_frames),
		ALL(one_write_takes_many_frames),
		PAIR(what_is_received_is_counted),
		ALL(what_is_received_is_counted),
		PAIR(pending_frames_are_told_although_the_descriptor_is_quiet),
		ALL(pending_frames_are_told_although_the_descriptor_is_quiet),
		PAIR(a_peers_last_frames_are_received_after_sending_failed),
		ALL(a_peers_last_frames_are_received_after_sending_failed),
		PAIR(the_first_reason_stays),
		PAIR(an_orderly_end_sends_what_is_queued),
		ALL(an_orderly_end_sends_what_is_queued),
	};

	return cmocka_run_group_tests(tests, link_group_setup,
	    link_group_teardown);
}
