/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/macro.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "icd-vgpu/expand.h"

static char found[4096];
static unsigned n_found;

static enum vgpu_err
note(void *arg, const char *spelling)
{
	size_t n = strlen(found);

	(void)arg;
	n_found++;
	snprintf(found + n, sizeof(found) - n, "%s ", spelling);
	return VGPU_OK;
}

/* Enter definitions, ';' between them, as lines of text 0. */
static struct macro_table *
table(const char *definitions)
{
	struct macro_table *t = macro_table_new();
	char *copy = strdup(definitions), *next = copy, *one;
	size_t offset = 0;

	assert_non_null(t);
	assert_non_null(copy);
	while ((one = strsep(&next, ";")) != NULL)
		assert_int_equal(macro_add(t, one, 0, offset++), VGPU_OK);
	free(copy);
	return t;
}

static const char *
try_all(struct macro_table *t, const char *operand, size_t text, size_t offset)
{
	found[0] = '\0';
	n_found = 0;
	assert_int_equal(macro_try_all(t, operand, text, offset, note, NULL),
	    VGPU_OK);
	return found;
}

/* The likeliest expansion, with a blank after it. */
static void
check(const char *definitions, const char *operand, const char *want)
{
	struct macro_table *t = table(definitions);
	const char *got = try_all(t, operand, 0, 1000);

	if (strncmp(got, want, strlen(want)) != 0 ||
	    (want[0] == '\0' && got[0] != '\0'))
		fail_msg("%s: \"%s\", expected \"%s\"", operand, got, want);
	macro_table_free(t);
}

static void
object_like_macros_name_files(void **state)
{
	(void)state;
	check("X \"a.h\"", "X", "\"a.h\" ");
	check("X <a/b.h>", "X", "<a/b.h> ");
	check("X Y;Y \"a.h\"", "X", "\"a.h\" ");
	check("X < a b >", "X", "< a b > ");
	check("X a.h", "<X>", "<a.h> ");
	check("X <;Y a>", "X Y", "< a> ");
	check("Y 1", "X", "");
	check("X a.h", "X", "");
	check("X", "X", "");
	check("X <a", "X", "");
}

static void
arguments_are_expanded_and_stringified(void **state)
{
	(void)state;
	check("S(x) #x", "S(a/b.h)", "\"a/b.h\" ");
	check("S(x) #x", "S( a /  b.h )", "\"a / b.h\" ");
	check("S(x) #x;P /q", "S(P/b.h)", "\"P/b.h\" ");
	check("S(x) T(x);T(x) #x;P /q", "S(P/b.h)", "\"/q/b.h\" ");
	check("S(x) T(x);T(x) #x;P /usr/S/T", "S(P/b.h)", "\"/usr/S/T/b.h\" ");
	check("S(x) #x", "S((a,b))", "\"(a,b)\" ");
	check("S(x,y) #y", "S(a,b)", "\"b\" ");
	check("S(x) #x", "S (a)", "\"a\" ");
	check("S() \"a\"", "S()", "\"a\" ");
	check("S(x) #x;F S", "F(a)", "\"a\" ");
	check("S(x) # x", "S(\"a\\n\")", "\"\\\"a\\\\n\\\"\" ");
}

static void
wrong_calls_name_nothing(void **state)
{
	(void)state;
	check("S(x) #x", "S", "");
	check("S(x) #x", "S(a", "");
	check("S(x) #x", "S(a,b)", "");
	check("S(x,y) #x", "S(a)", "");
	check("S() \"a\"", "S(b)", "");
	check("S(x #x", "S(a)", "");
	check("S(+) \"a\"", "S(a)", "");
}

static void
tokens_are_pasted(void **state)
{
	(void)state;
	check("C(a,b) a##b;XY \"x\"", "C(X,Y)", "\"x\" ");
	check("C(a) <a##.h>", "C(x)", "<x.h> ");
	check("C(a,b) <a##b>", "C(,y)", "<y> ");
	check("C(a,b) <q a##b>;a 1", "C(x,)", "<q x> ");
	check("S(x) #x;J(a,b) S(a##_##b.h)", "J(k,2)", "\"k_2.h\" ");
}

static void
variadic_macros_take_the_rest(void **state)
{
	(void)state;
	check("S(...) #__VA_ARGS__", "S(a,b)", "\"a,b\" ");
	check("S(x,...) #__VA_ARGS__", "S(a,b,c)", "\"b,c\" ");
	check("S(r...) #r", "S(a,b)", "\"a,b\" ");
	check("S(x,...) #x", "S(a)", "\"a\" ");
}

static void
a_macro_is_not_expanded_within_itself(void **state)
{
	(void)state;
	check("a <a>", "a", "<a> ");
	check("S(x) #x;T(x) S(x);p q;q p", "T(p)", "\"p\" ");
	check("F(x) F(x)", "F(1)", "");
}

static void
definitions_that_blow_up_are_given_up(void **state)
{
	struct macro_table *t = table("");
	char line[64];
	int i;

	(void)state;
	assert_int_equal(macro_add(t, "a0 x", MACRO_OPTIONS, 0), VGPU_OK);
	for (i = 1; i < 30; i++) {
		snprintf(line, sizeof(line), "a%d a%d a%d", i, i - 1, i - 1);
		assert_int_equal(macro_add(t, line, MACRO_OPTIONS, 0),
		    VGPU_OK);
	}
	assert_string_equal(try_all(t, "<a29>", 0, 0), "");
	assert_string_equal(try_all(t, "<a1>", 0, 0), "<x x> ");
	macro_table_free(t);
}

static void
deep_nesting_is_given_up(void **state)
{
	char operand[4096] = "";
	struct macro_table *t = table("I(x) x");
	int i;

	(void)state;
	for (i = 0; i < 500; i++)
		strcat(operand, "I(");
	strcat(operand, "<a>");
	for (i = 0; i < 500; i++)
		strcat(operand, ")");
	assert_string_equal(try_all(t, operand, 0, 1000), "");
	assert_string_equal(try_all(t, "I(I(I(<a>)))", 0, 1000), "<a> ");
	macro_table_free(t);
}

static void
each_definition_is_tried_the_latest_before_the_line_first(void **state)
{
	struct macro_table *t = table("X <a>;X <b>;X <c>;X <a>");

	(void)state;
	assert_string_equal(try_all(t, "X", 0, 2), "<b> <a> <c> ");
	assert_int_equal(macro_add(t, "X <d>", 1, 0), VGPU_OK);
	assert_string_equal(try_all(t, "X", 1, 9), "<d> <a> <c> <b> ");
	macro_table_free(t);
}

static void
an_option_comes_first(void **state)
{
	char name[] = "S(x)", value[] = "#x", undefined[] = "P", path[] = "/p";
	const struct option_macro o[] = { { name, value },
		{ undefined, path }, { undefined, NULL } };
	struct macro_table *t = table("P /default;S(x) <x>");
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++)
		assert_int_equal(macro_add_option(t, &o[i]), VGPU_OK);
	assert_string_equal(try_all(t, "S(a)", 0, 9), "\"a\" <a> ");
	assert_string_equal(try_all(t, "<P>", 0, 9), "</p> </default> ");
	macro_table_free(t);
}

static void
a_name_in_the_path_may_be_no_macro(void **state)
{
	struct macro_table *t = table("S(x) T(x);T(x) #x;h 5");

	(void)state;
	assert_non_null(strstr(try_all(t, "S(a.h)", 0, 9), "\"a.5\" \"a.h\" "));
	macro_table_free(t);
}

static void
the_number_of_tries_is_bounded(void **state)
{
	struct macro_table *t = table("a 1;a 2;a 3;b 1;b 2;b 3;c 1;c 2;c 3;"
	    "d 1;d 2;d 3;e 1;e 2;e 3;f 1;f 2");

	(void)state;
	try_all(t, "<a/b/c/d/e/f>", 0, 99);
	assert_int_equal(n_found, MACRO_TRIES_MAX);
	macro_table_free(t);
}

static void
what_is_no_definition_is_passed_over(void **state)
{
	(void)state;
	check(";1;\"x\";(a) b;X <a>", "X", "<a> ");
}

static enum vgpu_err
refuse(void *arg, const char *spelling)
{
	(void)spelling;
	++*(int *)arg;
	return VGPU_EQUOTA;
}

static void
an_error_ends_the_tries(void **state)
{
	struct macro_table *t = table("X <a>;X <b>");
	int calls = 0;

	(void)state;
	assert_int_equal(macro_try_all(t, "X", 0, 9, refuse, &calls),
	    VGPU_EQUOTA);
	assert_int_equal(calls, 1);
	macro_table_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(object_like_macros_name_files),
		cmocka_unit_test(arguments_are_expanded_and_stringified),
		cmocka_unit_test(wrong_calls_name_nothing),
		cmocka_unit_test(tokens_are_pasted),
		cmocka_unit_test(variadic_macros_take_the_rest),
		cmocka_unit_test(a_macro_is_not_expanded_within_itself),
		cmocka_unit_test(definitions_that_blow_up_are_given_up),
		cmocka_unit_test(deep_nesting_is_given_up),
		cmocka_unit_test(
		    each_definition_is_tried_the_latest_before_the_line_first),
		cmocka_unit_test(an_option_comes_first),
		cmocka_unit_test(a_name_in_the_path_may_be_no_macro),
		cmocka_unit_test(the_number_of_tries_is_bounded),
		cmocka_unit_test(what_is_no_definition_is_passed_over),
		cmocka_unit_test(an_error_ends_the_tries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
