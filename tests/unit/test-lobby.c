/* SPDX-License-Identifier: ISC */
#include "hostd/lobby.h"

#include <event2/event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/clock.h"
#include "common/log.h"
#include "transport/preamble.h"
#include "transport/tcp.h"

#define MAX 4
#define LONG_S 100

static const char bytes[2 * PREAMBLE_LEN];
static struct event_base *base;
static int listener;
static unsigned calls;

static void
on_ready(void *arg)
{
	(void)arg;
	calls++;
}

/* A connection of ours; the other end goes into the room. */
static int
guest(struct lobby *l)
{
	struct url url = { .kind = URL_TLS, .host = "127.0.0.1",
		.port = tcp_port(listener) };
	struct err_text text;
	int ours, theirs;

	assert_int_equal(tcp_connect(&url, clock_after_ms(5000), &ours,
	    &text), VGPU_OK);
	assert_int_equal(tcp_accept(listener, &theirs, &text), VGPU_OK);
	lobby_put(l, theirs);
	return ours;
}

static void
say(int fd, size_t n)
{
	assert_int_equal(send(fd, bytes, n, 0), (int)n);
}

/* Let events happen until that many are ready; the loop waits for them. */
static void
run_until_ready(const struct lobby *l, unsigned n)
{
	while (lobby_ready(l) < n)
		assert_int_equal(event_base_loop(base, EVLOOP_ONCE), 0);
}

/* True when the other end of a connection of ours is closed. */
static bool
is_closed(int fd)
{
	char c;

	return recv(fd, &c, 1, MSG_DONTWAIT) == 0;
}

static void
a_connection_is_ready_when_its_preamble_is_there(void **state)
{
	struct lobby *l = lobby_new(base, MAX, LONG_S, on_ready, NULL);
	char got[PREAMBLE_LEN];
	int few, enough, fd;

	(void)state;
	few = guest(l);
	enough = guest(l);
	say(few, PREAMBLE_LEN - 1);
	say(enough, PREAMBLE_LEN);
	calls = 0;
	run_until_ready(l, 1);
	assert_int_equal(calls, 1);
	fd = lobby_take(l);
	assert_true(fd >= 0);
	/* nothing was read of it */
	assert_int_equal(recv(fd, got, sizeof(got), MSG_DONTWAIT),
	    PREAMBLE_LEN);
	assert_int_equal(lobby_take(l), -1);
	say(few, 1);
	run_until_ready(l, 1);
	assert_int_equal(calls, 2);
	close(fd);
	close(few);
	close(enough);
	lobby_free(l);
}

static void
the_one_that_was_ready_first_comes_first(void **state)
{
	struct lobby *l = lobby_new(base, MAX, LONG_S, on_ready, NULL);
	int one, two, fd;

	(void)state;
	one = guest(l);
	two = guest(l);
	say(two, PREAMBLE_LEN + 1);
	run_until_ready(l, 1);
	say(one, PREAMBLE_LEN);
	run_until_ready(l, 2);
	fd = lobby_take(l);
	assert_int_equal(lobby_ready(l), 1);
	close(fd);
	assert_true(recv(two, &(char){ 0 }, 1, 0) <= 0);
	assert_false(is_closed(one));
	close(one);
	close(two);
	lobby_free(l);
}

static void
a_full_room_loses_the_one_that_was_silent_longest(void **state)
{
	struct lobby *l = lobby_new(base, MAX, LONG_S, on_ready, NULL);
	int fd[MAX + 1], i;

	(void)state;
	fd[0] = guest(l);
	say(fd[0], PREAMBLE_LEN);
	run_until_ready(l, 1);
	for (i = 1; i <= MAX; i++)
		fd[i] = guest(l);
	assert_false(is_closed(fd[0]));
	assert_true(is_closed(fd[1]));
	assert_false(is_closed(fd[2]));
	assert_int_equal(lobby_ready(l), 1);
	for (i = 0; i <= MAX; i++)
		close(fd[i]);
	lobby_free(l);
}

static void
a_silent_one_is_dropped_in_time(void **state)
{
	struct lobby *l = lobby_new(base, MAX, 0, on_ready, NULL);
	int fd = guest(l);

	(void)state;
	assert_int_equal(event_base_loop(base, EVLOOP_ONCE), 0);
	assert_true(is_closed(fd));
	assert_int_equal(lobby_take(l), -1);
	close(fd);
	lobby_free(l);
}

static void
one_that_goes_away_is_ready_to_be_found_out(void **state)
{
	struct lobby *l = lobby_new(base, MAX, LONG_S, on_ready, NULL);
	int fd = guest(l);

	(void)state;
	close(fd);
	run_until_ready(l, 1);
	fd = lobby_take(l);
	assert_true(is_closed(fd));
	close(fd);
	lobby_free(l);
}

static int
make_listener(void **state)
{
	struct err_text text;

	(void)state;
	log_open("test", STDERR_FILENO, LOG_LEVEL_ERROR);
	base = event_base_new();
	return base != NULL && tcp_listen("127.0.0.1", 0, &listener, &text) ==
	    VGPU_OK ? 0 : -1;
}

static int
close_listener(void **state)
{
	(void)state;
	close(listener);
	event_base_free(base);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_connection_is_ready_when_its_preamble_is_there),
		cmocka_unit_test(the_one_that_was_ready_first_comes_first),
		cmocka_unit_test(
		    a_full_room_loses_the_one_that_was_silent_longest),
		cmocka_unit_test(a_silent_one_is_dropped_in_time),
		cmocka_unit_test(one_that_goes_away_is_ready_to_be_found_out),
	};

	return cmocka_run_group_tests(tests, make_listener, close_listener);
}
