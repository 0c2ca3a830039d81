/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "icd-vgpu/context.h"
#include "icd-vgpu/map.h"

static struct context *context;

static int
setup(void **state)
{
	(void)state;
	context = object_new(OBJ_CONTEXT, sizeof(*context), NULL);
	if (context == NULL)
		return -1;
	context->o.local = true;
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	object_unuse(context);
	return 0;
}

static struct mem *
buffer(struct mem *parent, size_t offset, size_t size)
{
	struct mem *m = mem_new(context, CL_MEM_OBJECT_BUFFER);

	assert_non_null(m);
	m->size = size;
	m->offset = offset;
	if (parent != NULL)
		m->parent = object_use(parent);
	return m;
}

static void
flags_that_exclude_each_other_are_refused(void **state)
{
	(void)state;
	assert_int_equal(mem_check_flags(0), CL_SUCCESS);
	assert_int_equal(mem_check_flags(CL_MEM_READ_ONLY |
	    CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR |
	    CL_MEM_HOST_NO_ACCESS), CL_SUCCESS);
	assert_int_equal(mem_check_flags(CL_MEM_READ_ONLY |
	    CL_MEM_WRITE_ONLY), CL_INVALID_VALUE);
	assert_int_equal(mem_check_flags(CL_MEM_USE_HOST_PTR |
	    CL_MEM_COPY_HOST_PTR), CL_INVALID_VALUE);
	assert_int_equal(mem_check_flags(CL_MEM_USE_HOST_PTR |
	    CL_MEM_ALLOC_HOST_PTR), CL_INVALID_VALUE);
	assert_int_equal(mem_check_flags(CL_MEM_HOST_READ_ONLY |
	    CL_MEM_HOST_NO_ACCESS), CL_INVALID_VALUE);
	assert_int_equal(mem_check_flags(CL_MEM_KERNEL_READ_AND_WRITE),
	    CL_INVALID_VALUE);
	assert_int_equal(mem_check_flags((cl_mem_flags)1 << 40),
	    CL_INVALID_VALUE);
}

static void
a_host_pointer_goes_with_its_flags(void **state)
{
	int x;

	(void)state;
	assert_int_equal(mem_check_host_ptr(0, NULL), CL_SUCCESS);
	assert_int_equal(mem_check_host_ptr(CL_MEM_USE_HOST_PTR, &x),
	    CL_SUCCESS);
	assert_int_equal(mem_check_host_ptr(CL_MEM_COPY_HOST_PTR, NULL),
	    CL_INVALID_HOST_PTR);
	assert_int_equal(mem_check_host_ptr(CL_MEM_ALLOC_HOST_PTR, &x),
	    CL_INVALID_HOST_PTR);
}

static void
a_part_has_its_parents_flags_where_it_gives_none(void **state)
{
	struct mem *p = buffer(NULL, 0, 100);
	cl_mem_flags f = 0;

	(void)state;
	p->flags = CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR |
	    CL_MEM_HOST_READ_ONLY;
	assert_int_equal(mem_inherit_flags(p, 0, &f), CL_SUCCESS);
	assert_int_equal(f, p->flags);
	assert_int_equal(mem_inherit_flags(p, CL_MEM_HOST_NO_ACCESS, &f),
	    CL_SUCCESS);
	assert_int_equal(f, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR |
	    CL_MEM_HOST_NO_ACCESS);
	mem_drop(p);
}

static void
a_part_cannot_have_more_than_its_parent(void **state)
{
	static const cl_mem_flags pair[][2] = {
		{ CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE },
		{ CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY },
		{ CL_MEM_READ_ONLY, CL_MEM_READ_WRITE },
		{ CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY },
		{ CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY },
		{ CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY },
		{ CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY },
		{ CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY },
		{ CL_MEM_READ_WRITE, CL_MEM_USE_HOST_PTR },
		{ CL_MEM_READ_WRITE, CL_MEM_ALLOC_HOST_PTR },
	};
	struct mem *p = buffer(NULL, 0, 100);
	cl_mem_flags f = 12345;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(pair) / sizeof(pair[0]); i++) {
		p->flags = pair[i][0];
		assert_int_equal(mem_inherit_flags(p, pair[i][1], &f),
		    CL_INVALID_VALUE);
	}
	assert_int_equal(f, 12345);
	mem_drop(p);
}

static void
maps_of_a_buffer_and_its_parts_are_the_same_memory(void **state)
{
	struct mem *p = buffer(NULL, 0, 10000), *s = buffer(p, 4096, 100);
	uint8_t *all = map_base(p);

	(void)state;
	assert_non_null(all);
	assert_ptr_equal(map_base(s), all + 4096);
	assert_ptr_equal(map_base(p), all);
	mem_drop(s);
	mem_drop(p);
}

static void
a_map_of_the_programs_memory_is_that_memory(void **state)
{
	struct mem *p = buffer(NULL, 0, 10);
	char own[10];

	(void)state;
	p->host_ptr = own;
	assert_ptr_equal(map_base(p), own);
	mem_drop(p);
}

static struct map *
enter(struct mem *m, void *ptr)
{
	struct map *map = calloc(1, sizeof(*map));

	assert_non_null(map);
	map->ptr = ptr;
	map_add(m, map);
	return map;
}

static void
each_map_is_taken_once_and_counted(void **state)
{
	struct mem *m = buffer(NULL, 0, 10);
	char p[2];
	struct map *a = enter(m, p), *b = enter(m, p), *c = enter(m, p + 1);

	(void)state;
	assert_int_equal(m->map_count, 3);
	assert_null(map_take(m, &m));
	assert_null(map_take(m, NULL));
	assert_ptr_equal(map_take(m, p), b);
	assert_ptr_equal(map_take(m, p), a);
	assert_null(map_take(m, p));
	assert_int_equal(m->map_count, 1);
	map_cancel(m, c);
	assert_int_equal(m->map_count, 0);
	free(a);
	free(b);
	mem_drop(m);
}

static void
flags_of_maps_that_exclude_each_other_are_refused(void **state)
{
	(void)state;
	assert_int_equal(map_check_flags(0), CL_SUCCESS);
	assert_int_equal(map_check_flags(CL_MAP_READ | CL_MAP_WRITE),
	    CL_SUCCESS);
	assert_int_equal(map_check_flags(CL_MAP_WRITE_INVALIDATE_REGION),
	    CL_SUCCESS);
	assert_int_equal(map_check_flags(CL_MAP_WRITE_INVALIDATE_REGION |
	    CL_MAP_WRITE), CL_INVALID_VALUE);
	assert_int_equal(map_check_flags(8), CL_INVALID_VALUE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flags_that_exclude_each_other_are_refused),
		cmocka_unit_test(a_host_pointer_goes_with_its_flags),
		cmocka_unit_test(
		    a_part_has_its_parents_flags_where_it_gives_none),
		cmocka_unit_test(a_part_cannot_have_more_than_its_parent),
		cmocka_unit_test(
		    maps_of_a_buffer_and_its_parts_are_the_same_memory),
		cmocka_unit_test(a_map_of_the_programs_memory_is_that_memory),
		cmocka_unit_test(each_map_is_taken_once_and_counted),
		cmocka_unit_test(
		    flags_of_maps_that_exclude_each_other_are_refused),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
