/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/scan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char found[1024];
static size_t last_start, last_end;

static enum vgpu_err
note(void *arg, const struct scan_line *l)
{
	size_t n = strlen(found);

	(void)arg;
	assert_int_equal(strlen(l->operand), l->len);
	assert_true(l->start < l->end);
	last_start = l->start;
	last_end = l->end;
	snprintf(found + n, sizeof(found) - n, "%d[%s]", l->kind, l->operand);
	return VGPU_OK;
}

/* Scan n bytes from memory of exactly that size. */
static const char *
scan_bytes(const char *text, size_t n, bool defines)
{
	char *copy = malloc(n > 0 ? n : 1);

	assert_non_null(copy);
	memcpy(copy, text, n);
	found[0] = '\0';
	assert_int_equal(scan_text(copy, n, defines, note, NULL), VGPU_OK);
	if (!defines && found[0] != '\0')
		assert_true(scan_may_include(copy, n));
	free(copy);
	return found;
}

static void
check(const char *text, const char *want)
{
	assert_string_equal(scan_bytes(text, strlen(text), false), want);
}

static void
includes_of_each_kind_are_found(void **state)
{
	(void)state;
	check("#include \"a.h\"\n", "0[\"a.h\"]");
	check("#include <a.h>", "0[<a.h>]");
	check("#include<a.h>\n#include\"b.h\"", "0[<a.h>]0[\"b.h\"]");
	check("int x;\n \t# \tinclude\t<a.h> \t\n", "0[<a.h>]");
	check("#include_next <a.h>\n", "1[<a.h>]");
	check("#import \"a.h\"\n", "2[\"a.h\"]");
	check("#include M2S(A/b.h) // c\n", "0[M2S(A/b.h)]");
	check("#if 0\n#include X\n#endif\n", "0[X]");
	check("#\n#include\n#include_ <b>\n#includes <b>\n#INCLUDE <b>\n",
	    "0[]");
}

static void
newlines_of_each_kind_end_a_line(void **state)
{
	(void)state;
	check("#include <a>\r\n#include <b>\r#include <c>\n\r\n",
	    "0[<a>]0[<b>]0[<c>]");
	check("x\r#include <a>", "0[<a>]");
}

static void
comments_and_strings_hide_includes(void **state)
{
	(void)state;
	check("/*\n#include <a>\n*/\n", "");
	check("// \\\n#include <a>\n", "");
	check("/* * / \n#include <a>\n", "");
	check("char *s = \"/*\";\n#include <a>\n", "0[<a>]");
	check("char *s = \"\\\"/*\";\n#include <a>\n", "0[<a>]");
	check("char c = '\"';\n#include <a>\n", "0[<a>]");
	check("#error don't /* \n#include <a>\n", "0[<a>]");
	check("x #include <a>\n", "");
	check("\"\\\n#include <a>\n\"", "");
	check("/* c\n */ #include <a>\n", "0[<a>]");
}

static void
comments_in_a_directive_are_blanks(void **state)
{
	(void)state;
	check("/**/#/**/include/**/<a>/**/\n", "0[<a>]");
	check("#include X/* c\n c */ Y // d\n", "0[X  Y]");
	check("#include <a> /* c\n #include <b>\n */\n#include <c>",
	    "0[<a>]0[<c>]");
}

static void
header_names_have_neither_comments_nor_escapes(void **state)
{
	(void)state;
	check("#include <a//b>\n", "0[<a//b>]");
	check("#include <it's>\n#include <b>", "0[<it's>]0[<b>]");
	check("#include \"a/*b\"\n", "0[\"a/*b\"]");
	check("#include \"a\\\" x\n", "0[\"a\\\"]");
	check("#include <a\n#include <b>\n", "0[<a]0[<b>]");
}

static void
continuations_are_joined(void **state)
{
	(void)state;
	check("#inc\\\nlude <a\\\r\n.h>\n", "0[<a.h>]");
	check("\\\n#\\\ninclude X \\ \t\n Y\n", "0[X  Y]");
	check("/\\\n* #include <a>\n*\\\n/\n#include <b>\n", "0[<b>]");
	check("#include <a> \\", "0[<a>]");
}

static void
nul_bytes_are_blanks(void **state)
{
	static const char text[] = "\0#\0include\0X\0Y\0\n#include <b\0>";

	(void)state;
	assert_string_equal(scan_bytes(text, sizeof(text) - 1, false),
	    "0[X Y]0[<b >]");
}

static void
a_line_is_from_its_hash_to_its_newline(void **state)
{
	(void)state;
	check("ab\n  #include <a>  // c\r\nx", "0[<a>]");
	assert_int_equal(last_start, 5);
	assert_int_equal(last_end, 23);
	check("#include \\\n<a>", "0[<a>]");
	assert_int_equal(last_start, 0);
	assert_int_equal(last_end, 14);
}

static void
definitions_are_found_instead_when_asked_for(void **state)
{
	static const char text[] = "#define A(x) \"//\" /* c */ #x\n"
	    "#include <a>\n#undef A\n# define B \\\n 'b' // c\n#define\n";

	(void)state;
	assert_string_equal(scan_bytes(text, strlen(text), true),
	    "3[A(x) \"//\"   #x]3[B  'b']3[]");
}

static enum vgpu_err
refuse(void *arg, const struct scan_line *l)
{
	(void)l;
	++*(int *)arg;
	return VGPU_EQUOTA;
}

static void
an_error_ends_the_scan(void **state)
{
	static const char text[] = "#include <a>\n#include <b>\n";
	int calls = 0;

	(void)state;
	assert_int_equal(scan_text(text, strlen(text), false, refuse, &calls),
	    VGPU_EQUOTA);
	assert_int_equal(calls, 1);
}

static void
plain_text_is_told_by_a_search(void **state)
{
	static const char kernel[] = "#define N 4\nkernel void f(void) {}\n";
	static const char comment[] = "// include\n";

	(void)state;
	assert_false(scan_may_include("", 0));
	assert_false(scan_may_include(kernel, strlen(kernel)));
	assert_false(scan_may_include(comment, strlen(comment)));
	assert_true(scan_may_include("#include X", 10));
}

static void
any_short_text_is_scanned_within_its_bounds(void **state)
{
	static const char set[] = "#\\\n\r\"/*< \0";
	char text[16] = "#include ";
	const unsigned k = sizeof(set) - 1;
	unsigned n, i, v;

	(void)state;
	for (n = 0; n < k * k * k * k * k; n++) {
		for (i = 0, v = n; i < 5; i++, v /= k)
			text[9 + i] = set[v % k];
		scan_bytes(text, 14, false);
		scan_bytes(text + 9, 5, false);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(includes_of_each_kind_are_found),
		cmocka_unit_test(newlines_of_each_kind_end_a_line),
		cmocka_unit_test(comments_and_strings_hide_includes),
		cmocka_unit_test(comments_in_a_directive_are_blanks),
		cmocka_unit_test(
		    header_names_have_neither_comments_nor_escapes),
		cmocka_unit_test(continuations_are_joined),
		cmocka_unit_test(nul_bytes_are_blanks),
		cmocka_unit_test(a_line_is_from_its_hash_to_its_newline),
		cmocka_unit_test(definitions_are_found_instead_when_asked_for),
		cmocka_unit_test(an_error_ends_the_scan),
		cmocka_unit_test(plain_text_is_told_by_a_search),
		cmocka_unit_test(any_short_text_is_scanned_within_its_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
