/* SPDX-License-Identifier: ISC */
#include "hostd/roster.h"

#include <CL/cl_ext.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/*
 * A pool from words, a letter and perhaps a digit for each device: the letter is
 * its name, the digit its UUID; "|" begins the next vendor.
 */
static struct pool *
make(const char *words)
{
	struct pool *p = pool_new();
	struct infoset info, platform;
	char icd[] = "/v/0.icd", name[] = "?";
	uint8_t uuid[CL_UUID_SIZE_KHR] = { 0 };
	unsigned vendor;

	infoset_init(&platform);
	assert_int_equal(pool_add_vendor(p, icd, NULL, &vendor), VGPU_OK);
	for (; *words != '\0'; words++) {
		if (*words == '|') {
			icd[3]++;
			pool_add_vendor(p, icd, NULL, &vendor);
			continue;
		}
		name[0] = *words;
		infoset_init(&info);
		infoset_put_text(&info, CL_DEVICE_NAME, name);
		if (words[1] >= '0' && words[1] <= '9') {
			uuid[0] = (uint8_t)*++words;
			infoset_put(&info, CL_DEVICE_UUID_KHR, uuid,
			    sizeof(uuid));
		}
		assert_int_equal(pool_add_device(p, vendor, 0, 0, &info,
		    &platform), VGPU_OK);
		infoset_fini(&info);
	}
	return p;
}

static void
expect(struct roster *r, const char *words, const char *indexes)
{
	struct pool *p = make(words);
	unsigned i;

	assert_int_equal(roster_number(r, p), VGPU_OK);
	assert_int_equal(p->device_count, strlen(indexes));
	for (i = 0; i < p->device_count; i++)
		assert_int_equal(p->devices[i].index, indexes[i] - '0');
	pool_free(p);
}

static void
a_device_keeps_its_number(void **state)
{
	struct roster *r = roster_new();

	(void)state;
	expect(r, "ab|c", "012");
	expect(r, "ab|c", "012");
	expect(r, "b|c", "12");
	expect(r, "db|ac", "3142");
	expect(r, "ab|c", "012");
	roster_free(r);
}

static void
those_of_one_name_are_told_apart_by_their_uuid(void **state)
{
	struct roster *r = roster_new();

	(void)state;
	expect(r, "a1a2a3", "012");
	expect(r, "a2a3", "12");
	expect(r, "a3a1a4", "203");
	roster_free(r);
}

static void
or_by_their_place_where_they_have_none(void **state)
{
	struct roster *r = roster_new();

	(void)state;
	expect(r, "aaa", "012");
	expect(r, "aa", "01");
	expect(r, "baaa", "3012");
	roster_free(r);
}

static void
two_with_one_uuid_are_two(void **state)
{
	struct roster *r = roster_new();

	(void)state;
	expect(r, "a1a1", "01");
	expect(r, "a1a1a1", "012");
	expect(r, "a1", "0");
	roster_free(r);
}

static void
there_is_an_end_to_new_ones(void **state)
{
	struct roster *r = roster_new();
	char words[POOL_DEVICES_MAX + 1];
	struct pool *p;

	(void)state;
	memset(words, 'a', POOL_DEVICES_MAX);
	words[POOL_DEVICES_MAX] = '\0';
	p = make(words);
	assert_int_equal(roster_number(r, p), VGPU_OK);
	pool_free(p);
	p = make("b");
	assert_int_equal(roster_number(r, p), VGPU_EQUOTA);
	pool_free(p);
	expect(r, "aa", "01");
	roster_free(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_device_keeps_its_number),
		cmocka_unit_test(
		    those_of_one_name_are_told_apart_by_their_uuid),
		cmocka_unit_test(or_by_their_place_where_they_have_none),
		cmocka_unit_test(two_with_one_uuid_are_two),
		cmocka_unit_test(there_is_an_end_to_new_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
