/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/calls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define ADDRESS icd_clGetExtensionFunctionAddress

static void
functions_of_extensions_that_became_core_are_found(void **state)
{
	static const char *const names[][2] = {
		{ "clCreateCommandQueueWithPropertiesKHR",
		    "clCreateCommandQueueWithProperties" },
		{ "clCreateProgramWithILKHR", "clCreateProgramWithIL" },
		{ "clGetKernelSubGroupInfoKHR", "clGetKernelSubGroupInfo" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_non_null(ADDRESS(names[i][0]));
		assert_ptr_equal(ADDRESS(names[i][0]), ADDRESS(names[i][1]));
	}
}

static void
unknown_names_have_no_function(void **state)
{
	(void)state;
	assert_null(ADDRESS(NULL));
	assert_null(ADDRESS(""));
	assert_null(ADDRESS("clCreateProgramWithIL "));
	assert_null(ADDRESS("clNoSuchFunctionKHR"));
}

static void
without_a_platform_extensions_have_no_functions(void **state)
{
	(void)state;
	assert_null(ADDRESS("clGetKernelSuggestedLocalWorkSizeKHR"));
}

static void
loaders_find_the_entry(void **state)
{
	(void)state;
	assert_non_null(ADDRESS("clIcdGetPlatformIDsKHR"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    functions_of_extensions_that_became_core_are_found),
		cmocka_unit_test(unknown_names_have_no_function),
		cmocka_unit_test(
		    without_a_platform_extensions_have_no_functions),
		cmocka_unit_test(loaders_find_the_entry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
