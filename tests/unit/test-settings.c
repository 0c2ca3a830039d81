/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* A made-up environment: names and values in turn. */
static const char *const *environment;

static char *
fake_env(const char *name)
{
	const char *const *p;

	for (p = environment; p != NULL && *p != NULL; p += 2)
		if (strcmp(p[0], name) == 0)
			return strdup(p[1]);
	return NULL;
}

/* The library does not free what its environment returns; keep it here. */
static char *kept[64];
static unsigned n_kept;

static char *
env(const char *name)
{
	char *value = fake_env(name);

	if (value != NULL && n_kept < sizeof(kept) / sizeof(kept[0]))
		kept[n_kept++] = value;
	return value;
}

static char root[64];
static char user_file[96], system_file[96];

static int
setup(void **state)
{
	char path[96];

	(void)state;
	snprintf(root, sizeof(root), "/tmp/vgpu-settings-XXXXXX");
	if (mkdtemp(root) == NULL)
		return -1;
	snprintf(path, sizeof(path), "%s/user", root);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/system", root);
	mkdir(path, 0700);
	snprintf(user_file, sizeof(user_file), "%s/user/client.conf", root);
	snprintf(system_file, sizeof(system_file), "%s/system/client.conf",
	    root);
	environment = NULL;
	return 0;
}

static int
teardown(void **state)
{
	char path[96];

	(void)state;
	while (n_kept > 0)
		free(kept[--n_kept]);
	unlink(user_file);
	unlink(system_file);
	rmdir(user_file);
	snprintf(path, sizeof(path), "%s/system/ca.pem", root);
	unlink(path);
	snprintf(path, sizeof(path), "%s/user", root);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/system", root);
	rmdir(path);
	return rmdir(root);
}

static void
write_file(const char *name, const char *text, size_t n)
{
	FILE *f = fopen(name, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static enum vgpu_err
load(struct settings *s, struct err_text *err)
{
	const struct settings_source src = { env, { user_file, system_file } };

	return settings_load_from(s, &src, err);
}

/* The user's file with this text is refused with these words. */
static void
check_refused(const char *text, const char *words)
{
	struct settings s;
	struct err_text err = { "" };

	write_file(user_file, text, strlen(text));
	assert_int_equal(load(&s, &err), VGPU_ECONF);
	if (strstr(err.s, words) == NULL)
		fail_msg("\"%s\" lacks \"%s\"", err.s, words);
	assert_int_equal(strncmp(err.s, user_file, strlen(user_file)), 0);
}

/* The user's file with this text sets the host so. */
static void
check_host(const char *text, const char *host)
{
	struct settings s;
	struct err_text err = { "" };

	write_file(user_file, text, strlen(text));
	if (load(&s, &err) != VGPU_OK)
		fail_msg("%s", err.s);
	assert_string_equal(s.value[SETTINGS_HOST], host);
	settings_fini(&s);
}

static void
nothing_set_is_no_host(void **state)
{
	struct settings s;

	(void)state;
	assert_int_equal(load(&s, NULL), VGPU_OK);
	assert_null(s.value[SETTINGS_HOST]);
	assert_null(s.value[SETTINGS_TRACE]);
	assert_int_equal(s.timeout_ms, 2000);
	settings_fini(&s);
}

static void
environment_beats_user_beats_system(void **state)
{
	static const char *const set[] = { "VGPU_HOST", "vgpu://env",
		"VGPU_VIEW", "", NULL };
	static const char user[] = "host vgpu://user\ndevices u\n";
	static const char all[] = "host vgpu://sys\ndevices s\nview class\n";
	struct settings s;
	char origin[128];

	(void)state;
	environment = set;
	write_file(user_file, user, strlen(user));
	write_file(system_file, all, strlen(all));
	assert_int_equal(load(&s, NULL), VGPU_OK);
	assert_string_equal(s.value[SETTINGS_HOST], "vgpu://env");
	assert_string_equal(s.origin[SETTINGS_HOST], "VGPU_HOST");
	assert_string_equal(s.value[SETTINGS_DEVICES], "u");
	assert_string_equal(s.value[SETTINGS_VIEW], "class");
	snprintf(origin, sizeof(origin), "%s:3", system_file);
	assert_string_equal(s.origin[SETTINGS_VIEW], origin);
	assert_string_equal(s.origin[SETTINGS_TIMEOUT], "default");
	settings_fini(&s);
}

static void
lines_are_read_in_every_form(void **state)
{
	(void)state;
	check_host("host vgpu://a", "vgpu://a");
	check_host("host=vgpu://a\n", "vgpu://a");
	check_host("\thost\t=  vgpu://a  \r\n", "vgpu://a");
	check_host("# c\n\n  # c\nhost vgpu://a # c\n", "vgpu://a");
	check_host("host vgpu://a#b\n", "vgpu://a#b");
	check_host("host = \"a b\" # c\n", "a b");
	check_host("host 'a \\ # b'# c", "a \\ # b");
	check_host("host \"a\\\"\\\\\\n\"\n", "a\"\\\\n");
	check_host("host = = a\n", "= a");
}

static void
a_bad_line_is_named_with_its_number(void **state)
{
	(void)state;
	check_refused("\nhots a\n", ":2: unknown keyword \"hots\", expected "
	    "host, ca, cert, key, host-user, timeout, trace, trace-file, "
	    "devices or view");
	check_refused("host\n", ":1: a keyword without a value");
	check_refused("host = # c\n", ":1: a keyword without a value");
	check_refused("host = \"\"\n", ":1: a keyword without a value");
	check_refused("= a\n", ":1: expected a keyword");
	check_refused("host'a'\n", ":1: expected \"keyword value\"");
	check_refused("host 'a\n", ":1: the quote is not closed");
	check_refused("host \"a\\\n", ":1: the quote is not closed");
	check_refused("host 'a' b\n", ":1: text after the closing quote");
	check_refused("host 'a'b\n", ":1: text after the closing quote");
	check_refused("host a\n\nhost b\n", ":3: host is already set on line "
	    "1");
}

static void
the_timeout_is_a_number_in_range(void **state)
{
	static const char *const set[] = { "VGPU_TIMEOUT", "1s", NULL };
	struct settings s;
	struct err_text err;

	(void)state;
	check_refused("timeout 0\n", ":1: timeout \"0\", expected a number "
	    "from 1 to 600000");
	check_refused("timeout -1\n", "expected a number");
	check_refused("timeout 99999999999999999999999\n", "expected a number");
	check_refused("timeout 600001\n", "expected a number");
	write_file(user_file, "timeout 600000\n", 15);
	assert_int_equal(load(&s, NULL), VGPU_OK);
	assert_int_equal(s.timeout_ms, 600000);
	settings_fini(&s);
	environment = set;
	assert_int_equal(load(&s, &err), VGPU_ECONF);
	assert_int_equal(strncmp(err.s, "VGPU_TIMEOUT: ", 14), 0);
}

static void
certificates_lie_beside_the_file_that_set_the_host(void **state)
{
	struct settings s;
	char want[128];

	(void)state;
	write_file(user_file, "view single\n", 12);
	write_file(system_file, "host a\n", 7);
	assert_int_equal(load(&s, NULL), VGPU_OK);
	snprintf(want, sizeof(want), "%s/system/ca.pem", root);
	assert_string_equal(s.value[SETTINGS_CA], want);
	snprintf(want, sizeof(want), "%s/system/key.pem", root);
	assert_string_equal(s.value[SETTINGS_KEY], want);
	settings_fini(&s);
}

static void
certificates_are_found_without_a_file(void **state)
{
	static const char *const set[] = { "VGPU_HOST", "a", "VGPU_KEY", "k",
		NULL };
	struct settings s;
	char want[128], ca[128];

	(void)state;
	environment = set;
	assert_int_equal(load(&s, NULL), VGPU_OK);
	snprintf(want, sizeof(want), "%s/user/ca.pem", root);
	assert_string_equal(s.value[SETTINGS_CA], want);
	assert_string_equal(s.value[SETTINGS_KEY], "k");
	settings_fini(&s);
	snprintf(ca, sizeof(ca), "%s/system/ca.pem", root);
	write_file(ca, "x", 1);
	assert_int_equal(load(&s, NULL), VGPU_OK);
	assert_string_equal(s.value[SETTINGS_CA], ca);
	settings_fini(&s);
	write_file(user_file, "view single\n", 12);
	assert_int_equal(load(&s, NULL), VGPU_OK);
	assert_string_equal(s.value[SETTINGS_CA], want);
	settings_fini(&s);
}

static void
paths_in_a_file_are_relative_to_it(void **state)
{
	static const char text[] = "ca my/ca.pem\ncert /c.pem\n";
	struct settings s;
	char want[128];

	(void)state;
	write_file(user_file, text, strlen(text));
	assert_int_equal(load(&s, NULL), VGPU_OK);
	snprintf(want, sizeof(want), "%s/user/my/ca.pem", root);
	assert_string_equal(s.value[SETTINGS_CA], want);
	assert_string_equal(s.value[SETTINGS_CERT], "/c.pem");
	settings_fini(&s);
}

static void
what_is_not_a_text_file_is_refused(void **state)
{
	static char big[70000];
	struct settings s;
	struct err_text err;

	(void)state;
	memset(big, '#', sizeof(big));
	write_file(user_file, big, sizeof(big));
	assert_int_equal(load(&s, &err), VGPU_ECONF);
	assert_non_null(strstr(err.s, "larger than 65536"));
	write_file(user_file, "\nho\0st a\n", 9);
	assert_int_equal(load(&s, &err), VGPU_ECONF);
	assert_non_null(strstr(err.s, ":2: a NUL byte"));
	unlink(user_file);
	assert_int_equal(mkfifo(user_file, 0600), 0);
	assert_int_equal(load(&s, &err), VGPU_ECONF);
	assert_non_null(strstr(err.s, "not a regular file"));
	unlink(user_file);
	assert_int_equal(mkdir(user_file, 0700), 0);
	assert_int_equal(load(&s, &err), VGPU_ECONF);
	assert_non_null(strstr(err.s, "not a regular file"));
}

static void
no_places_give_only_defaults(void **state)
{
	const struct settings_source src = { NULL, { NULL, NULL } };
	struct settings s;

	(void)state;
	assert_int_equal(settings_load_from(&s, &src, NULL), VGPU_OK);
	assert_null(s.value[SETTINGS_HOST]);
	assert_null(s.value[SETTINGS_CA]);
	settings_fini(&s);
}

static void
the_users_file_follows_the_environment(void **state)
{
	struct settings_source src;

	(void)state;
	setenv("HOME", "/h", 1);
	unsetenv("XDG_CONFIG_HOME");
	assert_int_equal(settings_source_init(&src), VGPU_OK);
	assert_string_equal(src.file[0], "/h/.config/vgpu/client.conf");
	assert_string_equal(src.file[1], "/etc/vgpu/client.conf");
	settings_source_fini(&src);
	setenv("XDG_CONFIG_HOME", "/x", 1);
	assert_int_equal(settings_source_init(&src), VGPU_OK);
	assert_string_equal(src.file[0], "/x/vgpu/client.conf");
	settings_source_fini(&src);
	setenv("XDG_CONFIG_HOME", "relative", 1);
	assert_int_equal(settings_source_init(&src), VGPU_OK);
	assert_string_equal(src.file[0], "/h/.config/vgpu/client.conf");
	settings_source_fini(&src);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("HOME");
	assert_int_equal(settings_source_init(&src), VGPU_OK);
	assert_null(src.file[0]);
	settings_source_fini(&src);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nothing_set_is_no_host),
		TEST(environment_beats_user_beats_system),
		TEST(lines_are_read_in_every_form),
		TEST(a_bad_line_is_named_with_its_number),
		TEST(the_timeout_is_a_number_in_range),
		TEST(certificates_lie_beside_the_file_that_set_the_host),
		TEST(certificates_are_found_without_a_file),
		TEST(paths_in_a_file_are_relative_to_it),
		TEST(what_is_not_a_text_file_is_refused),
		TEST(no_places_give_only_defaults),
		TEST(the_users_file_follows_the_environment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
