/* SPDX-License-Identifier: ISC */
#include "common/infoset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void
what_was_put_is_found(void **state)
{
	struct infoset s;
	size_t n;

	(void)state;
	infoset_init(&s);
	infoset_put(&s, 7, "abc", 3);
	infoset_put_u32(&s, 8, 41);
	infoset_put_u64(&s, 9, UINT64_C(1) << 40);
	infoset_put_text(&s, 10, "text");
	assert_memory_equal(infoset_find(&s, 7, &n), "abc", 3);
	assert_int_equal(n, 3);
	assert_int_equal(infoset_u32(&s, 8, 0), 41);
	assert_int_equal(infoset_u64(&s, 9, 0), UINT64_C(1) << 40);
	assert_string_equal(infoset_text(&s, 10, ""), "text");
	assert_null(infoset_find(&s, 11, &n));
	assert_false(infoset_failed(&s));
	infoset_fini(&s);
}

static void
a_value_of_another_size_is_not_taken(void **state)
{
	struct infoset s;

	(void)state;
	infoset_init(&s);
	infoset_put_u64(&s, 1, 5);
	infoset_put(&s, 2, "no end", 6);
	infoset_put(&s, 3, "", 0);
	assert_int_equal(infoset_u32(&s, 1, 77), 77);
	assert_int_equal(infoset_u64(&s, 2, 78), 78);
	assert_string_equal(infoset_text(&s, 2, "none"), "none");
	assert_string_equal(infoset_text(&s, 3, "none"), "none");
	infoset_fini(&s);
}

static void
a_walk_sees_each_entry_once_in_order(void **state)
{
	static const uint32_t params[] = { 3, 1, 3 };
	struct infoset s;
	uint32_t param;
	size_t at = 0, n, i = 0;

	(void)state;
	infoset_init(&s);
	infoset_put(&s, 3, "", 0);
	infoset_put(&s, 1, "12345678", 8);
	infoset_put(&s, 3, "x", 1);
	while (infoset_next(&s, &at, &param, &n) != NULL)
		assert_int_equal(param, params[i++]);
	assert_int_equal(i, 3);
	infoset_fini(&s);
}

static void
a_set_inside_a_set_comes_back(void **state)
{
	struct infoset in, out, back;
	const void *p;
	size_t n;

	(void)state;
	infoset_init(&in);
	infoset_init(&out);
	infoset_init(&back);
	infoset_put_u32(&in, 5, 6);
	infoset_put_set(&out, 1, &in);
	assert_non_null(p = infoset_find(&out, 1, &n));
	assert_int_equal(infoset_load(&back, p, n, NULL), VGPU_OK);
	assert_int_equal(infoset_u32(&back, 5, 0), 6);
	infoset_fini(&in);
	infoset_fini(&out);
	infoset_fini(&back);
}

static void
every_truncation_is_refused_or_a_whole_number_of_entries(void **state)
{
	struct infoset s, t;
	struct err_text text;
	size_t n;

	(void)state;
	infoset_init(&s);
	infoset_init(&t);
	infoset_put(&s, 1, "abc", 3);
	infoset_put(&s, 2, "abcdefghi", 9);
	assert_int_equal(infoset_size(&s), 16 + 24);
	for (n = 0; n <= infoset_size(&s); n++)
		assert_int_equal(infoset_load(&t, infoset_bytes(&s), n,
		    &text) == VGPU_OK, n == 0 || n == 16 || n == 40);
	infoset_fini(&s);
	infoset_fini(&t);
}

static void
an_absurd_size_is_refused(void **state)
{
	static const uint32_t sizes[] = { 9, 1000, 0x7fffffff, 0xfffffff8,
		0xfffffff9, 0xffffffff };
	struct err_text text;
	struct infoset t;
	uint32_t bytes[4] = { 1, 0, 0, 0 };
	size_t i;

	(void)state;
	infoset_init(&t);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		bytes[1] = sizes[i];
		assert_int_equal(infoset_load(&t, bytes, sizeof(bytes),
		    &text), VGPU_EPROTO);
		assert_int_equal(infoset_size(&t), 0);
	}
	assert_int_equal(infoset_load(&t, bytes, INFOSET_BYTES_MAX + 1,
	    &text), VGPU_EPROTO);
	infoset_fini(&t);
}

static void
an_entry_beyond_the_limit_marks_the_set_failed(void **state)
{
	struct infoset s;

	(void)state;
	infoset_init(&s);
	infoset_put(&s, 1, "", INFOSET_BYTES_MAX);
	assert_true(infoset_failed(&s));
	infoset_fini(&s);
}

static void
with_an_index_the_same_is_found(void **state)
{
	struct infoset s, t;
	uint32_t i;
	size_t n, m;

	(void)state;
	infoset_init(&s);
	infoset_index(&s);
	assert_null(infoset_find(&s, 0, &n));
	for (i = 0; i < 1000; i++)
		infoset_put_u32(&s, i * 64, i);
	infoset_put_u32(&s, 64, 77);	/* not the first of this number */
	infoset_put(&s, 1, "", 0);
	infoset_init(&t);
	assert_int_equal(infoset_load(&t, infoset_bytes(&s), infoset_size(&s),
	    NULL), VGPU_OK);
	infoset_index(&t);
	assert_non_null(t.index);
	for (i = 0; i < 70000; i++) {
		const void *p = infoset_find(&s, i, &n);
		const void *q = infoset_find(&t, i, &m);

		assert_int_equal(p == NULL, q == NULL);
		assert_true(p == NULL || (n == m && memcmp(p, q, n) == 0));
	}
	infoset_fini(&s);
	infoset_fini(&t);
	assert_null(t.index);
}

static void
a_change_ends_the_index(void **state)
{
	struct infoset s;

	(void)state;
	infoset_init(&s);
	infoset_put_u32(&s, 1, 1);
	infoset_index(&s);
	infoset_put_u32(&s, 2, 2);
	assert_int_equal(infoset_u32(&s, 1, 0), 1);
	assert_int_equal(infoset_u32(&s, 2, 0), 2);
	infoset_fini(&s);
}

static void
very_many_entries_have_no_index(void **state)
{
	struct infoset s;
	uint32_t i;

	(void)state;
	infoset_init(&s);
	for (i = 0; i < 5000; i++)
		infoset_put(&s, i, "", 0);
	infoset_index(&s);
	assert_null(s.index);
	infoset_fini(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_put_is_found),
		cmocka_unit_test(a_value_of_another_size_is_not_taken),
		cmocka_unit_test(a_walk_sees_each_entry_once_in_order),
		cmocka_unit_test(a_set_inside_a_set_comes_back),
		cmocka_unit_test(
		    every_truncation_is_refused_or_a_whole_number_of_entries),
		cmocka_unit_test(an_absurd_size_is_refused),
		cmocka_unit_test(
		    an_entry_beyond_the_limit_marks_the_set_failed),
		cmocka_unit_test(with_an_index_the_same_is_found),
		cmocka_unit_test(a_change_ends_the_index),
		cmocka_unit_test(very_many_entries_have_no_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
