/* SPDX-License-Identifier: ISC */
#include "hostd/pool.h"

#include <CL/cl_ext.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define POCL "Portable Computing Language"
#define EVERY (CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU | \
    CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_DEFAULT)

static void
add(struct pool *p, unsigned vendor, const char *platform, uint64_t type,
    uint32_t units, uint32_t clock)
{
	struct infoset info, of_platform;

	infoset_init(&info);
	infoset_init(&of_platform);
	infoset_put_u64(&info, CL_DEVICE_TYPE, type);
	infoset_put_u32(&info, CL_DEVICE_MAX_COMPUTE_UNITS, units);
	infoset_put_u32(&info, CL_DEVICE_MAX_CLOCK_FREQUENCY, clock);
	infoset_put_text(&of_platform, CL_PLATFORM_NAME, platform);
	assert_int_equal(pool_add_device(p, vendor, 0, p->device_count, &info,
	    &of_platform), VGPU_OK);
	infoset_fini(&info);
	infoset_fini(&of_platform);
}

static struct pool *
make(void)
{
	struct pool *p = pool_new();
	unsigned index;

	assert_non_null(p);
	assert_int_equal(pool_add_vendor(p, "/v/pocl.icd", NULL, &index),
	    VGPU_OK);
	assert_int_equal(index, 0);
	assert_int_equal(pool_add_vendor(p, "/v/bad.icd", "it crashed",
	    &index), VGPU_OK);
	assert_int_equal(index, 1);
	return p;
}

static void
real_devices_come_before_the_fallback_and_simulators(void **state)
{
	static const unsigned expected[] = { 3, 2, 1, 0, 0 };
	struct pool *p = make();
	unsigned i;

	(void)state;
	add(p, 0, "Oclgrind", EVERY, 100, 9000);
	add(p, 0, POCL, CL_DEVICE_TYPE_CPU, 100, 9000);
	add(p, 0, "Other", CL_DEVICE_TYPE_CPU, 2, 1000);
	add(p, 0, "Card", CL_DEVICE_TYPE_GPU, 1, 1000);
	add(p, 0, "Board", CL_DEVICE_TYPE_ACCELERATOR, 2, 1000);
	pool_finish(p);
	assert_true(p->devices[0].simulator);
	assert_false(p->devices[0].fallback);
	assert_true(p->devices[1].fallback);
	assert_false(p->devices[2].fallback);
	assert_ptr_equal(pool_first(p), &p->devices[4]);
	for (i = 0; i < 5; i++)
		assert_int_equal(pool_rank(&p->devices[i]), expected[i]);
	pool_free(p);
}

static void
a_cpu_that_is_all_there_is_is_no_fallback(void **state)
{
	struct pool *p = make();

	(void)state;
	add(p, 0, "Oclgrind", EVERY, 100, 9000);
	add(p, 0, POCL, CL_DEVICE_TYPE_CPU, 2, 3);
	pool_finish(p);
	assert_false(p->devices[1].fallback);
	assert_int_equal(pool_rank(&p->devices[1]), 1);
	assert_int_equal(pool_speed(&p->devices[1]), 6);
	assert_ptr_equal(pool_first(p), &p->devices[1]);
	pool_free(p);
}

static void
what_runs_on_the_processor_is_one_card(void **state)
{
	struct pool *p = make();

	(void)state;
	add(p, 0, "Card", CL_DEVICE_TYPE_GPU, 1, 1);
	add(p, 0, POCL, CL_DEVICE_TYPE_CPU, 1, 1);
	add(p, 0, "Card", CL_DEVICE_TYPE_GPU, 1, 1);
	add(p, 0, "Oclgrind", EVERY, 1, 1);
	pool_finish(p);
	assert_int_equal(p->devices[1].card, p->devices[3].card);
	assert_int_not_equal(p->devices[0].card, p->devices[2].card);
	assert_int_not_equal(p->devices[0].card, p->devices[1].card);
	pool_free(p);
}

static void
one_bus_address_is_one_card(void **state)
{
	static const cl_device_pci_bus_info_khr one = { 0, 1, 2, 3 },
	    other = { 0, 1, 2, 4 };
	struct pool *p = make();
	struct infoset info, platform;
	unsigned i;

	(void)state;
	infoset_init(&platform);
	for (i = 0; i < 3; i++) {
		infoset_init(&info);
		infoset_put_u64(&info, CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU);
		infoset_put(&info, CL_DEVICE_PCI_BUS_INFO_KHR, i == 1 ?
		    &other : &one, sizeof(one));
		pool_add_device(p, 0, 0, i, &info, &platform);
		infoset_fini(&info);
	}
	pool_finish(p);
	assert_int_equal(p->devices[0].card, p->devices[2].card);
	assert_int_not_equal(p->devices[0].card, p->devices[1].card);
	pool_free(p);
}

static void
an_excluded_vendor_has_no_devices(void **state)
{
	struct pool *p = make();
	unsigned index;

	(void)state;
	assert_int_equal(pool_add_vendor(p, "/v/card.icd", NULL, &index),
	    VGPU_OK);
	add(p, 0, "Card", CL_DEVICE_TYPE_GPU, 1, 1000);
	add(p, index, "Card", CL_DEVICE_TYPE_GPU, 2, 1000);
	add(p, 0, "Card", CL_DEVICE_TYPE_GPU, 3, 1000);
	add(p, index, "Card", CL_DEVICE_TYPE_GPU, 4, 1000);
	assert_int_equal(pool_exclude_vendor(p, 0, "no context"), VGPU_OK);
	assert_false(p->vendors[0].usable);
	assert_string_equal(p->vendors[0].reason, "no context");
	assert_true(p->vendors[index].usable);
	assert_int_equal(p->device_count, 2);
	assert_int_equal(pool_speed(pool_find(p, 0)), 2000);
	assert_int_equal(pool_speed(pool_find(p, 1)), 4000);
	assert_null(pool_find(p, 2));
	pool_free(p);
}

static void
vendors_are_apart_in_both_directions(void **state)
{
	struct pool *p = make();
	unsigned i;

	(void)state;
	assert_null(pool_apart(p, 0, 1));
	assert_false(p->vendors[0].apart);
	assert_int_equal(pool_add_apart(p, 1, 0, "they crash"), VGPU_OK);
	assert_string_equal(pool_apart(p, 0, 1), "they crash");
	assert_true(p->vendors[0].apart && p->vendors[1].apart);
	assert_string_equal(pool_apart(p, 1, 0), "they crash");
	assert_null(pool_apart(p, 1, 1));
	for (i = 1; i < POOL_APARTS_MAX; i++)
		assert_int_equal(pool_add_apart(p, 0, 0, "x"), VGPU_OK);
	assert_int_equal(pool_add_apart(p, 0, 0, "x"), VGPU_EQUOTA);
	pool_free(p);
}

static void
a_selection_keeps_order_and_indexes(void **state)
{
	struct pool *p = make();

	(void)state;
	add(p, 0, "Card", CL_DEVICE_TYPE_GPU, 1, 1);
	add(p, 0, "Card", CL_DEVICE_TYPE_GPU, 2, 1);
	add(p, 0, "Card", CL_DEVICE_TYPE_GPU, 3, 1);
	pool_select(p, (const unsigned[]){ 2, 7, 0, 2 }, 4);
	assert_int_equal(p->device_count, 2);
	assert_int_equal(p->devices[0].index, 2);
	assert_int_equal(p->devices[1].index, 0);
	assert_int_equal(infoset_u32(&p->devices[0].info,
	    CL_DEVICE_MAX_COMPUTE_UNITS, 0), 3);
	pool_select(p, NULL, 0);
	assert_int_equal(p->device_count, 0);
	pool_free(p);
}

static void
what_is_encoded_comes_back(void **state)
{
	struct pool *p = make(), *q;
	struct err_text text;
	struct infoset bytes;

	(void)state;
	add(p, 0, "Oclgrind", EVERY, 100, 9000);
	add(p, 0, POCL, CL_DEVICE_TYPE_CPU, 4, 3000);
	add(p, 0, "Card", CL_DEVICE_TYPE_GPU, 5, 1000);
	pool_add_apart(p, 0, 0, "alone");
	pool_finish(p);
	infoset_init(&bytes);
	pool_encode(p, &bytes);
	assert_int_equal(pool_decode(&q, infoset_bytes(&bytes),
	    infoset_size(&bytes), &text), VGPU_OK);
	assert_int_equal(q->vendor_count, 2);
	assert_string_equal(q->vendors[0].icd, "/v/pocl.icd");
	assert_string_equal(q->vendors[0].name, "pocl");
	assert_true(q->vendors[0].usable);
	assert_true(q->vendors[0].apart);
	assert_false(q->vendors[1].apart);
	assert_false(q->vendors[1].usable);
	assert_string_equal(q->vendors[1].reason, "it crashed");
	assert_int_equal(q->device_count, 3);
	assert_true(q->devices[0].simulator);
	assert_true(q->devices[1].fallback);
	assert_int_equal(q->devices[2].device, 2);
	assert_int_equal(infoset_u32(&q->devices[1].info,
	    CL_DEVICE_MAX_CLOCK_FREQUENCY, 0), 3000);
	assert_string_equal(infoset_text(&q->devices[1].platform_info,
	    CL_PLATFORM_NAME, ""), POCL);
	infoset_fini(&bytes);
	pool_free(p);
	pool_free(q);
}

/* The bytes come from a process that ran a vendor's code. */
static void
no_damage_to_the_bytes_does_harm(void **state)
{
	struct pool *p = make(), *q;
	struct err_text text;
	struct infoset bytes;
	uint8_t *copy;
	size_t n, i;

	(void)state;
	add(p, 0, POCL, CL_DEVICE_TYPE_CPU, 4, 3000);
	infoset_init(&bytes);
	pool_encode(p, &bytes);
	n = infoset_size(&bytes);
	assert_non_null(copy = malloc(n));
	for (i = 0; i < 2 * n; i++) {
		memcpy(copy, infoset_bytes(&bytes), n);
		if (i >= n)
			copy[i - n] ^= 0xff;
		if (pool_decode(&q, copy, i < n ? i : n, &text) == VGPU_OK)
			pool_free(q);
	}
	free(copy);
	infoset_fini(&bytes);
	pool_free(p);
}

static void
a_device_of_no_vendor_is_refused(void **state)
{
	struct pool *p = make(), *q;
	struct err_text text;
	struct infoset bytes;

	(void)state;
	add(p, 2, POCL, CL_DEVICE_TYPE_CPU, 4, 3000);
	infoset_init(&bytes);
	pool_encode(p, &bytes);
	assert_int_equal(pool_decode(&q, infoset_bytes(&bytes),
	    infoset_size(&bytes), &text), VGPU_EPROTO);
	assert_string_equal(text.s, "pool: device of vendor 2, of 2");
	infoset_fini(&bytes);
	pool_free(p);
}

static void
too_many_are_refused(void **state)
{
	struct infoset empty;
	struct pool *p = make();
	unsigned i, index;
	enum vgpu_err rc = VGPU_OK;

	(void)state;
	for (i = p->vendor_count; i < POOL_VENDORS_MAX; i++)
		assert_int_equal(pool_add_vendor(p, "x", NULL, &index),
		    VGPU_OK);
	assert_int_equal(pool_add_vendor(p, "x", NULL, &index), VGPU_EQUOTA);
	infoset_init(&empty);
	for (i = 0; rc == VGPU_OK && i <= POOL_DEVICES_MAX; i++)
		rc = pool_add_device(p, 0, 0, i, &empty, &empty);
	assert_int_equal(rc, VGPU_EQUOTA);
	assert_int_equal(p->device_count, POOL_DEVICES_MAX);
	pool_free(p);
}

static struct pool *
of(unsigned units, unsigned clock, unsigned count)
{
	struct pool *p = make();

	while (count-- > 0)
		add(p, 0, "Card", CL_DEVICE_TYPE_GPU, units, clock);
	pool_finish(p);
	return p;
}

static void
pools_are_the_same_but_for_the_clock(void **state)
{
	struct pool *a = of(4, 1000, 2), *b[] = { of(4, 1000, 2),
		of(4, 1100, 2), of(5, 1000, 2), of(4, 1000, 1) };
	unsigned i;

	(void)state;
	for (i = 0; i < 4; i++) {
		assert_int_equal(pool_same(a, b[i]), i < 2);
		assert_int_equal(pool_same(b[i], a), i < 2);
	}
	b[0]->devices[1].index = 7;
	assert_false(pool_same(a, b[0]));
	for (i = 0; i < 4; i++)
		pool_free(b[i]);
	pool_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    real_devices_come_before_the_fallback_and_simulators),
		cmocka_unit_test(a_cpu_that_is_all_there_is_is_no_fallback),
		cmocka_unit_test(what_runs_on_the_processor_is_one_card),
		cmocka_unit_test(one_bus_address_is_one_card),
		cmocka_unit_test(an_excluded_vendor_has_no_devices),
		cmocka_unit_test(vendors_are_apart_in_both_directions),
		cmocka_unit_test(a_selection_keeps_order_and_indexes),
		cmocka_unit_test(what_is_encoded_comes_back),
		cmocka_unit_test(no_damage_to_the_bytes_does_harm),
		cmocka_unit_test(a_device_of_no_vendor_is_refused),
		cmocka_unit_test(too_many_are_refused),
		cmocka_unit_test(pools_are_the_same_but_for_the_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
