/* SPDX-License-Identifier: ISC */
#include "transport/link.h"

#include <poll.h>
#include <pthread.h>
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

/* --- many threads ----------------------------------------------------------- */

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PAIR(a_body_that_is_not_taken_in_time_ends_the_link),
		ALL(a_body_that_is_not_taken_in_time_ends_the_link),
		PAIR(flush_wait_ends_at_its_deadline_and_loses_nothing),
		ALL(flush_wait_ends_at_its_deadline_and_loses_nothing),
		PAIR(
		    frames_of_many_threads_arrive_whole_and_in_each_threads_order),
		ALL(
		    frames_of_many_threads_arrive_whole_and_in_each_threads_order),
		PAIR(both_directions_run_at_the_same_time),
		ALL(both_directions_run_at_the_same_time),
		PAIR(who_waits_wakes_up_when_the_link_fails),
		ALL(who_waits_wakes_up_when_the_link_fails),
	};

	return cmocka_run_group_tests(tests, link_group_setup,
	    link_group_teardown);
}
