/* SPDX-License-Identifier: ISC */
#include "common/manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const uint8_t hash[SHA256_LEN] = { 7 };

static void
add(struct buf *b, bool is_folder, const char *path)
{
	const struct manifest_entry e = { is_folder, path, strlen(path), 5,
		hash };

	manifest_write(b, &e);
}

/* Read all of n bytes from memory of exactly that size; how it ended. */
static enum vgpu_err
read_all(const uint8_t *p, size_t n, size_t *entries)
{
	uint8_t *copy = malloc(n > 0 ? n : 1);
	struct manifest_reader r;
	struct manifest_entry e;
	struct err_text err;
	enum vgpu_err status;

	assert_non_null(copy);
	if (n > 0)
		memcpy(copy, p, n);
	manifest_reader_init(&r, copy, n);
	for (*entries = 0; (status = manifest_next(&r, &e, &err)) == VGPU_OK;)
		++*entries;
	free(copy);
	return status;
}

static void
what_was_written_is_read(void **state)
{
	struct buf b;
	struct manifest_reader r;
	struct manifest_entry e;

	(void)state;
	buf_init(&b);
	add(&b, true, "/a");
	add(&b, false, "/a/b.h");
	manifest_reader_init(&r, buf_front(&b), buf_len(&b));
	assert_int_equal(manifest_next(&r, &e, NULL), VGPU_OK);
	assert_true(e.is_folder);
	assert_int_equal(e.path_len, 2);
	assert_int_equal(manifest_next(&r, &e, NULL), VGPU_OK);
	assert_false(e.is_folder);
	assert_memory_equal(e.path, "/a/b.h", 6);
	assert_int_equal(e.size, 5);
	assert_memory_equal(e.hash, hash, SHA256_LEN);
	assert_int_equal(manifest_next(&r, &e, NULL), VGPU_EAGAIN);
	buf_fini(&b);
}

static void
every_truncation_inside_an_entry_is_refused(void **state)
{
	struct buf b;
	size_t n, first, entries;

	(void)state;
	buf_init(&b);
	add(&b, true, "/a");
	first = buf_len(&b);
	add(&b, false, "/a/b.h");
	for (n = 0; n < buf_len(&b); n++)
		assert_int_equal(read_all(buf_front(&b), n, &entries),
		    n == 0 || n == first ? VGPU_EAGAIN : VGPU_EPROTO);
	buf_fini(&b);
}

static void
paths_that_leave_the_root_are_refused(void **state)
{
	static const char *const bad[] = { "", "a", "/a/", "//", "/..", "/a/..",
		"/../a", "/a/../b", "/.", "/./a", "/a//b", "../a" };
	static const char *const good[] = { "/", "/a", "/..a", "/a..", "/...",
		"/a/.b", "/a b/\n" };
	struct buf b;
	size_t i, entries;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		buf_init(&b);
		add(&b, false, bad[i]);
		assert_int_equal(read_all(buf_front(&b), buf_len(&b), &entries),
		    VGPU_EPROTO);
		buf_fini(&b);
	}
	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_true(manifest_path_ok(good[i], strlen(good[i])));
	assert_false(manifest_path_ok("/a\0b", 4));
}

static void
entries_out_of_order_are_refused(void **state)
{
	static const struct {
		bool folder;
		const char *path;
	} pair[][2] = {
		{ { false, "/a" }, { true, "/b" } },
		{ { false, "/b" }, { false, "/a" } },
		{ { false, "/a" }, { false, "/a" } },
		{ { true, "/a/b" }, { true, "/a" } },
	};
	struct buf b;
	size_t i, entries;

	(void)state;
	for (i = 0; i < sizeof(pair) / sizeof(pair[0]); i++) {
		buf_init(&b);
		add(&b, pair[i][0].folder, pair[i][0].path);
		add(&b, pair[i][1].folder, pair[i][1].path);
		assert_int_equal(read_all(buf_front(&b), buf_len(&b), &entries),
		    VGPU_EPROTO);
		assert_int_equal(entries, 1);
		buf_fini(&b);
	}
}

static void
absurd_lengths_are_refused(void **state)
{
	static const uint8_t bytes[] = { 'd', 0xff, 0xff, 0xff, 0xff, '/',
		'a' };
	size_t entries;

	(void)state;
	assert_int_equal(read_all(bytes, sizeof(bytes), &entries), VGPU_EPROTO);
	assert_int_equal(read_all((const uint8_t *)"x", 1, &entries),
	    VGPU_EPROTO);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read),
		cmocka_unit_test(every_truncation_inside_an_entry_is_refused),
		cmocka_unit_test(paths_that_leave_the_root_are_refused),
		cmocka_unit_test(entries_out_of_order_are_refused),
		cmocka_unit_test(absurd_lengths_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
