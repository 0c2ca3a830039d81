/* SPDX-License-Identifier: ISC */
#include "common/coding.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SLOW 1000000u
#define FAST 2000000000u

static uint8_t piece[CODING_MAX], other[CODING_MAX + 8];

static void
make_text(void)
{
	size_t i;

	for (i = 0; i < sizeof(piece); i++)
		piece[i] = (uint8_t)"so much of it, again and again! "
		    [i % 32 ^ (i / 512 & 15)];
}

static void
make_noise(void)
{
	uint64_t state = 1;
	size_t i;

	for (i = 0; i < sizeof(piece); i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		piece[i] = (uint8_t)(state >> 56);
	}
}

static enum coding_kind
kind_of(struct coding *c, const void *p, size_t n, uint64_t rate)
{
	struct coded coded;

	coding_encode(c, p, n, rate, &coded);
	coding_done(c, &coded);
	return coded.kind;
}

static void
a_pattern_is_found_and_filled_again(void **state)
{
	struct coding *c = coding_new();
	struct coded coded;
	size_t i, at;

	(void)state;
	for (i = 0; i < sizeof(piece); i++)
		piece[i] = (uint8_t)(i % 8 * 11);
	coding_encode(c, piece, sizeof(piece), 0, &coded);
	assert_int_equal(coded.kind, CODING_PATTERN);
	for (at = 0; at < 11; at++) {
		memset(other, 0xff, sizeof(other));
		coding_fill(other, 70001 - at, at, coded.pattern);
		assert_memory_equal(other, piece + at, 70001 - at);
		assert_int_equal(other[70001 - at], 0xff);
	}
	coding_done(c, &coded);
	piece[sizeof(piece) - 1] ^= 1;
	assert_int_equal(kind_of(c, piece, sizeof(piece), 0), CODING_PLAIN);
	coding_free(c);
}

static void
zeros_are_a_pattern_at_any_rate_and_length(void **state)
{
	struct coding *c = coding_new();

	(void)state;
	memset(piece, 0, sizeof(piece));
	assert_int_equal(kind_of(c, piece, sizeof(piece), FAST),
	    CODING_PATTERN);
	assert_int_equal(kind_of(c, piece, 1001, SLOW), CODING_PATTERN);
	assert_int_equal(kind_of(c, piece, 8, 0), CODING_PLAIN);
	assert_int_equal(kind_of(NULL, piece, sizeof(piece), 0), CODING_PLAIN);
	coding_free(c);
}

static void
a_slow_connection_gets_packed_bytes(void **state)
{
	struct coding *c = coding_new();
	struct coded coded;

	(void)state;
	make_text();
	assert_int_equal(kind_of(c, piece, sizeof(piece), 0), CODING_PLAIN);
	assert_int_equal(kind_of(c, piece, sizeof(piece), FAST), CODING_PLAIN);
	coding_encode(c, piece, sizeof(piece), SLOW, &coded);
	assert_int_equal(coded.kind, CODING_PACKED);
	assert_true(coded.packed_n < sizeof(piece) / 2);
	assert_int_equal(coding_unpack(c, other, sizeof(piece), coded.packed,
	    coded.packed_n, NULL), VGPU_OK);
	assert_memory_equal(other, piece, sizeof(piece));
	coding_done(c, &coded);
	coding_free(c);
}

static void
noise_is_left_as_it_is(void **state)
{
	struct coding *c = coding_new();
	int i;

	(void)state;
	make_noise();
	for (i = 0; i < 100; i++)
		assert_int_equal(kind_of(c, piece, sizeof(piece), SLOW),
		    CODING_PLAIN);
	coding_free(c);
}

/* Else nobody would see when the connection is fast again. */
static void
now_and_then_a_piece_is_sent_as_it_is(void **state)
{
	struct coding *c = coding_new();
	unsigned i, plain = 0;

	(void)state;
	make_text();
	for (i = 0; i < 50; i++)
		if (kind_of(c, piece, sizeof(piece), SLOW) == CODING_PLAIN)
			plain++;
	/* after 8, 16, and then 32 */
	assert_int_equal(plain, 2);
	coding_free(c);
}

static void
what_is_no_packed_piece_is_refused(void **state)
{
	struct coding *c = coding_new();
	struct coded coded;
	uint8_t *bytes;
	size_t n;

	(void)state;
	make_text();
	coding_encode(c, piece, sizeof(piece), SLOW, &coded);
	assert_int_equal(coded.kind, CODING_PACKED);
	n = coded.packed_n;
	bytes = malloc(n);
	memcpy(bytes, coded.packed, n);
	coding_done(c, &coded);
	/* more or less than was said */
	memset(other, 0xee, sizeof(other));
	assert_int_equal(coding_unpack(c, other, sizeof(piece) - 1, bytes, n,
	    NULL), VGPU_EPROTO);
	assert_int_equal(other[sizeof(piece) - 1], 0xee);
	assert_int_equal(coding_unpack(c, other, sizeof(piece) + 1, bytes, n,
	    NULL), VGPU_EPROTO);
	/* cut short, and something else */
	assert_int_equal(coding_unpack(c, other, sizeof(piece), bytes, n / 2,
	    NULL), VGPU_EPROTO);
	assert_int_equal(coding_unpack(c, other, sizeof(piece), piece, 1000,
	    NULL), VGPU_EPROTO);
	assert_int_equal(coding_unpack(c, other, sizeof(piece), bytes, 0,
	    NULL), VGPU_EPROTO);
	free(bytes);
	coding_free(c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pattern_is_found_and_filled_again),
		cmocka_unit_test(zeros_are_a_pattern_at_any_rate_and_length),
		cmocka_unit_test(a_slow_connection_gets_packed_bytes),
		cmocka_unit_test(noise_is_left_as_it_is),
		cmocka_unit_test(now_and_then_a_piece_is_sent_as_it_is),
		cmocka_unit_test(what_is_no_packed_piece_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
