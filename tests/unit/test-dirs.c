/* SPDX-License-Identifier: ISC */
#include "hostd/dirs.h"

#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const struct privsep_user same = { .change = false };
static char folder[] = "/tmp/vgpu-test-dirs-XXXXXX";
static char state_dir[64];
static struct err_text text;

static void
tenant_is(const char *name, const char *expected)
{
	char path[PATH_MAX], full[PATH_MAX];
	struct stat st;

	snprintf(full, sizeof(full), "%s/tenants/%s", state_dir, expected);
	assert_int_equal(dirs_tenant(state_dir, name, &same, path,
	    sizeof(path), &text), VGPU_OK);
	assert_string_equal(path, full);
	assert_int_equal(stat(path, &st), 0);
	assert_true(S_ISDIR(st.st_mode));
	assert_int_equal(st.st_mode & 0777, 0700);
}

static void
every_tenant_has_a_private_folder(void **state)
{
	(void)state;
	assert_int_equal(dirs_make(state_dir, &same, &text), VGPU_OK);
	assert_int_equal(dirs_make(state_dir, &same, &text), VGPU_OK);
	tenant_is("lab", "lab");
	tenant_is("lab", "lab");
	tenant_is("lab-2.example", "lab-2.example");
}

static void
no_name_leads_out_of_the_folder_of_tenants(void **state)
{
	(void)state;
	tenant_is("..", "%2E.");
	tenant_is("../../etc", "%2E.%2F..%2Fetc");
	tenant_is("/etc", "%2Fetc");
	tenant_is("a b%", "a%20b%25");
	tenant_is("\xc3\xa4", "%C3%A4");
}

static void
a_folder_that_cannot_be_made_is_named(void **state)
{
	char path[PATH_MAX];

	(void)state;
	assert_int_equal(dirs_make("/proc/nothing", &same, &text), VGPU_ESYS);
	assert_non_null(strstr(text.s, "/proc/nothing"));
	assert_int_equal(dirs_tenant("/proc/nothing", "lab", &same, path,
	    sizeof(path), &text), VGPU_ESYS);
	assert_int_equal(dirs_tenant(state_dir, "lab", &same, path, 8, &text),
	    VGPU_ESYS);
}

/* Somebody who can enter nothing of ours. */
static struct privsep_user
somebody(void)
{
	struct privsep_user u = { .change = true, .uid = 12345, .gid = 12345 };

	return u;
}

static void
a_folder_that_sessions_cannot_enter_is_named(void **state)
{
	const struct privsep_user other = somebody();
	char expected[256];

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(dirs_make(state_dir, &same, &text), VGPU_OK);
	chmod(folder, 0700);
	assert_int_equal(dirs_check(state_dir, &same, &text), VGPU_OK);
	assert_int_equal(dirs_check(state_dir, &other, &text), VGPU_ECONF);
	snprintf(expected, sizeof(expected), "state-dir: user \"?\" cannot "
	    "enter folder %s; do \"chmod a+x %s\", or set another state-dir "
	    "or session-user", folder, folder);
	assert_string_equal(text.s, expected);
	chmod(folder, 0711);
	assert_int_equal(dirs_check(state_dir, &other, &text), VGPU_OK);
}

static void
folders_can_be_entered_whatever_the_umask(void **state)
{
	const struct privsep_user other = somebody();
	char path[80];
	mode_t mask;

	(void)state;
	if (geteuid() != 0)
		skip();
	chmod(folder, 0711);
	snprintf(path, sizeof(path), "%s/new/state", folder);
	assert_int_equal(dirs_check(path, &other, &text), VGPU_OK);
	mask = umask(077);
	assert_int_equal(dirs_make(path, &other, &text), VGPU_OK);
	umask(mask);
	assert_int_equal(dirs_check(path, &other, &text), VGPU_OK);
}

static int
make_folder(void **state)
{
	(void)state;
	if (mkdtemp(folder) == NULL)
		return -1;
	snprintf(state_dir, sizeof(state_dir), "%s/a/b", folder);
	return 0;
}

static int
remove_one(const char *path, const struct stat *st, int flag, struct FTW *f)
{
	(void)st;
	(void)flag;
	(void)f;
	return remove(path);
}

static int
remove_folder(void **state)
{
	(void)state;
	return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void
the_folder_of_a_socket_is_made(void **state)
{
	char path[128], deeper[160];
	mode_t before = umask(077);
	struct stat st;

	(void)state;
	snprintf(path, sizeof(path), "%s/run", folder);
	snprintf(deeper, sizeof(deeper), "%s/deep/er", path);
	dirs_of_socket(deeper);
	assert_int_equal(stat(path, &st), -1);
	snprintf(deeper, sizeof(deeper), "%s/control", path);
	dirs_of_socket(deeper);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0755);
	chmod(path, 0700);	/* one that is there stays as it is */
	dirs_of_socket(deeper);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	dirs_of_socket("control");
	dirs_of_socket("/control");
	umask(before);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_tenant_has_a_private_folder),
		cmocka_unit_test(no_name_leads_out_of_the_folder_of_tenants),
		cmocka_unit_test(a_folder_that_cannot_be_made_is_named),
		cmocka_unit_test(a_folder_that_sessions_cannot_enter_is_named),
		cmocka_unit_test(the_folder_of_a_socket_is_made),
		cmocka_unit_test(folders_can_be_entered_whatever_the_umask),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
