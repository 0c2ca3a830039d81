/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/buf.h"
#include "protocol/messages.h"

#define DEVICES 2
#define MADE_MAX 32

/* Encoded records; they live until the group ends. */
static struct buf made[MADE_MAX];
static unsigned made_count;

static struct span
record(const struct message *m, const void *msg)
{
	struct buf *b = &made[made_count++];

	assert_true(made_count <= MADE_MAX);
	buf_init(b);
	codec_encode(b, m->fields, m->field_count, msg);
	return (struct span){ buf_front(b), buf_len(b) };
}

/* A list as the decoder gives it. */
static struct span
decoded(const struct span *elements, size_t n)
{
	static const struct field field = { .name = "kernels",
		.kind = FIELD_LIST, .length_field = -1 };
	const struct message m = { .fields = &field, .field_count = 1 };
	const struct span plain = { elements, n };
	struct span bytes = record(&m, &plain), list;

	assert_int_equal(codec_decode(bytes.p, bytes.n, &field, 1, &list,
	    NULL), VGPU_OK);
	return list;
}

static struct span
text(const char *s)
{
	return (struct span){ s, strlen(s) };
}

static struct span
arg_of(uint64_t kind, uint64_t size, const char *type)
{
	const struct msg_arg_record r = { .arg_kind = kind, .size = size,
		.type = text(type), .name = text("x") };

	return record(&desc_arg_record, &r);
}

static struct span
work_of(uint64_t size)
{
	static const uint64_t compile[3] = { 4, 2, 1 }, global[3] = { 9, 8, 7 };
	const struct msg_work_record r = { .work_group_size = size,
		.compile_size = { compile, 3 }, .local_size = 40,
		.multiple = 8, .global_size = { global, size > 100 ? 3 : 0 } };

	return record(&desc_work_record, &r);
}

static struct span
kernel_of(const struct span *args, size_t n, const struct span *work,
    size_t devices)
{
	const struct msg_kernel_record r = { .name = text("add"),
		.attributes = text("vec_type_hint(float)"), .arg_info = 1,
		.args = { args, n }, .work = { work, devices } };

	return record(&desc_kernel_record, &r);
}

static enum vgpu_err
take(struct span kernel, struct kernel_shape **shape, cl_uint *count)
{
	return shapes_take(shape, count, decoded(&kernel, 1), DEVICES, NULL);
}

static void
a_kernel_is_as_the_host_described_it(void **state)
{
	struct span args[] = { arg_of(ARG_MEM, 0, "int*"),
		arg_of(ARG_VALUE, 16, "float4") };
	struct span work[] = { work_of(64), work_of(128) };
	struct kernel_shape *s;
	cl_uint n;

	(void)state;
	assert_int_equal(take(kernel_of(args, 2, work, 2), &s, &n), VGPU_OK);
	assert_int_equal(n, 1);
	assert_string_equal(s->name, "add");
	assert_string_equal(s->attributes, "vec_type_hint(float)");
	assert_true(s->arg_info);
	assert_true(s->arg_info_asked);
	assert_int_equal(s->arg_count, 2);
	assert_int_equal(s->arg[0].kind, ARG_MEM);
	assert_int_equal(s->arg[1].size, 16);
	assert_string_equal(s->arg[1].type, "float4");
	assert_int_equal(s->work[0].work_group_size, 64);
	assert_int_equal(s->work[0].compile_size[1], 2);
	assert_false(s->work[0].has_global_size);
	assert_true(s->work[1].has_global_size);
	assert_int_equal(s->work[1].global_size[2], 7);
	shapes_free(s, n);
}

static void
a_program_may_have_no_kernels(void **state)
{
	struct kernel_shape *s;
	cl_uint n = 1;

	(void)state;
	assert_int_equal(shapes_take(&s, &n, decoded(NULL, 0), DEVICES, NULL),
	    VGPU_OK);
	assert_int_equal(n, 0);
	shapes_free(s, n);
}

static void
an_unknown_kind_is_refused(void **state)
{
	struct span args[] = { arg_of(ARG_KIND_COUNT, 0, "?") };
	struct span work[] = { work_of(1), work_of(1) };
	struct kernel_shape *s;
	cl_uint n;

	(void)state;
	assert_int_equal(take(kernel_of(args, 1, work, 2), &s, &n),
	    VGPU_EPROTO);
}

static void
every_device_of_the_program_is_expected(void **state)
{
	struct span work[] = { work_of(1), work_of(1) };
	struct kernel_shape *s;
	cl_uint n;

	(void)state;
	assert_int_equal(take(kernel_of(NULL, 0, work, 1), &s, &n),
	    VGPU_EPROTO);
}

static void
a_record_that_is_cut_short_is_refused(void **state)
{
	struct span args[] = { arg_of(ARG_MEM, 0, "int*") };
	struct span work[] = { work_of(64), work_of(64) };
	struct span whole = kernel_of(args, 1, work, 2), cut = whole;
	struct kernel_shape *s;
	cl_uint n;

	(void)state;
	for (cut.n = 0; cut.n < whole.n; cut.n += 8) {
		made_count = 4;	/* the lists of earlier turns can go */
		buf_fini(&made[4]);
		assert_int_equal(take(cut, &s, &n), VGPU_EPROTO);
	}
}

static int
forget(void **state)
{
	(void)state;
	while (made_count > 0)
		buf_fini(&made[--made_count]);
	memset(made, 0, sizeof(made));
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(a_kernel_is_as_the_host_described_it,
		    forget),
		cmocka_unit_test_teardown(a_program_may_have_no_kernels,
		    forget),
		cmocka_unit_test_teardown(an_unknown_kind_is_refused, forget),
		cmocka_unit_test_teardown(
		    every_device_of_the_program_is_expected, forget),
		cmocka_unit_test_teardown(
		    a_record_that_is_cut_short_is_refused, forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
