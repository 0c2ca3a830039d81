/* SPDX-License-Identifier: ISC */
#include "hostd/build_store.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define LIMIT ((uint64_t)1 << 20)
#define OVERHEAD (8 + 2 * SHA256_LEN)	/* of a file, beside its bytes */

static char top[] = "/tmp/vgpu-store-XXXXXX";
static char folder[64];
static struct err_text text;

/* Any key will do. */
static const uint8_t *
key(uint8_t n)
{
	static uint8_t k[SHA256_LEN];

	memset(k, n, sizeof(k));
	return k;
}

static const char *
path(uint8_t n)
{
	static char out[PATH_MAX];
	char name[SHA256_TEXT];

	snprintf(out, sizeof(out), "%s/%s", folder, sha256_text(key(n), name));
	return out;
}

static void
put(uint8_t n, const char *bytes)
{
	assert_int_equal(build_store_put(folder, LIMIT, key(n), bytes,
	    strlen(bytes), &text), VGPU_OK);
}

static enum vgpu_err
look(uint8_t n)
{
	struct buf b;
	enum vgpu_err e;

	buf_init(&b);
	e = build_store_get(folder, key(n), &b);
	buf_fini(&b);
	return e;
}

static void
expect(uint8_t n, const char *bytes)
{
	struct buf b;

	buf_init(&b);
	assert_int_equal(build_store_get(folder, key(n), &b), VGPU_OK);
	assert_int_equal(buf_len(&b), strlen(bytes));
	assert_memory_equal(buf_front(&b), bytes, strlen(bytes));
	assert_int_equal((uintptr_t)buf_front(&b) % 8, 0);
	buf_fini(&b);
}

/* Used so many seconds ago. */
static void
age(uint8_t n, time_t seconds)
{
	struct timespec when[2];

	clock_gettime(CLOCK_REALTIME, &when[0]);
	when[0].tv_sec -= seconds;
	when[1] = when[0];
	assert_int_equal(utimensat(AT_FDCWD, path(n), when, 0), 0);
}

static int
open_folder(void **state)
{
	static unsigned n;

	(void)state;
	snprintf(folder, sizeof(folder), "%s/%u", top, n++);
	return 0;
}

static void
what_is_put_is_there(void **state)
{
	(void)state;
	assert_int_equal(look(1), VGPU_EAGAIN);
	put(1, "one");
	put(2, "two");
	expect(1, "one");
	expect(2, "two");
	put(1, "another one");
	expect(1, "another one");
	assert_int_equal(look(3), VGPU_EAGAIN);
	build_store_remove(folder, key(1));
	assert_int_equal(look(1), VGPU_EAGAIN);
	expect(2, "two");
}

static void
each_changed_byte_is_noticed(void **state)
{
	struct stat st;
	uint8_t byte;
	off_t at;
	int fd;

	(void)state;
	put(1, "contents");
	assert_int_equal(stat(path(1), &st), 0);
	assert_int_equal(st.st_size, OVERHEAD + 8);
	for (at = 0; at < st.st_size; at++) {
		put(1, "contents");
		fd = open(path(1), O_RDWR);
		assert_int_equal(pread(fd, &byte, 1, at), 1);
		byte ^= 1;
		assert_int_equal(pwrite(fd, &byte, 1, at), 1);
		close(fd);
		assert_int_equal(look(1), VGPU_EPROTO);
		/* and is gone */
		assert_int_equal(look(1), VGPU_EAGAIN);
	}
}

static void
each_length_but_the_right_one_is_noticed(void **state)
{
	off_t n;

	(void)state;
	for (n = 0; n < OVERHEAD + 12; n++) {
		put(1, "contents");
		assert_int_equal(truncate(path(1), n), 0);
		assert_int_equal(look(1), n == OVERHEAD + 8 ? VGPU_OK :
		    VGPU_EPROTO);
	}
}

static void
another_key_s_file_is_noticed(void **state)
{
	char from[PATH_MAX];

	(void)state;
	put(1, "one");
	snprintf(from, sizeof(from), "%s", path(1));
	assert_int_equal(rename(from, path(2)), 0);
	assert_int_equal(look(2), VGPU_EPROTO);
}

static void
links_are_not_followed(void **state)
{
	char from[PATH_MAX + 16];

	(void)state;
	put(1, "one");
	snprintf(from, sizeof(from), "%s.elsewhere", path(1));
	assert_int_equal(rename(path(1), from), 0);
	assert_int_equal(symlink(from, path(1)), 0);
	assert_int_equal(look(1), VGPU_ESYS);
}

static void
what_was_used_longest_ago_goes_first(void **state)
{
	const uint64_t limit = 3 * (OVERHEAD + 8);
	uint8_t n;

	(void)state;
	for (n = 1; n <= 3; n++) {
		put(n, "contents");
		age(n, 100 - n);
	}
	expect(1, "contents");	/* used now */
	assert_int_equal(build_store_put(folder, limit, key(4), "contents", 8,
	    &text), VGPU_OK);
	expect(1, "contents");
	assert_int_equal(look(2), VGPU_EAGAIN);
	expect(3, "contents");
	expect(4, "contents");
}

static void
what_is_larger_than_all_is_not_kept(void **state)
{
	(void)state;
	put(1, "contents");
	assert_int_equal(build_store_put(folder, OVERHEAD + 7, key(2),
	    "contents", 8, &text), VGPU_EQUOTA);
	assert_int_equal(look(2), VGPU_EAGAIN);
	expect(1, "contents");
}

static void
files_left_half_written_count_and_go(void **state)
{
	char left[PATH_MAX + 16];
	int fd;

	(void)state;
	put(1, "contents");
	snprintf(left, sizeof(left), "%s.abcdef", path(1));
	fd = open(left, O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_int_equal(write(fd, "contents", 8), 8);
	futimens(fd, (const struct timespec[2]){ { 1, 0 }, { 1, 0 } });
	close(fd);
	assert_int_equal(build_store_put(folder, 2 * (OVERHEAD + 8), key(2),
	    "contents", 8, &text), VGPU_OK);
	assert_int_not_equal(access(left, F_OK), 0);
	expect(1, "contents");
	expect(2, "contents");
}

static int
close_top(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", top);
	return system(command);
}

#define TEST(name) cmocka_unit_test_setup(name, open_folder)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_put_is_there),
		TEST(each_changed_byte_is_noticed),
		TEST(each_length_but_the_right_one_is_noticed),
		TEST(another_key_s_file_is_noticed),
		TEST(links_are_not_followed),
		TEST(what_was_used_longest_ago_goes_first),
		TEST(what_is_larger_than_all_is_not_kept),
		TEST(files_left_half_written_count_and_go),
	};

	if (mkdtemp(top) == NULL)
		return 1;
	return cmocka_run_group_tests(tests, NULL, close_top);
}
