/* SPDX-License-Identifier: ISC */
#include "hostd/ledger.h"

#include <CL/cl.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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
loads_count_sessions_and_not_uses(void **state)
{
	struct ledger *l = ledger_new();
	unsigned loads[3];

	(void)state;
	enter(l, 1, "lab");
	enter(l, 2, "lab");
	assert_int_equal(ledger_use(l, 1, 2, 1), VGPU_OK);
	assert_int_equal(ledger_use(l, 1, 2, 1), VGPU_OK);
	assert_int_equal(ledger_use(l, 2, 2, 1), VGPU_OK);
	assert_int_equal(ledger_use(l, 2, 0, 1), VGPU_OK);
	ledger_loads(l, loads, 3);
	assert_int_equal(loads[0], 1);
	assert_int_equal(loads[1], 0);
	assert_int_equal(loads[2], 2);
	assert_int_equal(ledger_use(l, 2, 2, -1), VGPU_OK);
	ledger_leave(l, 1);
	ledger_loads(l, loads, 3);
	assert_int_equal(loads[0], 1);
	assert_int_equal(loads[2], 0);
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
uses_of_an_old_pool_are_not_counted(void **state)
{
	struct ledger *l = ledger_new();
	unsigned load;

	(void)state;
	enter(l, 1, "lab");
	ledger_use(l, 1, 0, 1);
	ledger_new_pool(l);
	ledger_loads(l, &load, 1);
	assert_int_equal(load, 0);
	assert_int_equal(ledger_use(l, 1, 0, -1), VGPU_OK);
	ledger_free(l);
}

static struct pool *
two_cards(void)
{
	struct pool *p = pool_new();
	struct infoset info, platform;
	unsigned v;

	infoset_init(&platform);
	pool_add_vendor(p, "/v/one.icd", NULL, &v);
	infoset_init(&info);
	infoset_put_text(&info, CL_DEVICE_NAME, "Big Card");
	infoset_put_u64(&info, CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU);
	pool_add_device(p, v, 0, 0, &info, &platform);
	pool_add_vendor(p, "/v/two.icd", NULL, &v);
	pool_add_device(p, v, 0, 0, &info, &platform);
	infoset_fini(&info);
	return p;
}

static void
a_tenant_gets_its_devices_least_loaded_first(void **state)
{
	static char name[] = "big*", vendor[] = "TWO", other[] = "small*";
	static char *patterns[] = { other, NULL };
	struct conf_tenant t = { .devices = { patterns, 0 } };
	struct ledger *l = ledger_new();
	struct pool *p = two_cards();
	unsigned out[2];

	(void)state;
	assert_int_equal(ledger_order(l, p, &t, out), 2);
	assert_int_equal(out[0], 0);
	enter(l, 1, "lab");
	ledger_use(l, 1, 0, 1);
	assert_int_equal(ledger_order(l, p, &t, out), 2);
	assert_int_equal(out[0], 1);
	t.devices.n = 1;
	assert_int_equal(ledger_order(l, p, &t, out), 0);
	patterns[0] = vendor;
	assert_int_equal(ledger_order(l, p, &t, out), 1);
	assert_int_equal(out[0], 1);
	patterns[0] = name;
	assert_int_equal(ledger_order(l, p, &t, out), 2);
	pool_free(p);
	ledger_free(l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
			cmocka_unit_test(limits_hold_for_a_tenant_and_for_all),
		cmocka_unit_test(loads_count_sessions_and_not_uses),
		cmocka_unit_test(a_report_that_cannot_be_is_refused),
		cmocka_unit_test(uses_of_an_old_pool_are_not_counted),
		cmocka_unit_test(a_tenant_gets_its_devices_least_loaded_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
