/* SPDX-License-Identifier: ISC */
#include "hostd/control.h"

#include <event2/event.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

static struct event_base *base;
static struct control *control;
static struct err_text text;
static char folder[64], path[80];
static unsigned asked;
static bool mute;

static char *
echo(void *arg, const char *line)
{
	char *out;

	asked++;
	if (mute || asprintf(&out, "%s %s", (const char *)arg, line) < 0)
		return NULL;
	return out;
}

static char said[] = "said";

static int
setup(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/vgpu-test-control-XXXXXX");
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/control", folder);
	base = event_base_new();
	asked = 0;
	mute = false;
	assert_int_equal(control_open(&control, base, path, UINT_MAX, echo,
	    said, &text), VGPU_OK);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	control_close(control);
	control = NULL;
	event_base_free(base);
	unlink(path);
	rmdir(folder);
	return 0;
}

static int
dial(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
	    0);

	strcpy(a.sun_path, path);
	assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	return fd;
}

/* Let the loop run until the other end has answered and closed. */
static void
expect(int fd, const void *bytes, size_t n, const char *answer)
{
	char got[600];
	size_t have = 0;
	ssize_t part = -1;
	unsigned i;

	assert_int_equal(send(fd, bytes, n, MSG_NOSIGNAL), n);
	for (i = 0; part != 0 && i < 1000; i++) {
		event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
		part = recv(fd, got + have, sizeof(got) - 1 - have, 0);
		if (part > 0)
			have += (size_t)part;
		else if (part < 0)
			usleep(1000);
	}
	got[have] = '\0';
	assert_string_equal(got, answer);
	close(fd);
}

static void
a_line_gets_one_answer(void **state)
{
	(void)state;
	expect(dial(), "devices\n", 8, "said devices\n");
	expect(dial(), "one\ntwo\n", 8, "said one\n");
	assert_int_equal(asked, 2);
}

static void
what_is_no_line_gets_none(void **state)
{
	char much[CONTROL_LINE_MAX + 2];

	(void)state;
	memset(much, 'x', sizeof(much));
	expect(dial(), much, sizeof(much), "");
	expect(dial(), "a\0b\n", 4, "");
	much[sizeof(much) - 1] = '\n';
	expect(dial(), much, sizeof(much), "");
	assert_int_equal(asked, 0);
	mute = true;
	expect(dial(), "hush\n", 5, "");
	assert_int_equal(asked, 1);
}

static void
connections_are_bounded(void **state)
{
	int fd[CONTROL_CONNECTIONS_MAX];
	unsigned i;

	(void)state;
	for (i = 0; i < CONTROL_CONNECTIONS_MAX; i++) {
		fd[i] = dial();
		event_base_loop(base, EVLOOP_ONCE | EVLOOP_NONBLOCK);
	}
	expect(dial(), "more\n", 5, "");
	expect(fd[0], "first\n", 6, "said first\n");
	expect(dial(), "again\n", 6, "said again\n");
	for (i = 1; i < CONTROL_CONNECTIONS_MAX; i++)
		close(fd[i]);
}

static void
only_the_user_may_connect(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	control_close(control);
	assert_int_not_equal(stat(path, &st), 0);
	assert_int_equal(control_open(&control, base, path, getgid(), echo,
	    said, &text), VGPU_OK);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0660);
	assert_true(control_is(control, path, getgid()));
	assert_false(control_is(control, path, UINT_MAX));
	assert_false(control_is(control, "/elsewhere", getgid()));
}

static void
a_live_one_is_not_replaced_and_a_dead_one_is(void **state)
{
	struct control *second = NULL;
	char dead[80];

	(void)state;
	assert_int_equal(control_open(&second, base, path, UINT_MAX, echo,
	    said, &text), VGPU_ECONF);
	assert_non_null(strstr(text.s, "another daemon listens"));
	assert_null(second);
	/* what a killed daemon leaves behind */
	snprintf(dead, sizeof(dead), "%s/dead", folder);
	assert_int_equal(rename(path, dead), 0);
	control_close(control);
	assert_int_equal(rename(dead, path), 0);
	assert_int_equal(control_open(&control, base, path, UINT_MAX, echo,
	    said, &text), VGPU_OK);
	expect(dial(), "alive\n", 6, "said alive\n");
}

static void
a_place_that_cannot_be_is_refused(void **state)
{
	struct control *second = NULL;
	char much[200];

	(void)state;
	assert_int_equal(control_open(&second, base, "/nonexistent/y/x",
	    UINT_MAX, echo, said, &text), VGPU_ECONF);
	memset(much, 'x', sizeof(much));
	much[199] = '\0';
	assert_int_equal(control_open(&second, base, much, UINT_MAX, echo,
	    said, &text), VGPU_ECONF);
	assert_null(second);
}

#define CONTROL_TEST(name) \
	cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CONTROL_TEST(a_line_gets_one_answer),
		CONTROL_TEST(what_is_no_line_gets_none),
		CONTROL_TEST(connections_are_bounded),
		CONTROL_TEST(only_the_user_may_connect),
		CONTROL_TEST(a_live_one_is_not_replaced_and_a_dead_one_is),
		CONTROL_TEST(a_place_that_cannot_be_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
