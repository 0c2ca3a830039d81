/* SPDX-License-Identifier: ISC */
#include "hostd/spawn.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* What this program does when it is spawned: wait, or tell what it has. */
#define ROLE_WAIT "wait"
#define ROLE_TELL "tell"
#define TRIES 200

static struct err_text text;
static int nothing;

static pid_t
start(const char *role, int *log)
{
	pid_t pid = spawn(role, nothing, nothing, log, &text);

	assert_true(pid > 0);
	return pid;
}

/* How it ended, within a time that only a process that waits exceeds. */
static int
end_of(pid_t pid)
{
	int status, i;

	for (i = 0; i < 5000; i++) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return status;
		poll(NULL, 0, 1);
	}
	spawn_kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return status;
}

static volatile sig_atomic_t caught;

static void
catch(int sig)
{
	caught = sig;
}

/* At whatever point between fork and exec the signal finds it. */
static void
a_process_can_be_ended_from_its_first_moment(void **state)
{
	int i, log, status;
	pid_t pid;

	(void)state;
	signal(SIGTERM, catch);
	for (i = 0; i < TRIES; i++) {
		pid = start(ROLE_WAIT, &log);
		poll(NULL, 0, i % 4);
		spawn_kill(pid, SIGTERM);
		status = end_of(pid);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGTERM);
		close(log);
	}
	assert_int_equal(caught, 0);
	signal(SIGTERM, SIG_DFL);
}

static void
the_parents_signals_are_as_before(void **state)
{
	sigset_t mask;
	int log;

	(void)state;
	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	sigprocmask(SIG_SETMASK, &mask, NULL);
	end_of(start(ROLE_TELL, &log));
	close(log);
	sigprocmask(SIG_SETMASK, NULL, &mask);
	assert_int_equal(sigismember(&mask, SIGUSR1), 1);
	assert_int_equal(sigismember(&mask, SIGTERM), 0);
	sigemptyset(&mask);
	sigprocmask(SIG_SETMASK, &mask, NULL);
}

static void
what_it_says_can_be_read(void **state)
{
	char said[64] = "";
	int log, status;
	pid_t pid;

	(void)state;
	pid = start(ROLE_TELL, &log);
	status = end_of(pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_true(read(log, said, sizeof(said) - 1) > 0);
	assert_string_equal(said, "both there, no signal blocked\n");
	close(log);
}

static int
tell(void)
{
	sigset_t mask;

	sigprocmask(SIG_SETMASK, NULL, &mask);
	if (fcntl(SPAWN_FD, F_GETFD) != 0 ||
	    fcntl(SPAWN_FD_SETUP, F_GETFD) != 0 || sigismember(&mask, SIGUSR1))
		return 1;
	fprintf(stderr, "both there, no signal blocked\n");
	return 0;
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_can_be_ended_from_its_first_moment),
		cmocka_unit_test(the_parents_signals_are_as_before),
		cmocka_unit_test(what_it_says_can_be_read),
	};

	if (argc > 1 && strcmp(argv[1], ROLE_WAIT) == 0)
		return pause();
	if (argc > 1 && strcmp(argv[1], ROLE_TELL) == 0)
		return tell();
	nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
