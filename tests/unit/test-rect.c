/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/rect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct rect
box(size_t x, size_t y, size_t z, size_t w, size_t h, size_t d, size_t row,
    size_t slice)
{
	const size_t origin[3] = { x, y, z }, region[3] = { w, h, d };
	struct rect r;

	assert_int_equal(rect_init(&r, origin, region, row, slice),
	    CL_SUCCESS);
	return r;
}

static void
pitches_of_zero_are_computed(void **state)
{
	struct rect r = box(0, 0, 0, 10, 4, 3, 0, 0);

	(void)state;
	assert_int_equal(r.row_pitch, 10);
	assert_int_equal(r.slice_pitch, 40);
	r = box(0, 0, 0, 10, 4, 3, 16, 0);
	assert_int_equal(r.slice_pitch, 64);
}

static void
regions_and_pitches_that_do_not_fit_are_refused(void **state)
{
	const size_t origin[3] = { 0, 0, 0 }, region[3] = { 10, 4, 3 };
	const size_t empty[3] = { 10, 0, 3 };
	struct rect r;

	(void)state;
	assert_int_equal(rect_init(&r, NULL, region, 0, 0), CL_INVALID_VALUE);
	assert_int_equal(rect_init(&r, origin, NULL, 0, 0), CL_INVALID_VALUE);
	assert_int_equal(rect_init(&r, origin, empty, 0, 0), CL_INVALID_VALUE);
	assert_int_equal(rect_init(&r, origin, region, 9, 0),
	    CL_INVALID_VALUE);
	assert_int_equal(rect_init(&r, origin, region, 10, 39),
	    CL_INVALID_VALUE);
	assert_int_equal(rect_init(&r, origin, region, 10, 45),
	    CL_INVALID_VALUE);
	assert_int_equal(rect_init(&r, origin, region, 10, 50), CL_SUCCESS);
}

static void
the_last_byte_decides_whether_it_fits(void **state)
{
	struct rect r = box(3, 1, 1, 10, 4, 3, 16, 100 * 16);

	(void)state;
	/* 3 + 1 row + 1 slice, then 2 slices, 3 rows and 10 bytes on. */
	assert_true(rect_fits(&r, 3 + 16 + 1600 + 3200 + 48 + 10));
	assert_false(rect_fits(&r, 3 + 16 + 1600 + 3200 + 48 + 9));
}

static void
sizes_beyond_memory_do_not_wrap_around(void **state)
{
	const size_t origin[3] = { 0, 0, 0 }, huge[3] = { 1, 2, 2 };
	struct rect r = box(1, SIZE_MAX / 2, 4, 1, 1, 1, 8, 0);
	size_t begin, end;

	(void)state;
	assert_false(rect_range(&r, &begin, &end));
	assert_false(rect_fits(&r, SIZE_MAX));
	assert_int_equal(rect_init(&r, origin, huge, SIZE_MAX / 2 + 2, 0),
	    CL_INVALID_VALUE);
	r = box(SIZE_MAX, 0, 0, 1, 1, 1, 0, 0);
	assert_false(rect_fits(&r, SIZE_MAX));
}

static void
a_layout_names_the_bytes_of_the_box(void **state)
{
	struct rect r = box(2, 1, 1, 3, 2, 2, 8, 32);
	uint8_t memory[128], packed[12];
	struct layout l = rect_layout(&r, memory);
	int i;

	(void)state;
	for (i = 0; i < 128; i++)
		memory[i] = (uint8_t)i;
	assert_int_equal(layout_bytes(&l), 12);
	layout_gather(&l, packed);
	assert_memory_equal(packed, ((uint8_t[]){ 42, 43, 44, 50, 51, 52, 74,
	    75, 76, 82, 83, 84 }), 12);
}

/* The plain way: mark every byte of one box, look for one of the other's. */
static bool
share_a_byte(const struct rect *a, size_t a_at, const struct rect *b,
    size_t b_at)
{
	static uint8_t memory[4096], other[4096];
	uint8_t ones[4096];
	struct layout x = rect_layout(a, memory + a_at);
	struct layout y = rect_layout(b, other + b_at);
	int i;

	memset(memory, 0, sizeof(memory));
	memset(other, 0, sizeof(other));
	memset(ones, 1, sizeof(ones));
	layout_scatter(&x, ones);
	layout_scatter(&y, ones);
	for (i = 0; i < 4096; i++)
		if (memory[i] && other[i])
			return true;
	return false;
}

static void
overlap_is_found_exactly_where_a_byte_is_shared(void **state)
{
	struct rect a, b;
	int i, found = 0;

	(void)state;
	srand(1);
	for (i = 0; i < 5000; i++) {
		size_t w = (size_t)rand() % 6 + 1, h = (size_t)rand() % 4 + 1;
		size_t d = (size_t)rand() % 3 + 1;
		size_t row = w + (size_t)rand() % 9;
		size_t slice = row * (h + (size_t)rand() % 3);
		size_t at = (size_t)rand() % 200, other = (size_t)rand() % 200;
		size_t skew = (size_t)rand() % 2;

		a = box((size_t)rand() % 9, (size_t)rand() % 4,
		    (size_t)rand() % 3, w, h, d, row, slice);
		b = box((size_t)rand() % 9, (size_t)rand() % 4,
		    (size_t)rand() % 3, w, h, d, row + skew,
		    skew ? (row + 1) * (h + 1) : slice);
		assert_int_equal(rect_overlap(&a, at, &b, other),
		    share_a_byte(&a, at, &b, other));
		found += rect_overlap(&a, at, &b, other);
	}
	assert_in_range(found, 100, 4900);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pitches_of_zero_are_computed),
		cmocka_unit_test(
		    regions_and_pitches_that_do_not_fit_are_refused),
		cmocka_unit_test(the_last_byte_decides_whether_it_fits),
		cmocka_unit_test(sizes_beyond_memory_do_not_wrap_around),
		cmocka_unit_test(a_layout_names_the_bytes_of_the_box),
		cmocka_unit_test(
		    overlap_is_found_exactly_where_a_byte_is_shared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
