/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
check_rest(const char *text, const char *rest)
{
	struct options o;
	struct err_text err;

	assert_int_equal(options_parse(&o, text, &err), VGPU_OK);
	assert_string_equal(o.rest, rest);
	options_fini(&o);
}

static void
check_folder(const char *text, const char *folder)
{
	struct options o;
	struct err_text err;

	assert_int_equal(options_parse(&o, text, &err), VGPU_OK);
	assert_int_equal(o.n_folder, 1);
	assert_string_equal(o.folder[0], folder);
	options_fini(&o);
}

/* Check the last reading of a text's only definition. */
static void
check_macro(const char *text, const char *name, const char *value)
{
	struct options o;
	struct err_text err;
	const struct option_macro *m;

	assert_int_equal(options_parse(&o, text, &err), VGPU_OK);
	assert_true(o.n_macro > 0);
	m = &o.macro[o.n_macro - 1];
	assert_string_equal(m->name, name);
	if (value != NULL)
		assert_string_equal(m->value, value);
	else
		assert_null(m->value);
	assert_string_equal(o.rest, text);
	options_fini(&o);
}

static void
no_options_are_empty_options(void **state)
{
	(void)state;
	check_rest(NULL, "");
	check_rest("", "");
	check_rest("  ", "  ");
}

static void
options_without_folders_stay_byte_for_byte(void **state)
{
	static const char *const texts[] = {
		"-cl-std=CL1.2  -w\t-Werror",
		" -x spir -cl-mad-enable -cl-kernel-arg-info ",
		"-DX=\"a b\" -D'Y=a b' \"-DZ\" -nosuch --I -DI=-I",
		"-D F(a,b)=a##b -D XM2S(x)=#x",
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		check_rest(texts[i], texts[i]);
}

static void
folders_are_taken_in_every_spelling(void **state)
{
	(void)state;
	check_folder("-Idir", "dir");
	check_folder("-I dir", "dir");
	check_folder("-I\t\"/a b\"", "/a b");
	check_folder("-I\"/a b\"", "/a b");
	check_folder("-I'/a b'", "/a b");
	check_folder("\"-I/a b\"", "/a b");
	check_folder("'-I' /a\\ b", "/a b");
	check_folder("-I\"a\\\"b\\n\"", "a\"b\\n");
	check_folder("-I'a\\b'", "a\\b");
	check_folder("-Ia\\", "a\\");
}

static void
folders_leave_the_other_words_as_spelled(void **state)
{
	(void)state;
	check_rest("-I a", "");
	check_rest("-w -Ia -DX=\"a b\"  -I \"b c\"\t-D'Y=1'",
	    "-w -DX=\"a b\" -D'Y=1'");
	check_rest("-D -I -Ia", "-D -I");
	check_rest("-Ia -I", "-I");
}

static void
folders_keep_their_order(void **state)
{
	struct options o;

	(void)state;
	assert_int_equal(options_parse(&o, "-Ib -I a -I'c'", NULL), VGPU_OK);
	assert_int_equal(o.n_folder, 3);
	assert_string_equal(o.folder[0], "b");
	assert_string_equal(o.folder[1], "a");
	assert_string_equal(o.folder[2], "c");
	options_fini(&o);
}

static void
macros_are_listed(void **state)
{
	(void)state;
	check_macro("-DX", "X", "1");
	check_macro("-D X", "X", "1");
	check_macro("-DX=", "X", "");
	check_macro("-D X=a=b", "X", "a=b");
	check_macro("-UX", "X", NULL);
	check_macro("-U X", "X", NULL);
	check_macro("-D XM2S(x)=#x", "XM2S(x)", "#x");
	check_macro("-D'X=a b'", "X", "a b");
	check_macro("\"-DX=a b\"", "X", "a b");
	check_macro("-D \"X=a b\"", "X", "a b");
	check_macro("-DX=\\\"a\\\"", "X", "\"a\"");
}

static void
quoted_values_have_both_readings(void **state)
{
	struct options o;

	(void)state;
	assert_int_equal(options_parse(&o, "-DX=\"a.h\"", NULL), VGPU_OK);
	assert_int_equal(o.n_macro, 2);
	assert_string_equal(o.macro[0].value, "\"a.h\"");
	assert_string_equal(o.macro[1].value, "a.h");
	options_fini(&o);
	assert_int_equal(options_parse(&o, "-D X='q'", NULL), VGPU_OK);
	assert_int_equal(o.n_macro, 2);
	assert_string_equal(o.macro[0].value, "'q'");
	assert_string_equal(o.macro[1].value, "q");
	options_fini(&o);
	assert_int_equal(options_parse(&o, "\"-DX=q\"", NULL), VGPU_OK);
	assert_int_equal(o.n_macro, 1);
	options_fini(&o);
}

static void
an_open_quote_is_an_error_that_says_where(void **state)
{
	struct options o;
	struct err_text err;

	(void)state;
	assert_int_equal(options_parse(&o, "-w -DX=\"a b", &err), VGPU_ECL);
	assert_non_null(strstr(err.s, "character 8 "));
	assert_int_equal(options_parse(&o, "-I 'a", &err), VGPU_ECL);
	assert_non_null(strstr(err.s, "character 4 "));
	assert_int_equal(options_parse(&o, "-I \"a\\\"", &err), VGPU_ECL);
	assert_int_equal(options_parse(&o, "-DX='a\"b' -I \"a", NULL),
	    VGPU_ECL);
}

static void
any_short_text_is_read_within_its_bounds(void **state)
{
	static const char set[] = "-IDU\"'\\ =x";
	char *text;
	struct options o;
	unsigned n, i, v;
	const unsigned k = sizeof(set) - 1;

	(void)state;
	for (n = 0; n < k * k * k * k * k; n++) {
		text = malloc(6); /* exact, so that a sanitizer sees more */
		assert_non_null(text);
		for (i = 0, v = n; i < 5; i++, v /= k)
			text[i] = set[v % k];
		text[5] = '\0';
		if (options_parse(&o, text, NULL) == VGPU_OK) {
			assert_non_null(o.rest);
			assert_true(strlen(o.rest) <= 5);
			options_fini(&o);
		}
		free(text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_options_are_empty_options),
		cmocka_unit_test(options_without_folders_stay_byte_for_byte),
		cmocka_unit_test(folders_are_taken_in_every_spelling),
		cmocka_unit_test(folders_leave_the_other_words_as_spelled),
		cmocka_unit_test(folders_keep_their_order),
		cmocka_unit_test(macros_are_listed),
		cmocka_unit_test(quoted_values_have_both_readings),
		cmocka_unit_test(an_open_quote_is_an_error_that_says_where),
		cmocka_unit_test(any_short_text_is_read_within_its_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
