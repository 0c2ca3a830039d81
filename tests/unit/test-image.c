/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "icd-vgpu/image_format.h"

static size_t
size_of(cl_channel_order order, cl_channel_type type)
{
	return image_format_size(&(cl_image_format){ order, type });
}

static void
an_element_is_its_channels_or_what_packs_them(void **state)
{
	(void)state;
	assert_int_equal(size_of(CL_R, CL_UNORM_INT8), 1);
	assert_int_equal(size_of(CL_RG, CL_HALF_FLOAT), 4);
	assert_int_equal(size_of(CL_RGBA, CL_UNORM_INT8), 4);
	assert_int_equal(size_of(CL_BGRA, CL_UNORM_INT8), 4);
	assert_int_equal(size_of(CL_RGBA, CL_FLOAT), 16);
	assert_int_equal(size_of(CL_DEPTH, CL_UNORM_INT16), 2);
	assert_int_equal(size_of(CL_RGB, CL_UNORM_SHORT_565), 2);
	assert_int_equal(size_of(CL_RGBx, CL_UNORM_SHORT_555), 2);
	assert_int_equal(size_of(CL_RGB, CL_UNORM_INT_101010), 4);
}

static void
orders_and_types_that_are_none_have_no_size(void **state)
{
	(void)state;
	assert_int_equal(size_of(0, CL_FLOAT), 0);
	assert_int_equal(size_of(CL_RGBA, 0), 0);
	assert_int_equal(size_of(CL_FLOAT, CL_RGBA), 0);
	assert_int_equal(size_of(CL_R, CL_UNORM_SHORT_565), 0);
}

/* An image of 10 x 7 elements of 4 bytes in 5 layers, as its shadow is. */
static struct mem
layers(cl_mem_object_type type)
{
	struct mem m = { .type = type, .image = { .element = 4, .width = 10,
		.height = 7, .array = 5, .row_pitch = 64,
		.slice_pitch = 640 } };

	if (type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
		m.image.height = 0;
	return m;
}

static void
a_region_lies_within_the_image(void **state)
{
	struct mem m = layers(CL_MEM_OBJECT_IMAGE2D_ARRAY);
	const size_t all[3] = { 10, 7, 5 }, none[3] = { 0, 0, 0 };
	const size_t one[3] = { 1, 1, 1 }, flat[3] = { 10, 7, 0 };
	const size_t last[3] = { 9, 6, 4 }, wrap[3] = { SIZE_MAX, 0, 0 };
	const size_t beyond[3] = { 0, 0, 5 };

	(void)state;
	assert_int_equal(image_check_region(&m, none, all), CL_SUCCESS);
	assert_int_equal(image_check_region(&m, last, one), CL_SUCCESS);
	assert_int_equal(image_check_region(&m, last, all), CL_INVALID_VALUE);
	assert_int_equal(image_check_region(&m, beyond, one),
	    CL_INVALID_VALUE);
	assert_int_equal(image_check_region(&m, wrap, one), CL_INVALID_VALUE);
	assert_int_equal(image_check_region(&m, none, flat),
	    CL_INVALID_VALUE);
	assert_int_equal(image_check_region(&m, NULL, all), CL_INVALID_VALUE);
	assert_int_equal(image_check_region(&m, none, NULL),
	    CL_INVALID_VALUE);
}

static void
the_images_of_a_1d_array_come_second(void **state)
{
	struct mem m = layers(CL_MEM_OBJECT_IMAGE1D_ARRAY);
	const size_t none[3] = { 0, 0, 0 }, all[3] = { 10, 5, 1 };
	const size_t third[3] = { 2, 3, 0 }, some[3] = { 4, 2, 1 };
	uint8_t base[1] = { 0 };
	struct layout l;

	(void)state;
	assert_int_equal(image_check_region(&m, none, all), CL_SUCCESS);
	l = image_view(&m, third, some, base);
	assert_int_equal(l.base - base, 2 * 4 + 3 * 640);
	assert_int_equal(l.row, 16);
	assert_int_equal(l.rows, 1);
	assert_int_equal(l.slices, 2);
	assert_int_equal(l.slice_pitch, 640);
}

static void
a_view_has_the_pitches_of_the_image(void **state)
{
	struct mem m = layers(CL_MEM_OBJECT_IMAGE2D_ARRAY);
	const size_t at[3] = { 1, 2, 3 }, n[3] = { 5, 4, 2 };
	uint8_t base[1] = { 0 };
	struct layout l = image_view(&m, at, n, base);

	(void)state;
	assert_int_equal(l.base - base, 4 + 2 * 64 + 3 * 640);
	assert_int_equal(l.row, 20);
	assert_int_equal(l.rows, 4);
	assert_int_equal(l.slices, 2);
	assert_int_equal(l.row_pitch, 64);
	assert_int_equal(l.slice_pitch, 640);
}

static void
pitches_of_the_program_are_kept_and_checked(void **state)
{
	struct mem m = layers(CL_MEM_OBJECT_IMAGE2D_ARRAY);
	const size_t n[3] = { 5, 4, 2 };
	uint8_t base[1] = { 0 };
	struct layout l;

	(void)state;
	assert_int_equal(image_layout(&m, n, 0, 0, base, &l), CL_SUCCESS);
	assert_int_equal(l.row_pitch, 20);
	assert_int_equal(l.slice_pitch, 80);
	assert_int_equal(image_layout(&m, n, 24, 100, base, &l), CL_SUCCESS);
	assert_int_equal(l.row_pitch, 24);
	assert_int_equal(l.slice_pitch, 100);
	assert_int_equal(image_layout(&m, n, 19, 0, base, &l),
	    CL_INVALID_VALUE);
	assert_int_equal(image_layout(&m, n, 24, 95, base, &l),
	    CL_INVALID_VALUE);
	assert_int_equal(image_layout(&m, n, SIZE_MAX / 2, 0, base, &l),
	    CL_INVALID_VALUE);
}

static void
boxes_overlap_only_when_they_do_in_every_direction(void **state)
{
	const size_t n[3] = { 5, 5, 1 }, a[3] = { 0, 0, 0 };

	(void)state;
	assert_true(image_overlap(a, a, n));
	assert_true(image_overlap(a, (const size_t[3]){ 4, 4, 0 }, n));
	assert_false(image_overlap(a, (const size_t[3]){ 5, 4, 0 }, n));
	assert_false(image_overlap((const size_t[3]){ 4, 5, 0 }, a, n));
	assert_false(image_overlap(a, (const size_t[3]){ 0, 0, 1 }, n));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    an_element_is_its_channels_or_what_packs_them),
		cmocka_unit_test(orders_and_types_that_are_none_have_no_size),
		cmocka_unit_test(a_region_lies_within_the_image),
		cmocka_unit_test(the_images_of_a_1d_array_come_second),
		cmocka_unit_test(a_view_has_the_pitches_of_the_image),
		cmocka_unit_test(pitches_of_the_program_are_kept_and_checked),
		cmocka_unit_test(
		    boxes_overlap_only_when_they_do_in_every_direction),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
