/* SPDX-License-Identifier: ISC */
#include "hostd/ledger.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "hostd/usage.h"

static char lab[] = "lab", few[] = "few";
static struct conf_tenant tenants[] = {
	{ .name = lab },
	{ .name = few, .max_sessions = 1 },
};
static const struct conf conf = { .max_sessions = 3, .tenants = tenants,
	.tenant_count = 2 };
static struct err_text text;

static enum vgpu_err
enter(struct ledger *l, unsigned session, const char *name)
{
	return ledger_enter(l, &conf, conf_tenant(&conf, name), session, name,
	    &text);
}

static void
limits_hold_for_a_tenant_and_for_all(void **state)
{
	struct ledger *l = ledger_new();

	(void)state;
	assert_int_equal(enter(l, 1, "few"), VGPU_OK);
	assert_int_equal(enter(l, 2, "few"), VGPU_EQUOTA);
	assert_int_equal(enter(l, 3, "lab"), VGPU_OK);
	assert_int_equal(enter(l, 3, "lab"), VGPU_EHANDLE);
	assert_int_equal(enter(l, 4, "lab"), VGPU_OK);
	assert_int_equal(enter(l, 5, "lab"), VGPU_EQUOTA);
	ledger_leave(l, 1);
	ledger_leave(l, 77);
	assert_int_equal(ledger_count(l, "few"), 0);
	assert_int_equal(enter(l, 6, "few"), VGPU_OK);
	ledger_free(l);
}

static void
users_are_sessions_and_not_contexts(void **state)
{
	struct ledger *l = ledger_new();

	(void)state;
	enter(l, 1, "lab");
	enter(l, 2, "lab");
	assert_int_equal(ledger_use(l, 1, 2, 1), VGPU_OK);
	assert_int_equal(ledger_use(l, 1, 2, 1), VGPU_OK);
	assert_int_equal(ledger_use(l, 2, 2, 1), VGPU_OK);
	assert_int_equal(ledger_use(l, 2, 0, 1), VGPU_OK);
	assert_int_equal(ledger_users(l, 0, 0), 1);
	assert_int_equal(ledger_users(l, 1, 0), 0);
	assert_int_equal(ledger_users(l, 2, 0), 2);
	assert_int_equal(ledger_users(l, 2, 1), 1);
	assert_int_equal(ledger_mine(l, 1, 2), 2);
	assert_int_equal(ledger_mine(l, 2, 2), 1);
	assert_int_equal(ledger_mine(l, 9, 2), 0);
	assert_int_equal(ledger_users(l, UINT32_MAX, 0), 0);
	assert_int_equal(ledger_use(l, 2, 2, -1), VGPU_OK);
	ledger_leave(l, 1);
	assert_int_equal(ledger_users(l, 0, 0), 1);
	assert_int_equal(ledger_users(l, 2, 0), 0);
	ledger_free(l);
}

static void
a_report_that_cannot_be_is_refused(void **state)
{
	struct ledger *l = ledger_new();

	(void)state;
	enter(l, 1, "lab");
	assert_int_equal(ledger_use(l, 1, 0, -1), VGPU_EPROTO);
	assert_int_equal(ledger_use(l, 1, 0, 2), VGPU_EPROTO);
	assert_int_equal(ledger_use(l, 1, POOL_DEVICES_MAX, 1), VGPU_EPROTO);
	assert_int_equal(ledger_use(l, 1, UINT32_MAX, 1), VGPU_EPROTO);
	assert_int_equal(ledger_use(l, 9, 0, 1), VGPU_EPROTO);
	ledger_free(l);
}

static void
what_a_session_may_use_is_known(void **state)
{
	struct ledger *l = ledger_new();

	(void)state;
	enter(l, 1, "lab");
	enter(l, 2, "lab");
	ledger_offer(l, 1, 3);
	ledger_offer(l, 1, POOL_DEVICES_MAX);
	ledger_offer(l, 9, 3);
	assert_true(ledger_is_offered(l, 1, 3));
	assert_false(ledger_is_offered(l, 1, 2));
	assert_false(ledger_is_offered(l, 2, 3));
	assert_false(ledger_is_offered(l, 9, 3));
	assert_false(ledger_is_offered(l, 1, UINT32_MAX));
	ledger_leave(l, 1);
	enter(l, 1, "lab");
	assert_false(ledger_is_offered(l, 1, 3));
	ledger_free(l);
}

static void
a_session_counts_where_it_is_expected_until_it_uses_anything(void **state)
{
	struct ledger *l = ledger_new();

	(void)state;
	enter(l, 1, "lab");
	ledger_expect(l, 1, 3);
	ledger_expect(l, 77, 3);
	assert_int_equal(ledger_users(l, 3, 0), 1);
	assert_int_equal(ledger_mine(l, 1, 3), 0);
	ledger_use(l, 1, 5, 1);
	assert_int_equal(ledger_users(l, 3, 0), 0);
	assert_int_equal(ledger_users(l, 5, 0), 1);
	ledger_use(l, 1, 5, -1);
	assert_int_equal(ledger_users(l, 3, 0), 0);
	ledger_free(l);
}

static void
turns_grow(void **state)
{
	struct ledger *l = ledger_new();

	(void)state;
	assert_int_equal(ledger_turn(l, 4), 0);
	ledger_take_turn(l, 4);
	ledger_take_turn(l, 2);
	ledger_take_turn(l, UINT32_MAX);
	assert_true(ledger_turn(l, 2) > ledger_turn(l, 4));
	assert_true(ledger_turn(l, 4) > ledger_turn(l, 0));
	assert_int_equal(ledger_turn(l, UINT32_MAX), 0);
	ledger_free(l);
}

static void
a_session_has_the_name_of_its_tenant(void **state)
{
	struct ledger *l = ledger_new();

	(void)state;
	enter(l, 1, "lab");
	assert_string_equal(ledger_tenant(l, 1), "lab");
	assert_string_equal(ledger_tenant(l, 2), "");
	ledger_free(l);
}

static void
why_a_session_stays_is_what_it_said_last(void **state)
{
	struct ledger *l = ledger_new();

	(void)state;
	assert_int_equal(enter(l, 1, "lab"), VGPU_OK);
	assert_null(ledger_stays(l, 1, 3, 0));
	ledger_note(l, 1, 3, NOTE_STAYS, 1, "first");
	ledger_note(l, 1, 4, NOTE_STAYS, 2, "elsewhere");
	ledger_note(l, 1, 3, NOTE_STAYS, 3, "last");
	ledger_note(l, 1, 3, NOTE_MOVED, 4, "another context");
	assert_string_equal(ledger_stays(l, 1, 3, 0), "last");
	assert_string_equal(ledger_stays(l, 1, 3, 3), "last");
	assert_null(ledger_stays(l, 1, 3, 4));
	assert_null(ledger_stays(l, 1, 5, 0));
	assert_null(ledger_stays(l, 2, 3, 0));
	ledger_free(l);
}

static void
why_it_stayed_is_forgotten_when_it_has_left(void **state)
{
	struct ledger *l = ledger_new();

	(void)state;
	assert_int_equal(enter(l, 1, "lab"), VGPU_OK);
	ledger_use(l, 1, 3, 1);
	ledger_use(l, 1, 3, 1);
	ledger_note(l, 1, 3, NOTE_STAYS, 1, "both");
	ledger_note(l, 1, 4, NOTE_STAYS, 2, "elsewhere");
	ledger_use(l, 1, 3, -1);
	assert_string_equal(ledger_stays(l, 1, 3, 0), "both");
	ledger_use(l, 1, 3, -1);
	assert_null(ledger_stays(l, 1, 3, 0));
	assert_string_equal(ledger_stays(l, 1, 4, 0), "elsewhere");
	ledger_use(l, 1, 3, 1);
	assert_null(ledger_stays(l, 1, 3, 0));
	ledger_note(l, 1, 3, NOTE_STAYS, 3, "again");
	assert_string_equal(ledger_stays(l, 1, 3, 0), "again");
	ledger_free(l);
}

static void
who_works_is_seen_between_two_looks(void **state)
{
	struct ledger *l = ledger_new();
	struct usage *u;
	int fd;

	(void)state;
	assert_int_equal(enter(l, 1, "lab"), VGPU_OK);
	assert_int_equal(enter(l, 2, "lab"), VGPU_OK);
	assert_int_equal(usage_new(&u, &fd, &text), VGPU_OK);
	ledger_set_usage(l, 1, u);
	assert_int_equal(ledger_use(l, 1, 3, 1), VGPU_OK);
	assert_int_equal(ledger_use(l, 2, 3, 1), VGPU_OK);
	ledger_look(l, 2);
	assert_int_equal(ledger_working(l, 3), 0);
	usage_add_busy(u, 3, 99999999);		/* of two seconds too little */
	ledger_look(l, 2);
	assert_false(ledger_works(l, 1, 3));
	usage_add_busy(u, 3, 100000000);
	usage_add_busy(u, 4, 100000000);	/* where it has no context */
	ledger_look(l, 2);
	assert_true(ledger_works(l, 1, 3));
	assert_false(ledger_works(l, 2, 3));
	assert_false(ledger_works(l, 1, 4));
	assert_int_equal(ledger_working(l, 3), 1);
	ledger_look(l, 2);
	assert_int_equal(ledger_working(l, 3), 0);
	usage_add_queued(u, 3, 1);
	ledger_look(l, 2);
	assert_int_equal(ledger_working(l, 3), 1);
	ledger_leave(l, 1);
	assert_int_equal(ledger_working(l, 3), 0);
	ledger_free(l);
	close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(limits_hold_for_a_tenant_and_for_all),
		cmocka_unit_test(users_are_sessions_and_not_contexts),
		cmocka_unit_test(a_report_that_cannot_be_is_refused),
		cmocka_unit_test(
		    a_session_counts_where_it_is_expected_until_it_uses_anything),
		cmocka_unit_test(what_a_session_may_use_is_known),
		cmocka_unit_test(turns_grow),
		cmocka_unit_test(a_session_has_the_name_of_its_tenant),
		cmocka_unit_test(why_a_session_stays_is_what_it_said_last),
		cmocka_unit_test(why_it_stayed_is_forgotten_when_it_has_left),
		cmocka_unit_test(who_works_is_seen_between_two_looks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
