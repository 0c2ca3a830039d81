/* SPDX-License-Identifier: ISC */
#include "transport/link.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "common/clock.h"
#include "tests/unit/fixture-link.h"
#include "transport/pair.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

static void
frames_survive_the_smallest_reads_and_writes(void **state)
{
	uint8_t *body = pattern_new(3, 40), got[40];
	struct err_text err;
	struct frame f;
	size_t i;

	(void)state;
	pair_set_chunk(link_transport(a), 1);
	pair_set_chunk(link_transport(b), 1);
	link_set_streamed(b, STREAMED, PREFIX);
	for (i = 0; i < 20; i++) {
		send_frame(a, 1, 3, body, 40);
		assert_int_equal(link_flush(a, &err), VGPU_OK);
		assert_int_equal(receive_wait(b, &f, &err), VGPU_OK);
		check_pattern(f.body, 3, 40);
		assert_int_equal(link_send_body(a, STREAMED, 0, 3, body,
		    PREFIX, body, 39, CLOCK_NEVER, &err), VGPU_OK);
		assert_int_equal(link_flush(a, &err), VGPU_OK);
		assert_int_equal(receive_wait(b, &f, &err), VGPU_OK);
		assert_int_equal(f.rest, 40);
		body_wait(b, got, f.rest);
		check_pattern(got, 3, 39);
	}
	free(body);
}

static void
a_stream_cut_anywhere_gives_no_frame_and_then_the_end(void **state)
{
	uint8_t bytes[LINK_HEADER_LEN + 24];
	struct err_text err;
	struct frame f;
	size_t n;

	(void)state;
	header(bytes, sizeof(bytes), STREAMED);
	memset(bytes + LINK_HEADER_LEN, 'x', 24);
	for (n = 0; n < sizeof(bytes); n++) {
		if (n > 0) {
			link_free(a, true);
			assert_int_equal(link_setup_raw(NULL), 0);
		}
		link_set_streamed(a, STREAMED, 24);
		if (n > 0)
			write_raw(bytes, n);
		assert_int_equal(link_receive(a, &f, &err), VGPU_EAGAIN);
		assert_false(link_pending(a));
		raw->ops->close(raw, true);
		raw = NULL;
		assert_int_equal(link_receive(a, &f, &err), VGPU_ECLOSED);
		assert_int_equal(link_receive(a, &f, &err), VGPU_ECLOSED);
	}
}

static void
a_body_cut_anywhere_ends_with_an_error(void **state)
{
	uint8_t bytes[LINK_HEADER_LEN + 64], got[64];
	struct err_text err;
	struct frame f;
	size_t n, all, one;
	enum vgpu_err e;

	(void)state;
	header(bytes, sizeof(bytes), STREAMED);
	memset(bytes + LINK_HEADER_LEN, 'x', 64);
	for (n = 16; n < 64; n++) {
		if (n > 16) {
			link_free(a, true);
			assert_int_equal(link_setup_raw(NULL), 0);
		}
		link_set_streamed(a, STREAMED, 16);
		write_raw(bytes, LINK_HEADER_LEN + n);
		assert_int_equal(link_receive(a, &f, &err), VGPU_OK);
		assert_int_equal(f.len, 16);
		assert_int_equal(f.rest, 48);
		raw->ops->close(raw, true);
		raw = NULL;
		for (all = 0; (e = link_receive_body(a, got, 48 - all, &one,
		    &err)) == VGPU_OK;)
			all += one;
		assert_int_equal(e, VGPU_ECLOSED);
		assert_int_equal(all, n - 16);
	}
}

/* --- lengths ---------------------------------------------------------------- */

static void
impossible_lengths_are_named_and_end_receiving(void **state)
{
	static const struct {
		uint32_t len;
		const char *reason;
	} cases[] = {
		{ 0, "announces 0 bytes, less than its header of 16" },
		{ 8, "announces 8 bytes, less than its header of 16" },
		{ 15, "announces 15 bytes, less than" },
		{ 17, "announces 17 bytes, not a multiple of 8" },
		{ 1028, "announces 1028 bytes, not a multiple of 8" },
		{ 1032, "announces 1032 bytes, the limit is 1024" },
		{ 0xfffffff8, "announces 4294967288 bytes, the limit is" },
		{ 0xffffffff, "announces 4294967295 bytes, not a multiple" },
	};
	uint8_t bytes[LINK_HEADER_LEN], waste[64];
	struct err_text err;
	struct frame f;
	size_t i, n;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (i > 0) {
			link_teardown(NULL);
			assert_int_equal(link_setup_raw(NULL), 0);
		}
		link_set_frame_max(a, 1024);
		header(bytes, cases[i].len, 513);
		write_raw(bytes, sizeof(bytes));
		assert_int_equal(link_receive(a, &f, &err), VGPU_EPROTO);
		assert_non_null(strstr(err.s, "type 513"));
		if (strstr(err.s, cases[i].reason) == NULL)
			fail_msg("%s", err.s);
		err.s[0] = '\0';
		assert_int_equal(link_receive(a, &f, &err), VGPU_EPROTO);
		assert_non_null(strstr(err.s, cases[i].reason));
		/* A farewell can still be sent. */
		send_frame(a, 1, 1, "bye", 3);
		assert_int_equal(link_flush(a, &err), VGPU_OK);
		assert_int_equal(raw->ops->read(raw, waste, sizeof(waste), &n,
		    NULL), VGPU_OK);
	}
}

static void
an_announced_length_costs_nothing(void **state)
{
	uint8_t bytes[LINK_HEADER_LEN];
	struct rusage before, after;
	struct rlimit limit, small;
	struct err_text err;
	struct frame f;

	(void)state;
	link_set_frame_max(a, (size_t)4 << 30);
	header(bytes, 0xfffffff8, 1);
	write_raw(bytes, sizeof(bytes));
	getrusage(RUSAGE_SELF, &before);
	assert_int_equal(getrlimit(RLIMIT_DATA, &limit), 0);
	small = limit;
#ifndef SANITIZED /* sanitizers need much more than this */
	small.rlim_cur = (rlim_t)1 << 30;
#endif
	assert_int_equal(setrlimit(RLIMIT_DATA, &small), 0);
	assert_int_equal(link_receive(a, &f, &err), VGPU_EAGAIN);
	assert_int_equal(setrlimit(RLIMIT_DATA, &limit), 0);
	getrusage(RUSAGE_SELF, &after);
	assert_true(after.ru_maxrss - before.ru_maxrss < 4096); /* KiB */
}

/* --- bodies ----------------------------------------------------------------- */

static void
a_body_goes_from_memory_to_memory(void **state)
{
	uint8_t *body = pattern_new(8, 50001), *got = malloc(50008);
	struct err_text err;
	struct frame f;
	struct link_stats s;
	size_t i, n;

	(void)state;
	assert_non_null(got);
	link_set_streamed(b, STREAMED, PREFIX);
	send_frame(a, 1, 1, "before", 6);
	assert_int_equal(link_send_body(a, STREAMED, 4, 8, "0123456789abcdef",
	    PREFIX, body, 0, CLOCK_NEVER, &err), VGPU_OK);
	for (i = 0; i < 2; i++) {
		/* Small enough for the socket, so one thread will do. */
		n = i == 0 ? 5 : 50001;
		assert_int_equal(link_send_body(a, STREAMED, 4, 8,
		    "0123456789abcdef", PREFIX, body, n, CLOCK_NEVER, &err),
		    VGPU_OK);
	}
	send_frame(a, 1, 2, "after", 5);
	assert_int_equal(link_flush(a, &err), VGPU_OK);
	assert_int_equal(receive_wait(b, &f, &err), VGPU_OK);
	assert_int_equal(f.serial, 1);
	assert_int_equal(f.rest, 0);
	assert_int_equal(receive_wait(b, &f, &err), VGPU_OK);
	assert_int_equal(f.len, PREFIX);
	assert_int_equal(f.rest, 0);
	for (i = 0; i < 2; i++) {
		n = i == 0 ? 5 : 50001;
		assert_int_equal(receive_wait(b, &f, &err), VGPU_OK);
		assert_int_equal(f.type, STREAMED);
		assert_int_equal(f.flags, 4);
		assert_int_equal(f.len, PREFIX);
		assert_memory_equal(f.body, "0123456789abcdef", PREFIX);
		assert_int_equal(f.rest, (n + 7) / 8 * 8);
		body_wait(b, got, f.rest);
		check_pattern(got, 8, n);
	}
	assert_int_equal(receive_wait(b, &f, &err), VGPU_OK);
	assert_int_equal(f.serial, 2);
	assert_memory_equal(f.body, "after", 5);
	assert_int_equal((uintptr_t)f.body % 8, 0);
	link_get_stats(a, &s);
	assert_int_equal(s.frames_sent, 5);
	free(body);
	free(got);
}

static void
what_is_not_read_of_a_body_is_skipped(void **state)
{
	static const size_t reads[] = { 0, 1, 7, 8, 1000, 99999 };
	uint8_t *body = pattern_new(1, 100000), *got = malloc(100000);
	struct err_text err;
	struct frame f;
	size_t i;

	(void)state;
	assert_non_null(got);
	link_set_streamed(b, STREAMED, PREFIX);
	for (i = 0; i < 6; i++) {
		assert_int_equal(link_send_body(a, STREAMED, 0, 1, body,
		    PREFIX, body, 100000, clock_after_ms(10000), &err),
		    VGPU_OK);
		send_frame(a, 1, 100 + i, "next", 4);
		assert_int_equal(receive_wait(b, &f, &err), VGPU_OK);
		assert_int_equal(f.rest, 100000);
		if (reads[i] > 0)
			body_wait(b, got, reads[i]);
		check_pattern(got, 1, reads[i]);
		assert_int_equal(link_flush_wait(a, clock_after_ms(10000),
		    &err), VGPU_OK);
		assert_int_equal(receive_wait(b, &f, &err), VGPU_OK);
		assert_int_equal(f.serial, 100 + i);
		assert_int_equal((uintptr_t)f.body % 8, 0);
		assert_memory_equal(f.body, "next", 4);
	}
	free(body);
	free(got);
}

static void
a_streamed_type_with_a_short_body_is_given_whole(void **state)
{
	struct err_text err;
	struct frame f;

	(void)state;
	link_set_streamed(b, STREAMED, PREFIX);
	send_frame(a, STREAMED, 1, "12345678", 8);
	send_frame(a, STREAMED, 2, NULL, 0);
	assert_int_equal(link_flush(a, &err), VGPU_OK);
	assert_int_equal(receive_wait(b, &f, &err), VGPU_OK);
	assert_int_equal(f.len, 8);
	assert_int_equal(f.rest, 0);
	assert_int_equal(receive_wait(b, &f, &err), VGPU_OK);
	assert_int_equal(f.len, 0);
	assert_int_equal(f.rest, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PAIR(frames_survive_the_smallest_reads_and_writes),
		RAW(a_stream_cut_anywhere_gives_no_frame_and_then_the_end),
		RAW(a_body_cut_anywhere_ends_with_an_error),
		RAW(impossible_lengths_are_named_and_end_receiving),
		RAW(an_announced_length_costs_nothing),
		PAIR(a_body_goes_from_memory_to_memory),
		ALL(a_body_goes_from_memory_to_memory),
		PAIR(what_is_not_read_of_a_body_is_skipped),
		ALL(what_is_not_read_of_a_body_is_skipped),
		PAIR(a_streamed_type_with_a_short_body_is_given_whole),
	};

	return cmocka_run_group_tests(tests, link_group_setup,
	    link_group_teardown);
}
