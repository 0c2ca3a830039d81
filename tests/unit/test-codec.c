/* SPDX-License-Identifier: ISC */
/*
 * Each error of the decoder's contract, with its reason, and what it promises
 * about what it accepts.  tests/wire does the same to every message there is.
 */
#include "protocol/codec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct sample {
	uint64_t u64, u32;
	int64_t i32;
	union ref id;
	struct span string, bytes, pair, list, strings, args;
};

#define FIELD_OF(kind_, member, ...) { .name = #member, .kind = kind_, \
	.offset = offsetof(struct sample, member), __VA_ARGS__ }
#define FIELD(kind_, member) FIELD_OF(kind_, member, .length_field = -1)

static const struct field u64 = FIELD(FIELD_U64, u64);
static const struct field u32 = FIELD(FIELD_U32, u32);
static const struct field i32 = FIELD(FIELD_I32, i32);
static const struct field id = FIELD(FIELD_ID, id);
static const struct field maybe_id = FIELD_OF(FIELD_ID, id,
    .length_field = -1, .flags = FIELD_MAY_NULL);
static const struct field string = FIELD(FIELD_STRING, string);
static const struct field bytes = FIELD(FIELD_BYTES, bytes);
static const struct field pair = FIELD_OF(FIELD_U64S, pair,
    .length_field = -1, .length = 2);
static const struct field maybe_pair = FIELD_OF(FIELD_U64S, pair,
    .length_field = -1, .length = 2, .flags = FIELD_MAY_NULL);
static const struct field list = FIELD(FIELD_LIST, list);
static const struct field strings = FIELD(FIELD_STRINGS, strings);
static const struct field args = FIELD(FIELD_ARGS, args);

static struct sample out;
static struct err_text text;

static enum vgpu_err
decode(const struct field *f, const void *body, size_t len)
{
	memset(&out, 0, sizeof(out));
	text.s[0] = '\0';
	return codec_decode(body, len, f, 1, &out, &text);
}

#define ACCEPT(field, ...) do { \
	static const uint64_t slots_[] = { __VA_ARGS__ }; \
	assert_int_equal(decode(&(field), slots_, sizeof(slots_)), VGPU_OK); \
} while (0)

#define REFUSE(reason, field, ...) do { \
	static const uint64_t slots_[] = { __VA_ARGS__ }; \
	assert_int_equal(decode(&(field), slots_, sizeof(slots_)), \
	    VGPU_EPROTO); \
	assert_string_equal(text.s, reason); \
} while (0)

static void
a_body_cut_short_is_refused(void **state)
{
	(void)state;
	assert_int_equal(decode(&u64, "", 0), VGPU_EPROTO);
	assert_string_equal(text.s, "u64: cut short");
	REFUSE("bytes: longer than the message", bytes, 8, 1);
	REFUSE("bytes: longer than the message", bytes, 1);
	REFUSE("bytes: longer than the message", bytes, UINT64_MAX, 1);
	REFUSE("pair: more elements than the message holds", pair, 2, 1);
	REFUSE("list: cut short", list, 2, 1, 'a');
	REFUSE("args: cut short", args, 1, 0);
}

static void
bytes_left_over_are_refused(void **state)
{
	(void)state;
	REFUSE("8 bytes left over", u64, 1, 2);
	REFUSE("16 bytes left over", list, 0, 1, 2);
}

static void
arrays_have_the_length_that_is_asked_for(void **state)
{
	(void)state;
	ACCEPT(pair, 2, 1, 2);
	ACCEPT(maybe_pair, 0);
	REFUSE("pair: wrong number of elements", pair, 0);
	REFUSE("pair: wrong number of elements", pair, 3, 1, 2, 3);
	REFUSE("pair: wrong number of elements", maybe_pair, 1, 1);
}

static void
an_array_may_be_as_long_as_an_earlier_field_says(void **state)
{
	static const struct field f[] = { FIELD(FIELD_U32, u32),
		FIELD_OF(FIELD_U64S, pair, .length_field = 0) };
	static const uint64_t good[] = { 3, 3, 7, 8, 9 }, bad[] = { 2, 3, 7,
		8, 9 };

	(void)state;
	assert_int_equal(codec_decode(good, sizeof(good), f, 2, &out, &text),
	    VGPU_OK);
	assert_int_equal(out.pair.n, 3);
	assert_memory_equal(out.pair.p, good + 2, 24);
	assert_int_equal(codec_decode(bad, sizeof(bad), f, 2, &out, &text),
	    VGPU_EPROTO);
}

static void
null_is_refused_unless_the_field_may_be_null(void **state)
{
	(void)state;
	ACCEPT(maybe_id, 0);
	ACCEPT(id, 1);
	REFUSE("id: null", id, 0);
}

static void
narrow_numbers_have_no_upper_half(void **state)
{
	(void)state;
	ACCEPT(u32, UINT32_MAX);
	REFUSE("u32: above 32 bits", u32, (uint64_t)UINT32_MAX + 1);
	ACCEPT(i32, (uint64_t)INT32_MIN);
	assert_int_equal(out.i32, INT32_MIN);
	REFUSE("i32: outside of 32 bits", i32, (uint64_t)INT32_MIN - 1);
	REFUSE("i32: outside of 32 bits", i32, (uint64_t)1 << 31);
}

static void
padding_is_zero(void **state)
{
	(void)state;
	ACCEPT(bytes, 1, 0xff);
	REFUSE("bytes: padding is not zero", bytes, 1, 0x100);
	REFUSE("bytes: padding is not zero", bytes, 8, 1, 1);
}

static void
strings_hold_no_nul_and_end_in_one(void **state)
{
	(void)state;
	ACCEPT(string, 3, 0x636261);
	assert_string_equal(out.string.p, "abc");
	ACCEPT(bytes, 3, 0x630061);
	REFUSE("string: NUL in a string", string, 3, 0x630061);
	REFUSE("strings: NUL in a string", strings, 2, 1, 'a', 1, 0);
	ACCEPT(list, 2, 1, 'a', 1, 0);
}

static void
arguments_have_a_kind_and_its_size(void **state)
{
	static const char reason[] =
	    "args: kernel argument of wrong kind or size";
	(void)state;
	ACCEPT(args, 1, (uint64_t)ARG_LOCAL << 32, 100);
	ACCEPT(args, 1, (uint64_t)ARG_MEM << 32, 8, 0, 0);
	REFUSE(reason, args, 1, (uint64_t)ARG_VALUE << 32, 0, 0);
	REFUSE(reason, args, 1, (uint64_t)ARG_LOCAL << 32, 0);
	REFUSE(reason, args, 1, (uint64_t)ARG_SAMPLER << 32, 4, 0);
	REFUSE(reason, args, 1, (uint64_t)ARG_KIND_COUNT << 32, 8, 0, 0);
}

/* What is announced must not be believed further than the limit. */
static void
lists_are_no_longer_than_the_limit(void **state)
{
	const size_t n = CODEC_ARRAY_MAX + 1;
	uint64_t *body = calloc(1 + 2 * n, 8);

	(void)state;
	assert_non_null(body);
	body[0] = n - 1;
	assert_int_equal(decode(&list, body, 8 + 16 * (n - 1)), VGPU_OK);
	body[0] = n;
	assert_int_equal(decode(&list, body, 8 + 16 * n), VGPU_EPROTO);
	assert_string_equal(text.s, "list: too many elements");
	assert_int_equal(decode(&pair, body, 8 + 8 * n), VGPU_EPROTO);
	assert_string_equal(text.s,
	    "pair: more elements than the message holds");
	assert_int_equal(decode(&args, body, 8 + 16 * n), VGPU_EPROTO);
	assert_string_equal(text.s, "args: too many elements");
	free(body);
}

static void
a_list_gives_its_elements_once(void **state)
{
	struct span element;

	(void)state;
	ACCEPT(list, 2, 8, 0x6867666564636261, 0, 1, 'x');
	assert_true(list_next(&out.list, &element));
	assert_int_equal(element.n, 8);
	assert_string_equal(element.p, "abcdefgh");
	assert_true(list_next(&out.list, &element));
	assert_string_equal(element.p, "x");
	assert_false(list_next(&out.list, &element));
	assert_false(list_next(&out.list, &element));
}

static void
arguments_come_out_as_they_went_in(void **state)
{
	struct arg arg;

	(void)state;
	ACCEPT(args, 2, (uint64_t)ARG_LOCAL << 32 | 5, 48,
	    (uint64_t)ARG_VALUE << 32 | 6, 3, 0x30201);
	assert_true(args_next(&out.args, &arg));
	assert_int_equal(arg.index, 5);
	assert_int_equal(arg.kind, ARG_LOCAL);
	assert_int_equal(arg.size, 48);
	assert_null(arg.value);
	assert_true(args_next(&out.args, &arg));
	assert_int_equal(arg.index, 6);
	assert_int_equal(arg.size, 3);
	assert_memory_equal(arg.value, "\1\2\3", 3);
	assert_false(args_next(&out.args, &arg));
}

static void
a_message_prints_in_one_line_without_contents(void **state)
{
	static const struct field f[] = { FIELD(FIELD_U32, u32),
		FIELD(FIELD_I32, i32), FIELD(FIELD_ID, id),
		FIELD(FIELD_BYTES, bytes) };
	static const struct message m = { .name = "sample", .fields = f,
		.field_count = 4 };
	static const struct sample s = { .u32 = 7, .i32 = -5,
		.id = { .id = UINT64_C(0x200000003) },
		.bytes = { "secret", 6 } };
	char line[100];

	(void)state;
	codec_print(line, sizeof(line), &m, &s);
	assert_string_equal(line, "sample u32 7 i32 -5 id 3.2 bytes[6]");
	codec_print(line, 10, &m, &s);
	assert_string_equal(line, "sample u3");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_body_cut_short_is_refused),
		cmocka_unit_test(bytes_left_over_are_refused),
		cmocka_unit_test(arrays_have_the_length_that_is_asked_for),
		cmocka_unit_test(
		    an_array_may_be_as_long_as_an_earlier_field_says),
		cmocka_unit_test(
		    null_is_refused_unless_the_field_may_be_null),
		cmocka_unit_test(narrow_numbers_have_no_upper_half),
		cmocka_unit_test(padding_is_zero),
		cmocka_unit_test(strings_hold_no_nul_and_end_in_one),
		cmocka_unit_test(arguments_have_a_kind_and_its_size),
		cmocka_unit_test(lists_are_no_longer_than_the_limit),
		cmocka_unit_test(a_list_gives_its_elements_once),
		cmocka_unit_test(arguments_come_out_as_they_went_in),
		cmocka_unit_test(
		    a_message_prints_in_one_line_without_contents),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
