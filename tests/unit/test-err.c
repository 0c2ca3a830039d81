/* SPDX-License-Identifier: ISC */
#include "common/err.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
every_error_has_a_name_of_its_own(void **state)
{
	int i, j;

	(void)state;
	for (i = 0; i < VGPU_ERR_COUNT; i++)
		for (j = 0; j < i; j++)
			assert_string_not_equal(err_name((enum vgpu_err)i),
			    err_name((enum vgpu_err)j));
}

static void
an_error_that_is_none_has_a_name_and_kills_the_process(void **state)
{
	(void)state;
	assert_string_equal(err_name(VGPU_ERR_COUNT), "unknown");
	assert_int_equal(err_scope(VGPU_ERR_COUNT), ERR_PROCESS);
}

static void
scopes_are_as_the_header_says(void **state)
{
	(void)state;
	assert_int_equal(err_scope(VGPU_EAGAIN), ERR_CALL);
	assert_int_equal(err_scope(VGPU_ENOMEM), ERR_CALL);
	assert_int_equal(err_scope(VGPU_EPROTO), ERR_CONNECTION);
	assert_int_equal(err_scope(VGPU_ETIME), ERR_CONNECTION);
	assert_int_equal(err_scope(VGPU_ECONF), ERR_PROCESS);
}

static void
err_set_returns_the_error_and_writes_the_text(void **state)
{
	struct err_text text;

	(void)state;
	assert_int_equal(err_set(&text, VGPU_EPROTO, "%d of %s", 3, "four"),
	    VGPU_EPROTO);
	assert_string_equal(text.s, "3 of four");
	assert_int_equal(err_set(NULL, VGPU_EQUOTA, "unheard"), VGPU_EQUOTA);
}

static void
err_sys_appends_the_reason_and_keeps_errno(void **state)
{
	struct err_text text;

	(void)state;
	errno = ENOENT;
	assert_int_equal(err_sys(&text, "file \"%s\"", "x"), VGPU_ESYS);
	assert_int_equal(errno, ENOENT);
	assert_string_equal(text.s, "file \"x\": No such file or directory");
}

static void
a_long_text_is_cut_and_ends(void **state)
{
	char longer[2 * ERR_TEXT_MAX];
	struct err_text text;

	(void)state;
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	err_set(&text, VGPU_ECONF, "%s", longer);
	assert_int_equal(strlen(text.s), ERR_TEXT_MAX - 1);
	errno = EIO;
	err_sys(&text, "%s", longer);
	assert_int_equal(strlen(text.s), ERR_TEXT_MAX - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_error_has_a_name_of_its_own),
		cmocka_unit_test(
		    an_error_that_is_none_has_a_name_and_kills_the_process),
		cmocka_unit_test(scopes_are_as_the_header_says),
		cmocka_unit_test(err_set_returns_the_error_and_writes_the_text),
		cmocka_unit_test(err_sys_appends_the_reason_and_keeps_errno),
		cmocka_unit_test(a_long_text_is_cut_and_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
