/* SPDX-License-Identifier: ISC */
#define _GNU_SOURCE /* memfd's seals */
#include "icd-vgpu/arena.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define CHUNK ((size_t)2 << 20)
#define SIZE (256 * CHUNK)

static int shared = -1;	/* the host's own descriptor */

static int
make_file(size_t size, int seals)
{
	int fd = memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)size), 0);
	assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
	return fd;
}

static size_t
memory(void)
{
	struct stat st;

	assert_int_equal(fstat(shared, &st), 0);
	return (size_t)st.st_blocks * 512;
}

static void
a_file_that_may_shrink_is_refused(void **state)
{
	struct err_text text;

	(void)state;
	assert_int_equal(arena_open(make_file(SIZE, F_SEAL_GROW), &text),
	    VGPU_EPROTO);
	assert_null(arena_new(ARENA_BUFFERS, 1));
}

static void
a_file_of_another_size_is_refused(void **state)
{
	struct err_text text;

	(void)state;
	assert_int_equal(arena_open(make_file(CHUNK - 1, F_SEAL_SHRINK),
	    &text), VGPU_EPROTO);
	assert_int_equal(arena_open(make_file(0, F_SEAL_SHRINK), &text),
	    VGPU_EPROTO);
}

static void
what_is_no_file_in_memory_is_refused(void **state)
{
	struct err_text text;
	int fd = open("/dev/zero", O_RDWR | O_CLOEXEC);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(arena_open(fd, &text), VGPU_EPROTO);
	/* It was taken all the same. */
	assert_int_equal(fcntl(fd, F_GETFD), -1);
}

static void
open_arena(void **state)
{
	struct err_text text;

	(void)state;
	shared = make_file(SIZE, F_SEAL_SHRINK | F_SEAL_GROW);
	assert_int_equal(arena_open(fcntl(shared, F_DUPFD_CLOEXEC, 0), &text),
	    VGPU_OK);
}

static void
places_are_apart_and_the_hosts_too(void **state)
{
	uint8_t *p = arena_new(ARENA_BUFFERS, 1), *q;
	char seen[4];

	(void)state;
	q = arena_new(ARENA_BUFFERS, 256);
	assert_non_null(p);
	assert_non_null(q);
	assert_true((q > p ? q - p : p - q) >= 256);
	assert_int_equal(arena_offset(p) % 256, 0);
	memcpy(q, "abc", 4);
	assert_int_equal(pread(shared, seen, 4, (off_t)arena_offset(q)), 4);
	assert_string_equal(seen, "abc");
	arena_free(p);
	arena_free(q);
}

static void
a_place_that_came_back_is_used_again(void **state)
{
	uint8_t *p = arena_new(ARENA_BUFFERS, 5000);

	(void)state;
	assert_true(arena_returned(arena_offset(p)));
	assert_ptr_equal(arena_new(ARENA_BUFFERS, 8192), p);
	assert_true(arena_returned(arena_offset(p)));
}

static void
what_was_not_given_out_does_not_come_back(void **state)
{
	uint8_t *p = arena_new(ARENA_BUFFERS, 4096);
	uint8_t *large = arena_new(ARENA_BUFFERS, 2 * CHUNK);

	(void)state;
	assert_false(arena_returned(arena_offset(p) + 256));
	assert_false(arena_returned(arena_offset(large) + CHUNK));
	assert_false(arena_returned(SIZE - CHUNK));
	assert_false(arena_returned(SIZE));
	assert_false(arena_returned(UINT64_MAX));
	assert_true(arena_returned(arena_offset(p)));
	assert_false(arena_returned(arena_offset(p)));
	assert_true(arena_returned(arena_offset(large)));
}

static void
large_places_that_are_free_have_little_memory(void **state)
{
	uint8_t *p[4];
	size_t i;

	(void)state;
	for (i = 0; i < 4; i++) {
		assert_non_null(p[i] = arena_new(ARENA_BUFFERS, 8 * CHUNK));
		memset(p[i], 1, 8 * CHUNK);
	}
	assert_true(memory() >= 32 * CHUNK);
	for (i = 0; i < 4; i++)
		arena_free(p[i]);
	assert_true(memory() <= 17 * CHUNK);
	/* One with memory is taken before one without. */
	p[0] = arena_new(ARENA_BUFFERS, 8 * CHUNK);
	p[0][8 * CHUNK - 1] = 1;
	arena_free(p[0]);
	assert_true(memory() <= 18 * CHUNK);
}

static void
bodies_are_limited_and_buffers_are_not_by_them(void **state)
{
	uint8_t *p = arena_new(ARENA_BODIES, ARENA_BODIES_MAX / 2);
	uint8_t *q = arena_new(ARENA_BODIES, ARENA_BODIES_MAX / 2), *r;

	(void)state;
	assert_non_null(p);
	assert_non_null(q);
	assert_null(arena_new(ARENA_BODIES, 1));
	assert_non_null(r = arena_new(ARENA_BUFFERS, 1));
	arena_free(r);
	arena_free(p);
	assert_non_null(r = arena_new(ARENA_BODIES, 1));
	arena_free(r);
	arena_free(q);
}

static void
what_does_not_fit_has_no_place(void **state)
{
	(void)state;
	assert_null(arena_new(ARENA_BUFFERS, SIZE + 1));
	assert_null(arena_new(ARENA_BUFFERS, SIZE_MAX));
}

static void
a_child_writes_for_itself(void **state)
{
	uint8_t *p = arena_new(ARENA_BUFFERS, 1);
	int status;
	pid_t child;

	(void)state;
	p[0] = 'p';
	arena_fork(FORK_PREPARE);
	if ((child = fork()) == 0) {
		arena_fork(FORK_CHILD);
		if (p[0] != 'p' || arena_new(ARENA_BUFFERS, 1) != NULL)
			_exit(1);
		p[0] = 'c';
		_exit(p[0] == 'c' ? 0 : 2);
	}
	arena_fork(FORK_PARENT);
	assert_true(child > 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(p[0], 'p');
	arena_free(p);
}

int
main(void)
{
	/* In this order: there is one arena in a process. */
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_that_may_shrink_is_refused),
		cmocka_unit_test(a_file_of_another_size_is_refused),
		cmocka_unit_test(what_is_no_file_in_memory_is_refused),
		cmocka_unit_test(open_arena),
		cmocka_unit_test(places_are_apart_and_the_hosts_too),
		cmocka_unit_test(a_place_that_came_back_is_used_again),
		cmocka_unit_test(what_was_not_given_out_does_not_come_back),
		cmocka_unit_test(
		    large_places_that_are_free_have_little_memory),
		cmocka_unit_test(
		    bodies_are_limited_and_buffers_are_not_by_them),
		cmocka_unit_test(what_does_not_fit_has_no_place),
		cmocka_unit_test(a_child_writes_for_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
