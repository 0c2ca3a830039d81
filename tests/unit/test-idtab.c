/* SPDX-License-Identifier: ISC */
#include "hostd/idtab.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define ID(generation, slot) ((uint64_t)(generation) << 32 | (slot))

static int a, b;

static int
setup(void **state)
{
	return (*state = idtab_new(100)) != NULL ? 0 : -1;
}

static int
teardown(void **state)
{
	idtab_free(*state);
	return 0;
}

static void
an_object_is_found_by_its_id_and_kind(void **state)
{
	struct idtab *t = *state;

	assert_int_equal(idtab_put(t, ID(1, 1), OBJ_MEM, &a), VGPU_OK);
	assert_int_equal(idtab_put(t, ID(1, 99), OBJ_EVENT, &b), VGPU_OK);
	assert_ptr_equal(idtab_get(t, ID(1, 1), OBJ_MEM), &a);
	assert_ptr_equal(idtab_get(t, ID(1, 99), OBJ_EVENT), &b);
	assert_ptr_equal(idtab_get(t, ID(1, 99), OBJ_NONE), &b);
	assert_null(idtab_get(t, ID(1, 1), OBJ_EVENT));
	assert_null(idtab_take(t, ID(1, 1), OBJ_EVENT));
	assert_ptr_equal(idtab_get(t, ID(1, 1), OBJ_MEM), &a);
}

static void
an_id_that_was_never_made_names_nothing(void **state)
{
	struct idtab *t = *state;

	assert_null(idtab_get(t, ID(1, 1), OBJ_NONE));
	assert_int_equal(idtab_put(t, ID(5, 3), OBJ_MEM, &a), VGPU_OK);
	assert_null(idtab_get(t, ID(4, 3), OBJ_NONE));
	assert_null(idtab_get(t, ID(6, 3), OBJ_NONE));
	assert_null(idtab_get(t, ID(5, 2), OBJ_NONE));
	assert_null(idtab_get(t, ID(5, UINT32_MAX), OBJ_NONE));
	assert_null(idtab_get(t, 0, OBJ_NONE));
	assert_null(idtab_take(t, ID(5, 100), OBJ_NONE));
}

static void
a_released_id_never_comes_back(void **state)
{
	struct idtab *t = *state;

	assert_int_equal(idtab_put(t, ID(1, 2), OBJ_MEM, &a), VGPU_OK);
	assert_ptr_equal(idtab_take(t, ID(1, 2), OBJ_MEM), &a);
	assert_null(idtab_get(t, ID(1, 2), OBJ_MEM));
	assert_null(idtab_take(t, ID(1, 2), OBJ_MEM));
	assert_int_equal(idtab_put(t, ID(1, 2), OBJ_MEM, &b), VGPU_EHANDLE);
	assert_int_equal(idtab_put(t, ID(2, 2), OBJ_MEM, &b), VGPU_OK);
	assert_ptr_equal(idtab_get(t, ID(2, 2), OBJ_MEM), &b);
}

static void
generations_only_grow(void **state)
{
	struct idtab *t = *state;

	assert_int_equal(idtab_put(t, ID(9, 2), OBJ_MEM, &a), VGPU_OK);
	assert_ptr_equal(idtab_take(t, ID(9, 2), OBJ_MEM), &a);
	assert_int_equal(idtab_put(t, ID(8, 2), OBJ_MEM, &a), VGPU_EHANDLE);
	assert_int_equal(idtab_put(t, ID(UINT32_MAX, 2), OBJ_MEM, &a),
	    VGPU_OK);
	assert_ptr_equal(idtab_take(t, ID(UINT32_MAX, 2), OBJ_MEM), &a);
	assert_int_equal(idtab_put(t, ID(UINT32_MAX, 2), OBJ_MEM, &a),
	    VGPU_EHANDLE);
	assert_int_equal(idtab_put(t, ID(1, 2), OBJ_MEM, &a), VGPU_EHANDLE);
}

static void
a_slot_in_use_is_not_given_twice(void **state)
{
	struct idtab *t = *state;

	assert_int_equal(idtab_put(t, ID(1, 2), OBJ_MEM, &a), VGPU_OK);
	assert_int_equal(idtab_put(t, ID(2, 2), OBJ_MEM, &b), VGPU_EHANDLE);
	assert_ptr_equal(idtab_get(t, ID(1, 2), OBJ_MEM), &a);
}

static void
slot_zero_and_generation_zero_are_no_ids(void **state)
{
	struct idtab *t = *state;

	assert_int_equal(idtab_put(t, ID(1, 0), OBJ_MEM, &a), VGPU_EHANDLE);
	assert_int_equal(idtab_put(t, ID(0, 1), OBJ_MEM, &a), VGPU_EHANDLE);
	assert_int_equal(idtab_put(t, 0, OBJ_MEM, &a), VGPU_EHANDLE);
}

static void
a_slot_beyond_the_limit_is_over_quota(void **state)
{
	struct idtab *t = *state;

	assert_int_equal(idtab_put(t, ID(1, 99), OBJ_MEM, &a), VGPU_OK);
	assert_int_equal(idtab_put(t, ID(1, 100), OBJ_MEM, &a), VGPU_EQUOTA);
	assert_int_equal(idtab_put(t, ID(1, UINT32_MAX), OBJ_MEM, &a),
	    VGPU_EQUOTA);
}

static void
many_objects_come_and_go(void **state)
{
	struct idtab *t = idtab_new(1u << 24);
	uint32_t i, n = 100000;
	int *objects = calloc(n + 1, sizeof(*objects));

	(void)state;
	assert_non_null(t);
	assert_non_null(objects);
	for (i = 1; i <= n; i++)
		assert_int_equal(idtab_put(t, ID(1, i), OBJ_MEM, &objects[i]),
		    VGPU_OK);
	for (i = 1; i <= n; i += 3)
		assert_ptr_equal(idtab_take(t, ID(1, i), OBJ_MEM),
		    &objects[i]);
	for (i = 1; i <= n; i++)
		assert_ptr_equal(idtab_get(t, ID(1, i), OBJ_MEM),
		    i % 3 == 1 ? NULL : &objects[i]);
	idtab_free(t);
	free(objects);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    an_object_is_found_by_its_id_and_kind, setup, teardown),
		cmocka_unit_test_setup_teardown(
		    an_id_that_was_never_made_names_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(
		    a_released_id_never_comes_back, setup, teardown),
		cmocka_unit_test_setup_teardown(generations_only_grow, setup,
		    teardown),
		cmocka_unit_test_setup_teardown(
		    a_slot_in_use_is_not_given_twice, setup, teardown),
		cmocka_unit_test_setup_teardown(
		    slot_zero_and_generation_zero_are_no_ids, setup, teardown),
		cmocka_unit_test_setup_teardown(
		    a_slot_beyond_the_limit_is_over_quota, setup, teardown),
		cmocka_unit_test(many_objects_come_and_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
