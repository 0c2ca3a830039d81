/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/spirv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Ids: 1 bool, 2 a 64-bit integer, 3 half; 4, 5 and 6 constants of them. */
static const uint32_t module[] = {
	0x07230203, 0x00010000, 0, 7, 0,
	0x00040047, 4, 1, 10,		/* OpDecorate SpecId */
	0x00040047, 5, 1, 11,
	0x00040047, 6, 1, 12,
	0x00030047, 2, 5,		/* another decoration */
	0x00020014, 1,			/* OpTypeBool */
	0x00040015, 2, 64, 0,		/* OpTypeInt */
	0x00030016, 3, 16,		/* OpTypeFloat */
	0x00030030, 1, 4,		/* OpSpecConstantTrue */
	0x00050032, 2, 5, 0, 0,		/* OpSpecConstant */
	0x00040032, 3, 6, 0,
};
#define WORDS (sizeof(module) / sizeof(module[0]))

static void
swap(uint32_t *to)
{
	size_t i;

	for (i = 0; i < WORDS; i++)
		to[i] = __builtin_bswap32(module[i]);
}

static void
a_module_is_one_in_either_byte_order(void **state)
{
	uint32_t copy[WORDS];

	(void)state;
	swap(copy);
	assert_true(spirv_is_module(module, sizeof(module)));
	assert_true(spirv_is_module(copy, sizeof(copy)));
	assert_true(spirv_is_module(module, 5 * sizeof(uint32_t)));
}

static void
a_module_cut_within_an_instruction_is_none(void **state)
{
	size_t n, whole = 0;

	(void)state;
	for (n = 0; n <= sizeof(module); n++)
		whole += spirv_is_module(module, n);
	/* The head, and behind each of the ten instructions. */
	assert_int_equal(whole, 11);
}

static void
wrong_words_are_no_module(void **state)
{
	uint32_t copy[WORDS];

	(void)state;
	memcpy(copy, module, sizeof(copy));
	copy[0]++;
	assert_false(spirv_is_module(copy, sizeof(copy)));
	copy[0]--;
	copy[5] = 0x00000047;
	assert_false(spirv_is_module(copy, sizeof(copy)));
	copy[5] = 0xffff0047;
	assert_false(spirv_is_module(copy, sizeof(copy)));
}

static void
constants_have_the_size_of_their_type(void **state)
{
	uint32_t copy[WORDS];

	(void)state;
	assert_int_equal(spirv_constant_size(module, sizeof(module), 10), 1);
	assert_int_equal(spirv_constant_size(module, sizeof(module), 11), 8);
	assert_int_equal(spirv_constant_size(module, sizeof(module), 12), 2);
	swap(copy);
	assert_int_equal(spirv_constant_size(copy, sizeof(copy), 11), 8);
}

static void
unknown_constants_have_none(void **state)
{
	(void)state;
	assert_int_equal(spirv_constant_size(module, sizeof(module), 13), 0);
	/* Decorated, and the constant itself is cut off. */
	assert_int_equal(spirv_constant_size(module, 17 * 4, 10), 0);
	assert_int_equal(spirv_constant_size(module, 3, 10), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_module_is_one_in_either_byte_order),
		cmocka_unit_test(a_module_cut_within_an_instruction_is_none),
		cmocka_unit_test(wrong_words_are_no_module),
		cmocka_unit_test(constants_have_the_size_of_their_type),
		cmocka_unit_test(unknown_constants_have_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
