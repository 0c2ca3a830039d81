/* SPDX-License-Identifier: ISC */
/*
 * A handful of messages as bytes, written by hand from what codec.h says of
 * the format, so that a codec which changed its mind on both sides is noticed.
 */
#include "protocol/codec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "protocol/messages.h"

/* A slot as it lies on the wire, least byte first. */
#define SLOT(a, b, c, d, e, f, g, h) 0x##a, 0x##b, 0x##c, 0x##d, 0x##e, \
	0x##f, 0x##g, 0x##h
#define SMALL(n) SLOT(n, 00, 00, 00, 00, 00, 00, 00)

static void
check(const struct field *f, unsigned count, const void *msg,
    const uint8_t *expected, size_t len)
{
	struct buf b;

	buf_init(&b);
	codec_encode(&b, f, count, msg);
	assert_int_equal(buf_len(&b), len);
	if (len > 0)
		assert_memory_equal(buf_front(&b), expected, len);
	buf_fini(&b);
}

static void
hello_has_numbers_and_a_padded_string(void **state)
{
	static const struct msg_hello m = { .version_min = 1,
		.version_max = 258, .features = UINT64_C(0x8070605040302010),
		.software = { "0.1.0", 5 } };
	static const uint8_t expected[] = {
		SMALL(01),
		SLOT(02, 01, 00, 00, 00, 00, 00, 00),
		SLOT(10, 20, 30, 40, 50, 60, 70, 80),
		SMALL(05),
		'0', '.', '1', '.', '0', 0, 0, 0,
	};

	(void)state;
	check(desc_hello.fields, desc_hello.field_count, &m, expected,
	    sizeof(expected));
}

static void
bytes_that_fill_their_slots_still_end_in_zeros(void **state)
{
	static const uint8_t token[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	static const struct msg_join m = { .token = { token, 8 } };
	static const uint8_t expected[] = {
		SMALL(08),
		SLOT(01, 02, 03, 04, 05, 06, 07, 08),
		SMALL(00),
	};

	(void)state;
	check(desc_join.fields, desc_join.field_count, &m, expected,
	    sizeof(expected));
}

static void
a_negative_status_is_sign_extended(void **state)
{
	static const uint64_t stamps[] = { 1, 2, 3, 4, 5 };
	static const struct msg_event_status m = {
		.event = UINT64_C(0x0000000300000007),
		.execution_status = -14, .stamps = { stamps, 5 } };
	static const uint8_t expected[] = {
		SLOT(07, 00, 00, 00, 03, 00, 00, 00),
		SLOT(f2, ff, ff, ff, ff, ff, ff, ff),
		SMALL(05),
		SMALL(01), SMALL(02), SMALL(03), SMALL(04), SMALL(05),
	};

	(void)state;
	check(desc_event_status.fields, desc_event_status.field_count, &m,
	    expected, sizeof(expected));
}

static void
a_launch_has_arrays_and_arguments(void **state)
{
	static const uint64_t global[] = { 64, 32 };
	static const uint64_t wait[] = { UINT64_C(0x100000009) };
	static const float three = 3.0f;
	static const uint64_t mem = UINT64_C(0x200000004);
	static const struct arg args[] = {
		{ 0, ARG_MEM, 8, &mem },
		{ 1, ARG_VALUE, 4, &three },
		{ 2, ARG_LOCAL, 256, NULL },
	};
	static const struct msg_clEnqueueNDRangeKernel m = {
		.command_queue = { .id = UINT64_C(0x100000002) },
		.kernel = { .id = UINT64_C(0x100000003) },
		.work_dim = 2,
		.global_work_size = { global, 2 },
		.event_wait_list = { wait, 1 },
		.event = { .id = UINT64_C(0x100000005) },
		.args = { args, 3 } };
	static const uint8_t expected[] = {
		SLOT(02, 00, 00, 00, 01, 00, 00, 00),	/* command_queue */
		SLOT(03, 00, 00, 00, 01, 00, 00, 00),	/* kernel */
		SMALL(02),				/* work_dim */
		SMALL(00),				/* no offset */
		SMALL(02), SMALL(40), SMALL(20),	/* global size */
		SMALL(00),				/* no local size */
		SMALL(01),				/* wait list */
		SLOT(09, 00, 00, 00, 01, 00, 00, 00),
		SLOT(05, 00, 00, 00, 01, 00, 00, 00),	/* event */
		SMALL(03),				/* arguments */
		SLOT(00, 00, 00, 00, 02, 00, 00, 00),	/* 0: a buffer */
		SMALL(08),
		SLOT(04, 00, 00, 00, 02, 00, 00, 00),
		SMALL(00),				/* its padding */
		SLOT(01, 00, 00, 00, 00, 00, 00, 00),	/* 1: a value */
		SMALL(04),
		SLOT(00, 00, 40, 40, 00, 00, 00, 00),
		SLOT(02, 00, 00, 00, 01, 00, 00, 00),	/* 2: local */
		SLOT(00, 01, 00, 00, 00, 00, 00, 00),
	};

	(void)state;
	check(desc_clEnqueueNDRangeKernel.fields,
	    desc_clEnqueueNDRangeKernel.field_count, &m, expected,
	    sizeof(expected));
}

static void
a_reply_begins_with_its_status_and_may_have_a_list(void **state)
{
	static const struct span binaries[] = { { "abcdefghi", 9 },
		{ "", 0 } };
	static const struct reply_program_binaries r = { .status = -5,
		.binaries = { binaries, 2 } };
	static const uint8_t expected[] = {
		SLOT(fb, ff, ff, ff, ff, ff, ff, ff),
		SMALL(02),
		SMALL(09),
		'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h',
		'i', 0, 0, 0, 0, 0, 0, 0,
		SMALL(00), SMALL(00),
	};

	(void)state;
	check(desc_program_binaries.reply, desc_program_binaries.reply_count,
	    &r, expected, sizeof(expected));
}

static void
a_message_without_fields_is_empty(void **state)
{
	static const struct msg_joined m;

	(void)state;
	assert_int_equal(desc_joined.field_count, 0);
	check(NULL, 0, &m, (const uint8_t *)"", 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hello_has_numbers_and_a_padded_string),
		cmocka_unit_test(
		    bytes_that_fill_their_slots_still_end_in_zeros),
		cmocka_unit_test(a_negative_status_is_sign_extended),
		cmocka_unit_test(a_launch_has_arrays_and_arguments),
		cmocka_unit_test(
		    a_reply_begins_with_its_status_and_may_have_a_list),
		cmocka_unit_test(a_message_without_fields_is_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
