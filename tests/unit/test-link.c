/* SPDX-License-Identifier: ISC */
#include "transport/link.h"

#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/clock.h"
#include "tests/unit/fixture-tls.h"
#include "transport/pair.h"

#define FRAME_MAX ((size_t)64 << 20)
#define STREAMED 9 /* a type whose bodies are streamed */
#define PREFIX 16

/* Two links, and the raw transport under the second while it has no link. */
static struct link *a, *b;
static struct transport *raw;
static struct pki pki;

static int
group_setup(void **state)
{
	(void)state;
	pki_init(&pki);
	return 0;
}

static int
group_teardown(void **state)
{
	(void)state;
	pki_fini(&pki);
	return 0;
}

static int
setup_raw(void **state)
{
	struct transport *t;

	(void)state;
	b = NULL;
	if (pair_new(&raw, &t, "lab", NULL) != VGPU_OK)
		return -1;
	a = link_new(t, FRAME_MAX);
	return a != NULL ? 0 : -1;
}

static int
setup_pair(void **state)
{
	if (setup_raw(state) != 0)
		return -1;
	b = link_new(raw, FRAME_MAX);
	raw = NULL;
	return b != NULL ? 0 : -1;
}

static int
setup_tls(void **state)
{
	struct transport *c, *h;

	(void)state;
	raw = NULL;
	connection_new(&pki, &c, &h);
	a = link_new(c, FRAME_MAX);
	b = link_new(h, FRAME_MAX);
	return a != NULL && b != NULL ? 0 : -1;
}

static int
teardown(void **state)
{
	(void)state;
	link_free(a, true);
	link_free(b, true);
	if (raw != NULL)
		raw->ops->close(raw, true);
	raw = NULL;
	a = b = NULL;
	return 0;
}

/* --- helpers -------------------------------------------------------------- */

static void
send_frame(struct link *l, uint16_t type, uint64_t serial, const void *body,
    size_t n)
{
	struct buf *to = link_begin(l, type, (uint16_t)(type + 1), serial);

	buf_append(to, body, n);
	assert_int_equal(link_end(l), VGPU_OK);
}

static void
wait_readable(struct link *l)
{
	struct pollfd p = { .fd = link_fd(l), .events = POLLIN };

	if (!link_pending(l) && poll(&p, 1, 10000) == 0)
		fail_msg("nothing arrives");
}

static enum vgpu_err
receive_wait(struct link *l, struct frame *f, struct err_text *err)
{
	enum vgpu_err e;

	while ((e = link_receive(l, f, err)) == VGPU_EAGAIN)
		wait_readable(l);
	return e;
}

/* Read n bytes of a streamed body. */
static void
body_wait(struct link *l, uint8_t *dst, size_t n)
{
	struct err_text err;
	enum vgpu_err e;
	size_t got;

	while (n > 0) {
		e = link_receive_body(l, dst, n, &got, &err);
		if (e == VGPU_EAGAIN) {
			wait_readable(l);
			continue;
		}
		assert_int_equal(e, VGPU_OK);
		dst += got;
		n -= got;
	}
}

static uint8_t
pattern(uint64_t serial, size_t i)
{
	return (uint8_t)(serial * 31 + i * 7 + i / 251);
}

static uint8_t *
pattern_new(uint64_t serial, size_t n)
{
	uint8_t *p = malloc(n + 1);
	size_t i;

	assert_non_null(p);
	for (i = 0; i < n; i++)
		p[i] = pattern(serial, i);
	return p;
}

static void
check_pattern(const uint8_t *p, uint64_t serial, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (p[i] != pattern(serial, i))
			fail_msg("byte %zu of frame %d differs", i,
			    (int)serial);
}

static void
write_raw(const void *p, size_t n)
{
	size_t put;

	assert_int_equal(raw->ops->write(raw, p, n, &put, NULL), VGPU_OK);
	assert_int_equal(put, n);
}

/* A header as it is on the wire. */
static void
header(uint8_t out[LINK_HEADER_LEN], uint32_t len, uint16_t type)
{
	memset(out, 0, LINK_HEADER_LEN);
	out[0] = (uint8_t)len;
	out[1] = (uint8_t)(len >> 8);
	out[2] = (uint8_t)(len >> 16);
	out[3] = (uint8_t)(len >> 24);
	out[4] = (uint8_t)type;
	out[5] = (uint8_t)(type >> 8);
}

/* --- frames --------------------------------------------------------------- */

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

/* --- one byte at a time, and cut anywhere --------------------------------- */

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
			assert_int_equal(setup_raw(NULL), 0);
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
			assert_int_equal(setup_raw(NULL), 0);
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

/* --- lengths -------------------------------------------------------------- */

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
			teardown(NULL);
			assert_int_equal(setup_raw(NULL), 0);
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
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	small.rlim_cur = (rlim_t)1 << 30;
#endif
	assert_int_equal(setrlimit(RLIMIT_DATA, &small), 0);
	assert_int_equal(link_receive(a, &f, &err), VGPU_EAGAIN);
	assert_int_equal(setrlimit(RLIMIT_DATA, &limit), 0);
	getrusage(RUSAGE_SELF, &after);
	assert_true(after.ru_maxrss - before.ru_maxrss < 4096); /* KiB */
}

/* --- bodies --------------------------------------------------------------- */

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

static void
a_body_that_is_not_taken_in_time_ends_the_link(void **state)
{
	uint8_t *body = pattern_new(1, (size_t)32 << 20);
	struct pollfd p = { .events = POLLIN };
	struct err_text err;
	struct frame f;

	(void)state;
	assert_int_equal(link_send_body(a, 1, 0, 1, body, 8, body,
	    (size_t)32 << 20, clock_after_ms(30), &err), VGPU_ETIME);
	free(body); /* nobody looks at it any more */
	assert_int_equal(link_flush(a, &err), VGPU_ETIME);
	assert_int_equal(link_receive(a, &f, &err), VGPU_ETIME);
	assert_int_equal(link_error(a, &err), VGPU_ETIME);
	(void)link_begin(a, 1, 0, 1);
	assert_int_equal(link_end(a), VGPU_ETIME);
	p.fd = link_fd(a);
	assert_int_equal(poll(&p, 1, 0), 1); /* who polls wakes up */
}

/* --- waiting and ending --------------------------------------------------- */

static void
flush_wait_ends_at_its_deadline_and_loses_nothing(void **state)
{
	size_t n = (size_t)16 << 20, got = 0;
	uint8_t *body = pattern_new(6, n);
	struct err_text err;
	struct frame f;

	(void)state;
	send_frame(a, 1, 6, body, n);
	free(body);
	assert_int_equal(link_flush_wait(a, clock_after_ms(30), &err),
	    VGPU_ETIME);
	assert_non_null(strstr(err.s, "in time"));
	assert_true(link_unsent(a) > 0);
	assert_true(link_want_write(a));
	assert_int_equal(link_error(a, &err), VGPU_OK);
	while (link_receive(b, &f, &err) == VGPU_EAGAIN && got++ < 100000)
		(void)link_flush(a, &err);
	assert_int_equal(f.len, n);
	check_pattern(f.body, 6, n);
	assert_int_equal(link_flush(a, &err), VGPU_OK);
	assert_int_equal(link_unsent(a), 0);
	assert_false(link_want_write(a));
}

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

/* --- many threads --------------------------------------------------------- */

#define THREADS 6
#define EACH 2000
#define BULK_EVERY 100

struct sender {
	pthread_t thread;
	uint64_t number;
	int failures;
};

/*
 * Sends frames whose serial is the thread's number and a count; each flushes,
 * and some are bodies.
 */
static void *
sender_run(void *arg)
{
	struct sender *s = arg;
	uint8_t *bulk = malloc(300000);
	struct err_text err;
	uint64_t i, serial;
	size_t k;

	if (bulk == NULL) {
		s->failures++;
		return NULL;
	}
	for (i = 0; i < EACH; i++) {
		serial = s->number << 32 | i;
		if (i % BULK_EVERY == 0) {
			for (k = 0; k < 300000; k++)
				bulk[k] = pattern(serial, k);
			s->failures += link_send_body(a, STREAMED, 0, serial,
			    bulk, PREFIX, bulk, 300000 - i % 8, CLOCK_NEVER,
			    &err) != VGPU_OK;
			continue;
		}
		for (k = 0; k < 100; k++)
			bulk[k] = pattern(serial, k);
		buf_append(link_begin(a, 1, 0, serial), bulk, 100);
		s->failures += link_end(a) != VGPU_OK;
		if (i % 7 == 0)
			s->failures += link_flush_wait(a, CLOCK_NEVER,
			    &err) != VGPU_OK;
	}
	s->failures += link_flush_wait(a, CLOCK_NEVER, &err) != VGPU_OK;
	free(bulk);
	return NULL;
}

static void
frames_of_many_threads_arrive_whole_and_in_each_threads_order(void **state)
{
	struct sender senders[THREADS] = { 0 };
	uint64_t next[THREADS] = { 0 }, from, i;
	uint8_t *body = malloc(300008);
	struct err_text err;
	struct frame f;
	int n;

	(void)state;
	assert_non_null(body);
	link_set_streamed(b, STREAMED, PREFIX);
	for (n = 0; n < THREADS; n++) {
		senders[n].number = (uint64_t)n;
		assert_int_equal(pthread_create(&senders[n].thread, NULL,
		    sender_run, &senders[n]), 0);
	}
	for (n = 0; n < THREADS * EACH; n++) {
		assert_int_equal(receive_wait(b, &f, &err), VGPU_OK);
		from = f.serial >> 32;
		i = f.serial & 0xffffffff;
		assert_in_range(from, 0, THREADS - 1);
		assert_true(next[from]++ == i);
		if (f.type == STREAMED) {
			check_pattern(f.body, f.serial, PREFIX);
			assert_int_equal(f.rest, 300000 - i % 8 / 8 * 8);
			body_wait(b, body, f.rest);
			check_pattern(body, f.serial, 300000 - i % 8);
		} else {
			assert_int_equal(f.len, 104);
			check_pattern(f.body, f.serial, 100);
		}
	}
	for (n = 0; n < THREADS; n++) {
		assert_int_equal(pthread_join(senders[n].thread, NULL), 0);
		assert_int_equal(senders[n].failures, 0);
	}
	assert_int_equal(link_receive(b, &f, &err), VGPU_EAGAIN);
	assert_int_equal(link_unsent(a), 0);
	free(body);
}

/* The other direction of the same connection, at the same time. */
static void *
echo_run(void *arg)
{
	int *left = arg;
	struct err_text err;
	struct frame f;

	while (*left > 0 && receive_wait(b, &f, &err) == VGPU_OK) {
		buf_append(link_begin(b, f.type, 0, f.serial), f.body, f.len);
		if (link_end(b) != VGPU_OK ||
		    link_flush_wait(b, CLOCK_NEVER, &err) != VGPU_OK)
			break;
		(*left)--;
	}
	return NULL;
}

static void
both_directions_run_at_the_same_time(void **state)
{
	uint8_t *body = pattern_new(0, 5000);
	struct err_text err;
	struct frame f;
	pthread_t thread;
	uint64_t sent = 0, got = 0;
	int left = 3000;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, echo_run, &left), 0);
	while (got < 3000) {
		if (sent < 3000 && sent < got + 100)
			send_frame(a, 1, sent++, body, 5000);
		(void)link_flush(a, &err);
		if (link_receive(a, &f, &err) != VGPU_OK)
			continue;
		assert_true(f.serial == got++);
		assert_int_equal(f.len, 5000);
		check_pattern(f.body, 0, 5000);
	}
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(left, 0);
	free(body);
}

static void *
fail_run(void *arg)
{
	(void)arg;
	link_fail(a, VGPU_ETIME, "enough");
	return NULL;
}

static void
who_waits_wakes_up_when_the_link_fails(void **state)
{
	uint8_t *body = pattern_new(0, (size_t)16 << 20);
	struct err_text err;
	struct frame f;
	pthread_t thread;

	(void)state;
	send_frame(a, 1, 1, body, (size_t)16 << 20);
	free(body);
	assert_int_equal(pthread_create(&thread, NULL, fail_run, NULL), 0);
	assert_int_equal(link_flush_wait(a, CLOCK_NEVER, &err), VGPU_ETIME);
	assert_int_equal(receive_wait(a, &f, &err), VGPU_ETIME);
	assert_string_equal(err.s, "enough");
	assert_int_equal(pthread_join(thread, NULL), 0);
}

#define RAW(name) cmocka_unit_test_setup_teardown(name, setup_raw, teardown)
#define PAIR(name) cmocka_unit_test_setup_teardown(name, setup_pair, teardown)
#define TLS(name)                                                             \
	{ #name "_over_tls", name, setup_tls, teardown, NULL }

int
main(void)
{
	const struct CMUnitTest tests[] = {
		RAW(the_bytes_are_these),
		PAIR(frames_arrive_whole_in_order_and_aligned),
		TLS(frames_arrive_whole_in_order_and_aligned),
		PAIR(a_huge_frame_arrives),
		TLS(a_huge_frame_arrives),
		PAIR(a_frame_above_the_limit_is_dropped_and_the_next_goes),
		PAIR(a_frame_without_memory_is_dropped_and_the_next_goes),
		PAIR(a_cancelled_frame_leaves_no_trace),
		PAIR(one_write_takes_many_frames),
		TLS(one_write_takes_many_frames),
		PAIR(what_is_received_is_counted),
		TLS(what_is_received_is_counted),
		PAIR(pending_frames_are_told_although_the_descriptor_is_quiet),
		TLS(pending_frames_are_told_although_the_descriptor_is_quiet),
		PAIR(frames_survive_the_smallest_reads_and_writes),
		RAW(a_stream_cut_anywhere_gives_no_frame_and_then_the_end),
		RAW(a_body_cut_anywhere_ends_with_an_error),
		RAW(impossible_lengths_are_named_and_end_receiving),
		RAW(an_announced_length_costs_nothing),
		PAIR(a_body_goes_from_memory_to_memory),
		TLS(a_body_goes_from_memory_to_memory),
		PAIR(what_is_not_read_of_a_body_is_skipped),
		TLS(what_is_not_read_of_a_body_is_skipped),
		PAIR(a_streamed_type_with_a_short_body_is_given_whole),
		PAIR(a_body_that_is_not_taken_in_time_ends_the_link),
		TLS(a_body_that_is_not_taken_in_time_ends_the_link),
		PAIR(flush_wait_ends_at_its_deadline_and_loses_nothing),
		TLS(flush_wait_ends_at_its_deadline_and_loses_nothing),
		PAIR(a_peers_last_frames_are_received_after_sending_failed),
		TLS(a_peers_last_frames_are_received_after_sending_failed),
		PAIR(the_first_reason_stays),
		PAIR(an_orderly_end_sends_what_is_queued),
		TLS(an_orderly_end_sends_what_is_queued),
		PAIR(
		    frames_of_many_threads_arrive_whole_and_in_each_threads_order),
		TLS(frames_of_many_threads_arrive_whole_and_in_each_threads_order),
		PAIR(both_directions_run_at_the_same_time),
		TLS(both_directions_run_at_the_same_time),
		PAIR(who_waits_wakes_up_when_the_link_fails),
		TLS(who_waits_wakes_up_when_the_link_fails),
	};

	return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
