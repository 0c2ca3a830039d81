/* SPDX-License-Identifier: ISC */
/*
 * Every message, reply and record of the description: what is encoded is
 * decoded, and nothing else is.  Bodies to decode are copied into memory of
 * exactly their length, so that the address sanitizer sees one byte too far.
 */
#include "protocol/codec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "protocol/messages.h"
#include "tests/wire/seed.h"

#define MUTATIONS 150	/* of each seed */

/* One half of a description: a message, or its reply. */
struct shape {
	const char *name;
	const char *half;
	const struct field *fields;
	unsigned count;
};

static struct buf seed;
static uint64_t sent[SEED_SLOTS];

static void
make_seed(const struct shape *s, enum seed_variant variant)
{
	seed_forget();
	seed_fill(sent, s->fields, s->count, variant);
	buf_take(&seed, buf_len(&seed));
	codec_encode(&seed, s->fields, s->count, sent);
	if (seed.failed || buf_len(&seed) % 8 != 0)
		fail_msg("%s: %zu bytes, expected whole slots", s->name,
		    buf_len(&seed));
}

static void
for_each_seed(void (*check)(const struct shape *))
{
	const struct message *m;
	struct shape s;
	unsigned i, v;

	for (i = 0; i < message_list_count; i++) {
		m = message_list[i];
		for (v = 0; v < SEED_VARIANTS; v++) {
			s = (struct shape){ m->name, "message", m->fields,
				m->field_count };
			make_seed(&s, (enum seed_variant)v);
			check(&s);
			if (m->reply_count == 0)
				continue;
			s = (struct shape){ m->name, "reply", m->reply,
				m->reply_count };
			make_seed(&s, (enum seed_variant)v);
			check(&s);
		}
	}
}

/* Decode a body of the given length; what is allocated is the caller's. */
static enum vgpu_err
decode(const struct shape *s, const uint8_t *bytes, size_t len, void **body,
    uint64_t *msg)
{
	struct err_text text = { "" };
	enum vgpu_err e;

	if ((*body = malloc(len)) == NULL && len > 0)
		fail_msg("out of memory");
	if (len > 0)
		memcpy(*body, bytes, len);
	memset(msg, 0xa5, SEED_SLOTS * sizeof(*msg));
	e = codec_decode(*body, len, s->fields, s->count, msg, &text);
	if (e != VGPU_OK && (e != VGPU_EPROTO || text.s[0] == '\0'))
		fail_msg("%s %s: error %s without a reason", s->name, s->half,
		    err_name(e));
	return e;
}

/*
 * A body that is accepted has one encoding, itself, and all that the struct
 * points to lies within it.
 */
static void
check_bytes(const struct shape *s, const uint8_t *bytes, size_t len)
{
	uint64_t msg[SEED_SLOTS];
	struct buf again;
	void *body;

	seed_forget();	/* only its bytes are looked at from here on */
	if (decode(s, bytes, len, &body, msg) == VGPU_OK) {
		buf_init(&again);
		if (!seed_as_sent(msg, s->fields, s->count, body, len))
			fail_msg("%s %s: points out of its body", s->name,
			    s->half);
		codec_encode(&again, s->fields, s->count, msg);
		if (buf_len(&again) != len ||
		    (len > 0 && memcmp(buf_front(&again), bytes, len) != 0))
			fail_msg("%s %s: accepted %zu bytes that encode "
			    "otherwise", s->name, s->half, len);
		buf_fini(&again);
	}
	free(body);
}

static void
refuse(const struct shape *s, const uint8_t *bytes, size_t len,
    const char *what)
{
	uint64_t msg[SEED_SLOTS];
	void *body;

	if (decode(s, bytes, len, &body, msg) == VGPU_OK)
		fail_msg("%s %s: accepted %s, %zu bytes", s->name, s->half,
		    what, len);
	free(body);
}

/* ---- checks -------------------------------------------------------------- */

static void
check_same(const struct shape *s)
{
	uint64_t msg[SEED_SLOTS];
	size_t len = buf_len(&seed);
	void *body;

	if (decode(s, buf_front(&seed), len, &body, msg) != VGPU_OK)
		fail_msg("%s %s: not accepted", s->name, s->half);
	if (!seed_as_sent(msg, s->fields, s->count, body, len) ||
	    !seed_equal(sent, msg, s->fields, s->count))
		fail_msg("%s %s: decoded otherwise", s->name, s->half);
	free(body);
}

static void
what_is_encoded_is_decoded(void **state)
{
	(void)state;
	for_each_seed(check_same);
}

static void
check_truncations(const struct shape *s)
{
	size_t len;

	for (len = 0; len < buf_len(&seed); len++)
		refuse(s, buf_front(&seed), len, "a truncation");
}

static void
every_truncation_is_refused(void **state)
{
	(void)state;
	for_each_seed(check_truncations);
}

static void
check_left_over(const struct shape *s)
{
	size_t len = buf_len(&seed);

	buf_append_zero(&seed, 8);
	refuse(s, buf_front(&seed), len + 1, "a byte left over");
	refuse(s, buf_front(&seed), len + 8, "a slot left over");
}

static void
bytes_left_over_are_refused(void **state)
{
	(void)state;
	for_each_seed(check_left_over);
}

static void
check_slots(const struct shape *s)
{
	static const uint64_t hostile[] = { 0, UINT64_MAX, 1u << 31,
		(uint64_t)1 << 32, (uint64_t)1 << 63, INT64_MAX,
		CODEC_ARRAY_MAX + 1, UINT64_MAX / 8 + 1, UINT64_MAX - 7 };
	const size_t n = sizeof(hostile) / sizeof(hostile[0]);
	uint64_t was, now;
	size_t at, i;
	uint8_t *slot;

	for (at = 0; at < buf_len(&seed); at += 8) {
		slot = buf_front(&seed) + at;
		memcpy(&was, slot, 8);
		for (i = 0; i < n + 2; i++) {
			now = i < n ? hostile[i] : i == n ? was + 1 : was - 1;
			memcpy(slot, &now, 8);
			check_bytes(s, buf_front(&seed), buf_len(&seed));
		}
		memcpy(slot, &was, 8);
	}
}

static void
hostile_values_in_any_slot_do_no_harm(void **state)
{
	(void)state;
	for_each_seed(check_slots);
}

/* Marsaglia's xorshift64; the same numbers in each run. */
static uint64_t
next_random(void)
{
	static uint64_t x = 0x9e3779b97f4a7c15;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

static void
check_mutations(const struct shape *s)
{
	size_t len = buf_len(&seed), n;
	uint8_t *copy = malloc(len + 1);
	unsigned i, changes;

	if (copy == NULL)
		fail_msg("out of memory");
	for (i = 0; i < MUTATIONS && len > 0; i++) {
		memcpy(copy, buf_front(&seed), len);
		for (changes = 1 + next_random() % 4; changes > 0; changes--)
			copy[next_random() % len] = (uint8_t)next_random();
		n = i % 4 == 0 ? next_random() % len & ~(size_t)7 : len;
		check_bytes(s, copy, n);
	}
	free(copy);
}

static void
random_changes_do_no_harm(void **state)
{
	(void)state;
	for_each_seed(check_mutations);
}

static void
check_print(const struct message *m, size_t size)
{
	char line[1024];

	memset(line, '#', sizeof(line));
	codec_print(line, size, m, sent);
	if (memchr(line, '\0', size) == NULL || line[size] != '#')
		fail_msg("%s: its line leaves %zu bytes", m->name, size);
}

static void
any_message_prints_within_its_bounds(void **state)
{
	static const size_t sizes[] = { 1, 2, 20, 60, 1000 };
	unsigned i, k, v;

	(void)state;
	for (i = 0; i < message_list_count; i++)
		for (v = 0; v < SEED_VARIANTS; v++) {
			seed_forget();
			seed_fill(sent, message_list[i]->fields,
			    message_list[i]->field_count,
			    (enum seed_variant)v);
			for (k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++)
				check_print(message_list[i], sizes[k]);
		}
}

static void
each_number_finds_its_message(void **state)
{
	const struct message *m;
	unsigned i, n = 0;

	(void)state;
	for (i = 0; i < message_list_count; i++) {
		m = message_list[i];
		assert_true(m->size <= sizeof(sent));
		assert_true(m->reply_size <= sizeof(sent));
		assert_true(m->field_count <= CODEC_FIELDS_MAX);
		if (m->number != 0)
			assert_ptr_equal(message_find(m->number), m);
	}
	for (i = 0; i < 1u << 17; i++)
		n += message_find(i) != NULL;
	assert_true(n > 60 && n < message_list_count);
	assert_null(message_find(0));
	assert_null(message_find(UINT32_MAX));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_encoded_is_decoded),
		cmocka_unit_test(every_truncation_is_refused),
		cmocka_unit_test(bytes_left_over_are_refused),
		cmocka_unit_test(hostile_values_in_any_slot_do_no_harm),
		cmocka_unit_test(random_changes_do_no_harm),
		cmocka_unit_test(any_message_prints_within_its_bounds),
		cmocka_unit_test(each_number_finds_its_message),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
