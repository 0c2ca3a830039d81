/* SPDX-License-Identifier: ISC */
#include "hostd/offer.h"

#include <CL/cl.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct conf conf = { .max_sessions = 100 };
static struct conf_tenant tenant;
static struct ledger *ledger;
static struct pool *pool;
static struct offer offer;
static unsigned order[POOL_DEVICES_MAX], last_session;
static char reason[PLACE_REASON_MAX];

static void
add(unsigned vendor, uint64_t type, const char *name, uint32_t units)
{
	struct infoset info, platform;

	infoset_init(&info);
	infoset_init(&platform);
	infoset_put_u64(&info, CL_DEVICE_TYPE, type);
	infoset_put_text(&info, CL_DEVICE_NAME, name);
	infoset_put_u32(&info, CL_DEVICE_MAX_COMPUTE_UNITS, units);
	infoset_put_u32(&info, CL_DEVICE_MAX_CLOCK_FREQUENCY, 1000);
	assert_int_equal(pool_add_device(pool, vendor, 0, pool->device_count,
	    &info, &platform), VGPU_OK);
	infoset_fini(&info);
}

/* Two cards of one vendor, a faster one and a processor of another. */
static int
setup(void **state)
{
	unsigned v;

	(void)state;
	pool = pool_new();
	pool_add_vendor(pool, "/v/one.icd", NULL, &v);
	pool_add_vendor(pool, "/v/two.icd", NULL, &v);
	add(0, CL_DEVICE_TYPE_GPU, "Card", 10);
	add(0, CL_DEVICE_TYPE_GPU, "Card", 10);
	add(1, CL_DEVICE_TYPE_CPU, "Processor", 100);
	add(1, CL_DEVICE_TYPE_GPU, "Fast", 30);
	pool_finish(pool);
	ledger = ledger_new();
	memset(&tenant, 0, sizeof(tenant));
	conf.placement = place_policy("least-loaded");
	conf.weights.n = conf.prefer_vendors.n = 0;
	offer = (struct offer){ pool, ledger, &conf, &tenant, 0, NULL };
	last_session = 0;
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	pool_free(pool);
	ledger_free(ledger);
	return 0;
}

static unsigned
enter(void)
{
	struct err_text text;

	assert_int_equal(ledger_enter(ledger, &conf, &tenant, ++last_session,
	    "lab", &text), VGPU_OK);
	return last_session;
}

static void
expect(const unsigned *expected, unsigned n)
{
	unsigned i;

	assert_int_equal(offer_order(&offer, order, reason), n);
	for (i = 0; i < n; i++)
		assert_int_equal(order[i], expected[i]);
}

#define EXPECT(...) expect((const unsigned[]){ __VA_ARGS__ }, \
	sizeof((const unsigned[]){ __VA_ARGS__ }) / sizeof(unsigned))

static void
by_load_those_come_first_that_would_begin_soonest(void **state)
{
	unsigned i;

	(void)state;
	EXPECT(3, 0, 1, 2);
	for (i = 0; i < 3; i++)
		ledger_use(ledger, enter(), 3, 1);
	EXPECT(0, 1, 3, 2);
	ledger_use(ledger, enter(), 0, 1);
	EXPECT(1, 3, 0, 2);
	assert_non_null(strstr(reason, "least-loaded: "));
}

static void
other_orders_do_not_look_at_loads(void **state)
{
	static char fast[] = "Fast", one[] = "one", proc[] = "proc*";
	static char *patterns[] = { proc, fast, one };
	unsigned i;

	(void)state;
	for (i = 0; i < 9; i++)
		ledger_use(ledger, enter(), 3, 1);
	tenant.order = ORDER_SPEED;
	EXPECT(3, 0, 1, 2);
	assert_string_equal(reason, "order = speed: faster, before device 0");
	tenant.order = ORDER_FIXED;
	EXPECT(0, 1, 2, 3);
	assert_string_equal(reason, "order = fixed: found first, before "
	    "device 1");
	tenant.devices = (struct conf_texts){ patterns, 3 };
	EXPECT(2, 3, 0, 1);
	assert_string_equal(reason, "order = fixed: its pattern in devices "
	    "comes first, before device 3");
	tenant.devices = (struct conf_texts){ patterns + 1, 2 };
	EXPECT(3, 0, 1);
}

static void
masks_name_devices_or_vendors(void **state)
{
	static char card[] = "CARD", two[] = "Two", none[] = "small*";
	static char *patterns[] = { none, card, two };

	(void)state;
	tenant.devices = (struct conf_texts){ patterns, 1 };
	assert_int_equal(offer_order(&offer, order, reason), 0);
	assert_string_equal(reason, "there is none");
	tenant.devices.n = 2;
	EXPECT(0, 1);
	tenant.devices = (struct conf_texts){ patterns + 2, 1 };
	EXPECT(3, 2);
}

static void
programs_that_take_the_first_spread_by_speed(void **state)
{
	unsigned counts[4] = { 0 }, i, session;

	(void)state;
	for (i = 0; i < 10; i++) {
		session = enter();
		offer.session = session;
		offer_order(&offer, order, reason);
		ledger_expect(ledger, session, order[0]);
		if (i % 2 == 0)	/* others have not come so far yet */
			ledger_use(ledger, session, order[0], 1);
		counts[order[0]]++;
	}
	assert_int_equal(counts[0], 2);
	assert_int_equal(counts[1], 2);
	assert_int_equal(counts[2], 0);
	assert_int_equal(counts[3], 6);
}

static void
contexts_of_a_session_go_to_different_cards(void **state)
{
	static const unsigned both[] = { 0, 1 };
	unsigned chosen;

	(void)state;
	offer.session = enter();
	offer.tenant = NULL;
	assert_int_equal(offer_place(&offer, both, 2, &chosen, reason),
	    VGPU_OK);
	assert_int_equal(chosen, 0);
	ledger_use(ledger, offer.session, 0, 1);
	ledger_use(ledger, enter(), 1, 1);
	assert_int_equal(offer_place(&offer, both, 2, &chosen, reason),
	    VGPU_OK);
	assert_int_equal(chosen, 1);
	assert_non_null(strstr(reason, "different cards"));
}

static void
a_place_that_is_not_there_is_refused(void **state)
{
	static const unsigned wrong[] = { 0, 4 };
	unsigned chosen = 77;

	(void)state;
	assert_int_equal(offer_place(&offer, wrong, 2, &chosen, reason),
	    VGPU_EPROTO);
	assert_int_equal(offer_place(&offer, wrong, 0, &chosen, reason),
	    VGPU_EPROTO);
	assert_int_equal(chosen, 77);
}

static void
weights_are_those_of_the_first_pattern(void **state)
{
	static char fast[] = "fast=0", all[] = "one=3";
	static char *weights[] = { fast, all };
	unsigned i, counts[4] = { 0 };

	(void)state;
	conf.placement = place_policy("weighted");
	conf.weights = (struct conf_texts){ weights, 2 };
	for (i = 0; i < 6; i++) {
		offer_order(&offer, order, reason);
		ledger_use(ledger, enter(), order[0], 1);
		counts[order[0]]++;
	}
	assert_int_equal(counts[0], 3);
	assert_int_equal(counts[1], 3);
}

static void
vendors_that_are_apart_are_not_offered_together(void **state)
{
	static char two[] = "tw*", *prefer[] = { two };
	static char *only_two[] = { two };
	struct offer_left left[POOL_VENDORS_MAX];

	(void)state;
	assert_int_equal(offer_left_out(&offer, left), 0);
	pool_add_apart(pool, 0, 1, "they crash");
	EXPECT(0, 1);
	assert_int_equal(offer_left_out(&offer, left), 1);
	assert_int_equal(left[0].device, 2);
	assert_string_equal(left[0].reason, "no device of two is, as one was "
	    "found first, and can't share a process with it: they crash");
	conf.prefer_vendors = (struct conf_texts){ prefer, 1 };
	EXPECT(3, 2);
	assert_int_equal(offer_left_out(&offer, left), 1);
	assert_int_equal(left[0].device, 0);
	assert_string_equal(left[0].reason, "no device of one is, as two is "
	    "one of prefer-vendors, and can't share a process with it: they "
	    "crash");
	conf.prefer_vendors.n = 0;
	tenant.devices = (struct conf_texts){ only_two, 1 };
	EXPECT(3, 2);	/* the other one is not wanted */
	assert_int_equal(offer_left_out(&offer, left), 0);
}

static void
a_drained_device_gets_nothing_new(void **state)
{
	static const unsigned both[] = { 0, 1 };
	unsigned chosen;

	(void)state;
	ledger_drain(ledger, 3, true);
	EXPECT(0, 1, 2);
	ledger_drain(ledger, 3, false);
	EXPECT(3, 0, 1, 2);
	ledger_drain(ledger, 0, true);
	assert_int_equal(offer_place(&offer, both, 2, &chosen, reason),
	    VGPU_OK);
	assert_int_equal(chosen, 1);
	ledger_drain(ledger, 1, true);	/* somewhere it has to run */
	assert_int_equal(offer_place(&offer, both, 2, &chosen, reason),
	    VGPU_OK);
	assert_int_equal(chosen, 0);
}

#define OFFER_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		OFFER_TEST(by_load_those_come_first_that_would_begin_soonest),
		OFFER_TEST(other_orders_do_not_look_at_loads),
		OFFER_TEST(masks_name_devices_or_vendors),
		OFFER_TEST(programs_that_take_the_first_spread_by_speed),
		OFFER_TEST(contexts_of_a_session_go_to_different_cards),
		OFFER_TEST(a_place_that_is_not_there_is_refused),
		OFFER_TEST(a_drained_device_gets_nothing_new),
		OFFER_TEST(weights_are_those_of_the_first_pattern),
		OFFER_TEST(vendors_that_are_apart_are_not_offered_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
