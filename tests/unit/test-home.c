/* SPDX-License-Identifier: ISC */
#include "hostd/home.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "hostd/spawn.h"

static const struct privsep_user other = { .change = true, .uid = 12345 };
static char early[] = "/tmp/vgpu-test-home-XXXXXX";
static char folder[] = "/tmp/vgpu-test-home-XXXXXX";
static struct err_text text;

static int
daemon_environment(void **state)
{
	(void)state;
	setenv("HOME", "/daemon", 1);
	setenv("XDG_CACHE_HOME", "/daemon/cache", 1);
	setenv("POCL_CACHE_DIR", "/daemon/pocl", 1);
	return 0;
}

/* Make a file in a folder that a variable names. */
static bool
can_write(const char *variable, const char *name)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", getenv(variable), name);
	if ((fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600)) >= 0)
		close(fd);
	return fd >= 0;
}

static bool
is_in_folder(const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return access(path, F_OK) == 0;
}

/* As libraries do that read the variables before the tenant is known. */
static void
another_user_s_home_is_exchanged_under_one_name(void **state)
{
	char home[64];

	(void)state;
	assert_int_equal(home_open(&other, early, &text), VGPU_OK);
	snprintf(home, sizeof(home), "%s", getenv("HOME"));
	assert_null(getenv("XDG_CACHE_HOME"));
	assert_int_equal(strncmp(getenv("POCL_CACHE_DIR"), home,
	    strlen(home)), 0);
	assert_true(can_write("POCL_CACHE_DIR", "early"));

	assert_int_equal(home_change(&other, folder, &text), VGPU_OK);
	assert_string_equal(getenv("HOME"), home);
	assert_true(can_write("HOME", "mine"));
	assert_true(can_write("POCL_CACHE_DIR", "kernel"));
	assert_true(is_in_folder("mine"));
	assert_true(is_in_folder("pocl/kernel"));
	assert_false(is_in_folder("pocl/early"));
}

/* An empty file for each time that PoCL is loaded; not what it works with. */
static void
what_pocl_left_is_removed(void **state)
{
	char path[PATH_MAX];
	FILE *f;

	(void)state;
	assert_int_equal(home_open(&other, early, &text), VGPU_OK);
	assert_int_equal(home_change(&other, folder, &text), VGPU_OK);
	assert_true(can_write("POCL_CACHE_DIR", "tempfile_aB3xyZ"));
	assert_true(can_write("POCL_CACHE_DIR", "tempfile_aB3xy.c"));
	assert_true(can_write("POCL_CACHE_DIR", "tempfile_aB3xyZ.bc"));
	snprintf(path, sizeof(path), "%s/pocl/tempfile_aB3xy0", folder);
	assert_non_null(f = fopen(path, "w"));
	fputs("content", f);
	assert_int_equal(fclose(f), 0);

	assert_int_equal(home_change(&other, folder, &text), VGPU_OK);
	assert_false(is_in_folder("pocl/tempfile_aB3xyZ"));
	assert_true(is_in_folder("pocl/tempfile_aB3xy.c"));
	assert_true(is_in_folder("pocl/tempfile_aB3xyZ.bc"));
	assert_true(is_in_folder("pocl/tempfile_aB3xy0"));
}

static void
what_vendors_start_finds_it_too(void **state)
{
	(void)state;
	assert_int_equal(home_open(&other, early, &text), VGPU_OK);
	assert_int_equal(home_change(&other, folder, &text), VGPU_OK);
	assert_int_equal(system("echo linked >\"$HOME/by-a-child\""), 0);
	assert_true(is_in_folder("by-a-child"));
}

static void
a_folder_that_is_not_there_is_an_error(void **state)
{
	(void)state;
	assert_int_equal(home_open(&other, early, &text), VGPU_OK);
	assert_int_equal(home_change(&other, "/nonexistent/vgpu", &text),
	    VGPU_ESYS);
	assert_non_null(strstr(text.s, "/nonexistent/vgpu"));
}

static void
the_same_user_keeps_its_places(void **state)
{
	const struct privsep_user same = { .change = false };

	(void)state;
	assert_int_equal(home_open(&same, early, &text), VGPU_OK);
	assert_int_equal(home_change(&same, folder, &text), VGPU_OK);
	assert_string_equal(getenv("HOME"), "/daemon");
	assert_string_equal(getenv("POCL_CACHE_DIR"), "/daemon/pocl");
	assert_string_equal(getenv("XDG_CACHE_HOME"), "/daemon/cache");
}

static int
remove_folder(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s %s", early, folder);
	return system(command);
}

#define TEST(name) cmocka_unit_test_setup(name, daemon_environment)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(another_user_s_home_is_exchanged_under_one_name),
		TEST(what_pocl_left_is_removed),
		TEST(what_vendors_start_finds_it_too),
		TEST(a_folder_that_is_not_there_is_an_error),
		TEST(the_same_user_keeps_its_places),
	};

	/* The place of the home is taken, as it is by nothing in a session. */
	while (open("/dev/null", O_RDONLY) < SPAWN_FD_HOME)
		continue;
	if (mkdtemp(early) == NULL || mkdtemp(folder) == NULL)
		return 1;
	return cmocka_run_group_tests(tests, NULL, remove_folder);
}
