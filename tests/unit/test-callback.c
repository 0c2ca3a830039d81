/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/callback.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/clock.h"

static atomic_int ran;

static void
count(void *arg)
{
	(void)arg;
	usleep(2000);
	ran++;
}

static void
callbacks_end_before_who_settles_goes_on(void **state)
{
	int i;

	(void)state;
	ran = 0;
	callback_settle(CLOCK_NEVER);
	for (i = 1; i <= 20; i++) {
		callback_queue(count, NULL);
		callback_queue(count, NULL);
		callback_settle(CLOCK_NEVER);
		assert_int_equal(ran, 2 * i);
	}
}

static void
settle(void *arg)
{
	callback_settle(CLOCK_NEVER);
	count(arg);
}

static void
a_callback_does_not_wait_for_itself(void **state)
{
	(void)state;
	ran = 0;
	callback_queue(settle, NULL);
	callback_settle(CLOCK_NEVER);
	assert_int_equal(ran, 1);
}

/* It goes on when its pipe is closed. */
static void
wait_for(void *arg)
{
	char byte;

	while (read(*(int *)arg, &byte, 1) > 0)
		;
	ran++;
}

/* The last one, as nobody waits from then on. */
static void
one_that_takes_long_is_not_waited_for(void **state)
{
	int fds[2];

	(void)state;
	ran = 0;
	assert_int_equal(pipe(fds), 0);
	callback_queue(wait_for, &fds[0]);
	callback_settle(1);
	assert_int_equal(ran, 0);
	callback_settle(CLOCK_NEVER);
	assert_int_equal(ran, 0);
	close(fds[1]);
	while (ran == 0)
		usleep(1000);
	close(fds[0]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(callbacks_end_before_who_settles_goes_on),
		cmocka_unit_test(a_callback_does_not_wait_for_itself),
		cmocka_unit_test(one_that_takes_long_is_not_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
