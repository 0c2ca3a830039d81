/* SPDX-License-Identifier: ISC */
#include "hostd/privsep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static struct err_text text;

static void
a_user_that_is_not_there_is_an_error(void **state)
{
	struct privsep_user u;

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(privsep_lookup("no such user", &u, &text),
	    VGPU_ECONF);
	assert_int_equal(privsep_lookup("root", &u, &text), VGPU_OK);
	assert_false(u.change);
	assert_int_equal(privsep_lookup(NULL, &u, &text), VGPU_OK);
	assert_true(u.change);
}

static void
what_another_user_can_enter_is_found_by_trying(void **state)
{
	const struct privsep_user same = { .change = false };
	const struct privsep_user other = { .change = true, .uid = 12345,
		.gid = 12345 };
	char folder[] = "/tmp/vgpu-test-privsep-XXXXXX";

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_non_null(mkdtemp(folder));
	assert_true(privsep_can_enter(&same, folder));
	assert_false(privsep_can_enter(&other, folder));
	assert_true(privsep_can_enter(&other, "/"));
	assert_int_equal(geteuid(), 0);
	rmdir(folder);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_user_that_is_not_there_is_an_error),
		cmocka_unit_test(
		    what_another_user_can_enter_is_found_by_trying),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
