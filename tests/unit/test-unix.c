/* SPDX-License-Identifier: ISC */
#include "transport/unix.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/clock.h"
#include "transport/peer.h"

#define NONE ((gid_t)-1)

static char folder[] = "/tmp/vgpu-test-unix-XXXXXX";
static char path[64];
static struct err_text err;

static int
make_folder(void **state)
{
	(void)state;
	if (mkdtemp(folder) == NULL)
		return -1;
	snprintf(path, sizeof(path), "%s/s", folder);
	return 0;
}

static int
remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

static int
connect_or_fail(void)
{
	int fd;

	assert_int_equal(unix_connect(path, clock_after_ms(1000), &fd, &err),
	    VGPU_OK);
	return fd;
}

static void
who_connects_is_accepted_and_known(void **state)
{
	char name[PEER_NAME_MAX], expected[PEER_NAME_MAX];
	int listener, ours, theirs;
	struct peer p;

	(void)state;
	assert_int_equal(unix_listen(path, 0600, NONE, &listener, &err),
	    VGPU_OK);
	assert_int_equal(unix_accept(listener, &theirs, &err), VGPU_EAGAIN);
	ours = connect_or_fail();
	assert_int_equal(unix_accept(listener, &theirs, &err), VGPU_OK);
	assert_true((fcntl(theirs, F_GETFD) & FD_CLOEXEC) != 0);
	assert_true((fcntl(theirs, F_GETFL) & O_NONBLOCK) != 0);
	peer_get(theirs, &p);
	assert_true(p.local);
	assert_int_equal(p.uid, geteuid());
	assert_int_equal(p.pid, getpid());
	assert_true(p.group_count > 0);
	assert_int_equal(p.groups[0], getegid());
	snprintf(expected, sizeof(expected), "user %u process %d",
	    (unsigned)geteuid(), (int)getpid());
	assert_string_equal(peer_name(theirs, name), expected);
	close(ours);
	close(theirs);
	close(listener);
	unlink(path);
}

/* Those of this process; the main one may be among them. */
static void
all_groups_of_a_peer_are_known(void **state)
{
	gid_t all[PEER_GROUPS_MAX];
	int fd[2], i, n = getgroups(PEER_GROUPS_MAX - 1, all);
	struct peer p;
	unsigned j;

	(void)state;
	if (n < 0)
		skip();
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	peer_get(fd[0], &p);
	for (i = 0; i < n; i++) {
		for (j = 0; j < p.group_count && p.groups[j] != all[i]; j++)
			;
		assert_true(j < p.group_count);
	}
	close(fd[0]);
	close(fd[1]);
}

static void
nothing_is_known_of_who_is_not_local(void **state)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	struct peer p;

	(void)state;
	peer_get(fd, &p);
	assert_false(p.local);
	assert_int_equal(p.uid, (uid_t)-1);
	assert_int_equal(p.group_count, 0);
	close(fd);
}

static void
the_socket_has_the_mode_it_was_given(void **state)
{
	const mode_t modes[] = { 0600, 0660, 0666 };
	struct stat st;
	mode_t before = umask(077);
	size_t i;
	int fd;

	(void)state;
	for (i = 0; i < 3; i++) {
		assert_int_equal(unix_listen(path, modes[i], getegid(), &fd,
		    &err), VGPU_OK);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mode & 0777, modes[i]);
		assert_int_equal(st.st_gid, getegid());
		close(fd);
		unlink(path);
	}
	umask(before);
}

static void
a_stale_socket_is_replaced(void **state)
{
	int old, fd;

	(void)state;
	assert_int_equal(unix_listen(path, 0600, NONE, &old, &err), VGPU_OK);
	close(old);
	assert_int_equal(unix_listen(path, 0600, NONE, &fd, &err), VGPU_OK);
	close(connect_or_fail());
	close(fd);
	unlink(path);
}

static void
a_socket_in_use_is_not_replaced(void **state)
{
	int first, second;

	(void)state;
	assert_int_equal(unix_listen(path, 0600, NONE, &first, &err),
	    VGPU_OK);
	assert_int_equal(unix_listen(path, 0600, NONE, &second, &err),
	    VGPU_ESYS);
	assert_int_equal(errno, EADDRINUSE);
	close(connect_or_fail());
	close(first);
	unlink(path);
}

static void
a_file_is_not_replaced(void **state)
{
	struct stat st;
	int fd = open(path, O_CREAT | O_WRONLY, 0600), listener;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(unix_listen(path, 0600, NONE, &listener, &err),
	    VGPU_ESYS);
	assert_int_equal(errno, EADDRINUSE);
	assert_int_equal(stat(path, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	unlink(path);
}

static void
a_path_that_is_too_long_is_named(void **state)
{
	char text[200];
	int fd;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[0] = '/';
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(unix_listen(text, 0600, NONE, &fd, &err),
	    VGPU_ECONF);
	assert_string_equal(err.s, "the socket's path is 199 bytes long, at "
	    "most 107 are possible");
	assert_int_equal(unix_connect(text, clock_after_ms(1000), &fd, &err),
	    VGPU_ECONF);
}

static void
where_nobody_listens_it_says_so_at_once(void **state)
{
	char expected[160];
	int fd;

	(void)state;
	assert_int_equal(unix_connect(path, clock_after_ms(5000), &fd, &err),
	    VGPU_ESYS);
	snprintf(expected, sizeof(expected), "cannot connect to %s: there is "
	    "no such socket; does vgpu-hostd run, and listen there?", path);
	assert_string_equal(err.s, expected);
	assert_int_equal(unix_listen(path, 0600, NONE, &fd, &err), VGPU_OK);
	close(fd);
	assert_int_equal(unix_connect(path, clock_after_ms(5000), &fd, &err),
	    VGPU_ESYS);
	assert_non_null(strstr(err.s, "nobody listens there"));
	unlink(path);
}

/* Nobody accepts, until its queue is full. */
static void
a_listener_that_takes_nobody_costs_its_time(void **state)
{
	int listener, fd[1024], i = 0;
	enum vgpu_err e = VGPU_OK;

	(void)state;
	assert_int_equal(unix_listen(path, 0600, NONE, &listener, &err),
	    VGPU_OK);
	while (i < 1024 && e == VGPU_OK)
		e = unix_connect(path, clock_after_ms(20), &fd[i++], &err);
	assert_int_equal(e, VGPU_ETIME);
	for (i--; i > 0;)
		close(fd[--i]);
	close(listener);
	unlink(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_connects_is_accepted_and_known),
		cmocka_unit_test(all_groups_of_a_peer_are_known),
		cmocka_unit_test(nothing_is_known_of_who_is_not_local),
		cmocka_unit_test(the_socket_has_the_mode_it_was_given),
		cmocka_unit_test(a_stale_socket_is_replaced),
		cmocka_unit_test(a_socket_in_use_is_not_replaced),
		cmocka_unit_test(a_file_is_not_replaced),
		cmocka_unit_test(a_path_that_is_too_long_is_named),
		cmocka_unit_test(where_nobody_listens_it_says_so_at_once),
		cmocka_unit_test(a_listener_that_takes_nobody_costs_its_time),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
