/* SPDX-License-Identifier: ISC */
#include "hostd/sane.h"

#include <CL/cl.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct infoset told, out;
static struct err_text text;

/* What a device has to tell, but for one property. */
static void
tell_but(uint32_t param)
{
	static const size_t sizes[] = { 64, 32, 16 };
	static const struct {
		uint32_t param;
		size_t size;
		uint64_t v;
	} numbers[] = {
		{ CL_DEVICE_TYPE, 8, CL_DEVICE_TYPE_GPU },
		{ CL_DEVICE_ADDRESS_BITS, 4, 64 },
		{ CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 4, 3 },
		{ CL_DEVICE_MAX_WORK_GROUP_SIZE, 8, 64 },
		{ CL_DEVICE_MAX_COMPUTE_UNITS, 4, 7 },
		{ CL_DEVICE_MAX_CLOCK_FREQUENCY, 4, 900 },
		{ CL_DEVICE_GLOBAL_MEM_SIZE, 8, 4096 },
		{ CL_DEVICE_MAX_MEM_ALLOC_SIZE, 8, 1024 },
		{ CL_DEVICE_LOCAL_MEM_SIZE, 8, 0 },
		{ CL_DEVICE_MAX_PARAMETER_SIZE, 8, 256 },
		{ CL_DEVICE_MEM_BASE_ADDR_ALIGN, 4, 2048 },
	};
	size_t i;

	infoset_fini(&told);
	infoset_init(&told);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (numbers[i].param == param)
			continue;
		if (numbers[i].size == 4)
			infoset_put_u32(&told, numbers[i].param,
			    (uint32_t)numbers[i].v);
		else
			infoset_put_u64(&told, numbers[i].param,
			    numbers[i].v);
	}
	if (param != CL_DEVICE_MAX_WORK_ITEM_SIZES)
		infoset_put(&told, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizes,
		    sizeof(sizes));
	if (param != CL_DEVICE_VERSION)
		infoset_put_text(&told, CL_DEVICE_VERSION, "OpenCL 3.0 x");
	if (param != CL_DEVICE_NAME)
		infoset_put_text(&told, CL_DEVICE_NAME, "Card");
}

static bool
is_sane(void)
{
	infoset_fini(&out);
	infoset_init(&out);
	return sane_device(&out, &told, &text);
}

static int
teardown(void **state)
{
	(void)state;
	infoset_fini(&told);
	infoset_fini(&out);
	return 0;
}

static void
what_can_be_is_told_as_it_is(void **state)
{
	(void)state;
	tell_but(0);
	assert_true(is_sane());
	assert_int_equal(infoset_size(&out), infoset_size(&told));
	assert_memory_equal(infoset_bytes(&out), infoset_bytes(&told),
	    infoset_size(&told));
	tell_but(CL_DEVICE_NAME);	/* nobody relies on it */
	assert_true(is_sane());
}

static void
nothing_runs_without_some(void **state)
{
	static const uint32_t needed[] = { CL_DEVICE_TYPE,
		CL_DEVICE_ADDRESS_BITS, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS,
		CL_DEVICE_MAX_WORK_GROUP_SIZE, CL_DEVICE_MAX_COMPUTE_UNITS,
		CL_DEVICE_GLOBAL_MEM_SIZE, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
		CL_DEVICE_MAX_PARAMETER_SIZE, CL_DEVICE_MAX_WORK_ITEM_SIZES,
		CL_DEVICE_VERSION };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		tell_but(needed[i]);
		assert_false(is_sane());
		/* nor with a wrong size */
		infoset_put(&told, needed[i], "abc", 3);
		assert_false(is_sane());
	}
	tell_but(CL_DEVICE_MAX_WORK_GROUP_SIZE);
	infoset_put_u64(&told, CL_DEVICE_MAX_WORK_GROUP_SIZE, 0);
	assert_false(is_sane());
	assert_string_equal(text.s, "its work-group size is 0");
}

static void
what_is_not_available_is_left_out(void **state)
{
	(void)state;
	tell_but(0);
	infoset_put_u32(&told, CL_DEVICE_AVAILABLE, CL_TRUE);
	assert_true(is_sane());
	tell_but(0);
	infoset_put_u32(&told, CL_DEVICE_AVAILABLE, CL_FALSE);
	assert_false(is_sane());
	assert_string_equal(text.s, "it is not available");
}

static void
dimensions_and_sizes_have_to_match(void **state)
{
	static const size_t zero[] = { 64, 0, 64 }, many[] = { 1, 1, 1, 1 };

	(void)state;
	tell_but(CL_DEVICE_MAX_WORK_ITEM_SIZES);
	infoset_put(&told, CL_DEVICE_MAX_WORK_ITEM_SIZES, many, sizeof(many));
	assert_false(is_sane());
	tell_but(CL_DEVICE_MAX_WORK_ITEM_SIZES);
	infoset_put(&told, CL_DEVICE_MAX_WORK_ITEM_SIZES, zero, sizeof(zero));
	assert_false(is_sane());
	tell_but(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS);
	infoset_put_u32(&told, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, UINT32_MAX);
	assert_false(is_sane());
}

static void
what_is_absurd_is_told_as_the_nearest(void **state)
{
	(void)state;
	tell_but(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
	infoset_put_u64(&told, CL_DEVICE_MAX_MEM_ALLOC_SIZE, 5000);
	assert_true(is_sane());
	assert_int_equal(infoset_u64(&out, CL_DEVICE_MAX_MEM_ALLOC_SIZE, 0),
	    4096);
	tell_but(CL_DEVICE_MAX_CLOCK_FREQUENCY);
	infoset_put_u32(&told, CL_DEVICE_MAX_CLOCK_FREQUENCY, UINT32_MAX);
	assert_true(is_sane());
	assert_int_equal(infoset_u32(&out, CL_DEVICE_MAX_CLOCK_FREQUENCY, 0),
	    100000);
	tell_but(CL_DEVICE_MEM_BASE_ADDR_ALIGN);
	infoset_put_u32(&told, CL_DEVICE_MEM_BASE_ADDR_ALIGN, 48);
	assert_true(is_sane());
	assert_int_equal(infoset_u32(&out, CL_DEVICE_MEM_BASE_ADDR_ALIGN, 0),
	    1024);
}

static void
texts_get_an_end(void **state)
{
	(void)state;
	tell_but(CL_DEVICE_NAME);
	infoset_put(&told, CL_DEVICE_NAME, "Card", 4);
	assert_true(is_sane());
	assert_string_equal(infoset_text(&out, CL_DEVICE_NAME, ""), "Card");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_can_be_is_told_as_it_is),
		cmocka_unit_test(nothing_runs_without_some),
		cmocka_unit_test(what_is_not_available_is_left_out),
		cmocka_unit_test(dimensions_and_sizes_have_to_match),
		cmocka_unit_test(what_is_absurd_is_told_as_the_nearest),
		cmocka_unit_test(texts_get_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, teardown);
}
