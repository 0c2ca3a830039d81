/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void
check_canonical(const char *path, const char *want)
{
	char *got = tree_canonical(path, strlen(path));

	assert_non_null(got);
	assert_string_equal(got, want);
	free(got);
}

static void
canonical_paths_have_no_dots(void **state)
{
	(void)state;
	check_canonical("/", "/");
	check_canonical("", "/");
	check_canonical("/a/b", "/a/b");
	check_canonical("//a///b/", "/a/b");
	check_canonical("/./a/./b/.", "/a/b");
	check_canonical("/a/../b", "/b");
	check_canonical("/a/b/..", "/a");
	check_canonical("/a/..", "/");
	check_canonical("/../../a", "/a");
	check_canonical("/a/..b/...", "/a/..b/...");
}

static void
a_prefix_can_be_made_canonical(void **state)
{
	char *got = tree_canonical("/a/b/../c", 4);

	(void)state;
	assert_string_equal(got, "/a/b");
	free(got);
}

static void
joins_keep_absolute_names(void **state)
{
	char *a = tree_join("/f", "n/x"), *b = tree_join("/f", "/n");

	(void)state;
	assert_string_equal(a, "/f/n/x");
	assert_string_equal(b, "/n");
	free(a);
	free(b);
}

static void
dots_that_lead_nowhere_do_not_resolve(void **state)
{
	char *path = NULL;
	bool as_text = false;

	(void)state;
	assert_int_equal(tree_resolve("/no-such-folder/../tmp", &path,
	    &as_text), VGPU_EHANDLE);
	assert_int_equal(tree_resolve("/tmp/../tmp/.", &path, &as_text),
	    VGPU_OK);
	assert_string_equal(path, "/tmp");
	assert_true(as_text);
	free(path);
	assert_int_equal(tree_resolve("/no-such-folder/x..", &path, &as_text),
	    VGPU_OK);
	assert_string_equal(path, "/no-such-folder/x..");
	free(path);
}

static void
a_file_is_read_once(void **state)
{
	char name[] = "/tmp/vgpu-tree-XXXXXX";
	int fd = mkstemp(name);
	struct tree t;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "one", 3), 3);
	tree_init(&t, 1, 3);
	assert_int_equal(tree_find(&t, name, NULL), VGPU_OK);
	assert_int_equal(write(fd, "two", 3), 3);
	assert_int_equal(tree_find(&t, name, NULL), VGPU_OK);
	assert_int_equal(t.n, 1);
	assert_int_equal(t.bytes, 3);
	assert_memory_equal(t.file[0]->data, "one", 3);
	tree_fini(&t);
	tree_init(&t, 1, 5);
	assert_int_equal(tree_find(&t, name, NULL), VGPU_EQUOTA);
	assert_int_equal(t.n, 0);
	tree_fini(&t);
	close(fd);
	unlink(name);
}

/* Files that say they are empty have contents too. */
static void
the_size_that_a_file_claims_is_not_trusted(void **state)
{
	struct tree t;

	(void)state;
	if (access("/proc/self/status", R_OK) != 0)
		skip();
	tree_init(&t, 1, 1 << 20);
	assert_int_equal(tree_find(&t, "/proc/self/status", NULL), VGPU_OK);
	assert_true(t.file[0]->len > 0);
	tree_fini(&t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(canonical_paths_have_no_dots),
		cmocka_unit_test(a_prefix_can_be_made_canonical),
		cmocka_unit_test(joins_keep_absolute_names),
		cmocka_unit_test(dots_that_lead_nowhere_do_not_resolve),
		cmocka_unit_test(a_file_is_read_once),
		cmocka_unit_test(the_size_that_a_file_claims_is_not_trusted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
