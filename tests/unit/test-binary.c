/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/binary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/sha256.h"

static const uint8_t ours[BINARY_FINGERPRINT_LEN] = { 1, 2, 3 };
static const uint8_t other[BINARY_FINGERPRINT_LEN] = { 1, 2, 4 };
static const char payload[] = "bytes of a vendor";

static void
wrap(struct buf *b)
{
	buf_init(b);
	assert_int_equal(binary_wrap(b, ours, "cpu-test", payload,
	    sizeof(payload)), VGPU_OK);
}

/* Unwrap n bytes from memory of exactly that size. */
static enum vgpu_err
unwrap_exact(const uint8_t *p, size_t n, struct err_text *err)
{
	uint8_t *copy = malloc(n > 0 ? n : 1);
	struct binary b;
	enum vgpu_err e;

	assert_non_null(copy);
	memcpy(copy, p, n);
	e = binary_unwrap(&b, n > 0 ? copy : NULL, n, ours, err);
	free(copy);
	return e;
}

static void
a_wrapped_payload_comes_back(void **state)
{
	struct buf b;
	struct binary got;
	struct err_text err;

	(void)state;
	wrap(&b);
	assert_int_equal(buf_len(&b), binary_size("cpu-test", sizeof(payload)));
	assert_int_equal(binary_unwrap(&got, buf_front(&b), buf_len(&b), ours,
	    &err), VGPU_OK);
	assert_int_equal(got.len, sizeof(payload));
	assert_memory_equal(got.payload, payload, sizeof(payload));
	assert_int_equal(got.type_len, 8);
	assert_memory_equal(got.type, "cpu-test", 8);
	buf_fini(&b);
}

static void
an_empty_payload_is_a_payload(void **state)
{
	struct buf b;
	struct binary got;

	(void)state;
	buf_init(&b);
	assert_int_equal(binary_wrap(&b, ours, "", NULL, 0), VGPU_OK);
	assert_int_equal(binary_unwrap(&got, buf_front(&b), buf_len(&b), ours,
	    NULL), VGPU_OK);
	assert_int_equal(got.len, 0);
	assert_int_equal(got.type_len, 0);
	buf_fini(&b);
}

static void
a_long_type_is_cut(void **state)
{
	char type[400];
	struct buf b;
	struct binary got;

	(void)state;
	memset(type, 't', sizeof(type) - 1);
	type[sizeof(type) - 1] = '\0';
	buf_init(&b);
	assert_int_equal(binary_wrap(&b, ours, type, "p", 1), VGPU_OK);
	assert_int_equal(binary_unwrap(&got, buf_front(&b), buf_len(&b), ours,
	    NULL), VGPU_OK);
	assert_int_equal(got.type_len, BINARY_TYPE_MAX);
	assert_int_equal(got.payload[0], 'p');
	buf_fini(&b);
}

static void
another_drivers_binary_is_refused_by_name(void **state)
{
	struct buf b;
	struct binary got = { 0 };
	struct err_text err;

	(void)state;
	wrap(&b);
	assert_int_equal(binary_unwrap(&got, buf_front(&b), buf_len(&b), other,
	    &err), VGPU_EHANDLE);
	assert_non_null(strstr(err.s, "cpu-test"));
	assert_null(got.payload);
	buf_fini(&b);
}

static void
every_truncation_is_refused(void **state)
{
	struct buf b;
	struct err_text err;
	size_t n;

	(void)state;
	wrap(&b);
	for (n = 0; n < buf_len(&b); n++)
		assert_int_equal(unwrap_exact(buf_front(&b), n, &err),
		    VGPU_EPROTO);
	assert_int_equal(unwrap_exact(buf_front(&b), n, &err), VGPU_OK);
	buf_append_zero(&b, 1);
	assert_int_equal(unwrap_exact(buf_front(&b), n + 1, &err), VGPU_EPROTO);
	buf_fini(&b);
}

static void
every_changed_bit_is_refused(void **state)
{
	struct buf b;
	struct err_text err;
	size_t i, bit;

	(void)state;
	wrap(&b);
	for (i = 0; i < buf_len(&b); i++)
		for (bit = 0; bit < 8; bit++) {
			buf_front(&b)[i] ^= (uint8_t)(1 << bit);
			assert_int_equal(unwrap_exact(buf_front(&b),
			    buf_len(&b), &err), VGPU_EPROTO);
			buf_front(&b)[i] ^= (uint8_t)(1 << bit);
		}
	assert_int_equal(unwrap_exact(buf_front(&b), buf_len(&b), &err),
	    VGPU_OK);
	buf_fini(&b);
}

static void
absurd_lengths_under_a_good_hash_are_refused(void **state)
{
	static const uint64_t lengths[] = { 0, 1, UINT64_MAX, INT64_MAX,
		UINT64_MAX - 8, (uint64_t)1 << 32 };
	struct buf b;
	struct err_text err;
	size_t i, n;

	(void)state;
	wrap(&b);
	n = buf_len(&b) - SHA256_LEN;
	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		memcpy(buf_front(&b) + 16, &lengths[i], 8);
		sha256(buf_front(&b), n, buf_front(&b) + n);
		assert_int_equal(unwrap_exact(buf_front(&b), buf_len(&b), &err),
		    VGPU_EPROTO);
	}
	memset(buf_front(&b) + 12, 0xff, 4);
	sha256(buf_front(&b), n, buf_front(&b) + n);
	assert_int_equal(unwrap_exact(buf_front(&b), buf_len(&b), &err),
	    VGPU_EPROTO);
	buf_fini(&b);
}

static void
a_newer_format_is_named(void **state)
{
	struct buf b;
	struct err_text err;
	size_t n;

	(void)state;
	wrap(&b);
	n = buf_len(&b) - SHA256_LEN;
	buf_front(&b)[8] = 9;
	sha256(buf_front(&b), n, buf_front(&b) + n);
	assert_int_equal(unwrap_exact(buf_front(&b), buf_len(&b), &err),
	    VGPU_EPROTO);
	assert_non_null(strstr(err.s, "format 9, expected 1"));
	buf_fini(&b);
}

static void
foreign_bytes_are_refused(void **state)
{
	static const char elf[] = "\177ELF and so on, a native binary that is "
	    "longer than the head of a container and its hash together, or "
	    "would seem so";
	struct err_text err;

	(void)state;
	assert_int_equal(unwrap_exact((const uint8_t *)elf, sizeof(elf), &err),
	    VGPU_EPROTO);
	assert_non_null(strstr(err.s, "not one that vGPU made"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wrapped_payload_comes_back),
		cmocka_unit_test(an_empty_payload_is_a_payload),
		cmocka_unit_test(a_long_type_is_cut),
		cmocka_unit_test(another_drivers_binary_is_refused_by_name),
		cmocka_unit_test(every_truncation_is_refused),
		cmocka_unit_test(every_changed_bit_is_refused),
		cmocka_unit_test(absurd_lengths_under_a_good_hash_are_refused),
		cmocka_unit_test(a_newer_format_is_named),
		cmocka_unit_test(foreign_bytes_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
