/* SPDX-License-Identifier: ISC */
#include "hostd/view.h"

#include <CL/cl_ext.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A device of a model; each has an address of its own. */
static void
add(struct pool *p, unsigned vendor, const char *name, uint64_t memory)
{
	cl_device_pci_bus_info_khr bus = { 0, p->device_count, 0, 0 };
	struct infoset info, platform;

	infoset_init(&info);
	infoset_init(&platform);
	infoset_put_u64(&info, CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU);
	infoset_put_u32(&info, CL_DEVICE_VENDOR_ID, 0x8086 + p->device_count);
	infoset_put(&info, CL_DEVICE_PCI_BUS_INFO_KHR, &bus, sizeof(bus));
	infoset_put_text(&info, CL_DEVICE_NAME, name);
	infoset_put_u64(&info, CL_DEVICE_GLOBAL_MEM_SIZE, memory);
	assert_int_equal(pool_add_device(p, vendor, 0, p->device_count, &info,
	    &platform), VGPU_OK);
	infoset_fini(&info);
}

/* Big, Small, Big, Big with more memory, Big of a second vendor. */
static struct pool *
make(void)
{
	struct pool *p = pool_new();
	unsigned v;

	assert_int_equal(pool_add_vendor(p, "/v/one.icd", NULL, &v), VGPU_OK);
	assert_int_equal(pool_add_vendor(p, "/v/two.icd", NULL, &v), VGPU_OK);
	add(p, 0, "Big", 8);
	add(p, 0, "Small", 8);
	add(p, 0, "Big", 8);
	add(p, 0, "Big", 16);
	add(p, 1, "Big", 8);
	pool_finish(p);
	return p;
}

/* expected: indexes, UINT_MAX between shown devices. */
#define NEXT 1000u

static const char *aliases;	/* that are shown; NULL: their own names */

static void
expect(enum view_kind kind, const char *only, const unsigned *expected,
    unsigned n)
{
	struct pool *p = make();
	struct view v;
	unsigned i, k, at = 0;

	assert_int_equal(view_make(&v, p, kind, only, aliases), VGPU_OK);
	for (i = 0; i < v.count; i++) {
		if (i > 0)
			assert_int_equal(expected[at++], NEXT);
		for (k = 0; k < v.device[i].count; k++)
			assert_int_equal(expected[at++],
			    v.device[i].member[k]->index);
	}
	assert_int_equal(at, n);
	view_fini(&v);
	pool_free(p);
}

#define EXPECT(kind, only, ...) expect(kind, only, \
	(const unsigned[]){ __VA_ARGS__ }, \
	sizeof((const unsigned[]){ __VA_ARGS__ }) / sizeof(unsigned))

static void
physical_shows_each(void **state)
{
	(void)state;
	EXPECT(VIEW_PHYSICAL, "", 0, NEXT, 1, NEXT, 2, NEXT, 3, NEXT, 4);
}

static void
class_puts_together_what_differs_in_address_or_number(void **state)
{
	(void)state;
	EXPECT(VIEW_CLASS, "", 0, 2, 4, NEXT, 1, NEXT, 3);
}

static void
single_is_the_first_class(void **state)
{
	(void)state;
	EXPECT(VIEW_SINGLE, "", 0, 2, 4);
}

static void
words_choose_by_place_name_or_vendor(void **state)
{
	(void)state;
	EXPECT(VIEW_PHYSICAL, "4,1", 1, NEXT, 4);
	EXPECT(VIEW_PHYSICAL, "TWO", 4);
	EXPECT(VIEW_PHYSICAL, " s* , two ,", 1, NEXT, 4);
	EXPECT(VIEW_CLASS, "1", 1);
	EXPECT(VIEW_CLASS, "two", 0, 2, 4);
	EXPECT(VIEW_SINGLE, "1,2", 1);
	EXPECT(VIEW_SINGLE, ", ,", 0, 2, 4);
}

static void
words_are_for_the_names_that_are_shown(void **state)
{
	(void)state;
	aliases = "s*=Large card\nbig=Small";
	EXPECT(VIEW_PHYSICAL, "large card", 1);
	EXPECT(VIEW_CLASS, "small", 0, 2, 4, NEXT, 3);
	EXPECT(VIEW_CLASS, "two", 0, 2, 4);
	expect(VIEW_PHYSICAL, "big", NULL, 0);
	aliases = NULL;
}

static void
words_that_match_nothing_leave_nothing(void **state)
{
	char much[5000];

	(void)state;
	expect(VIEW_CLASS, "7,x", NULL, 0);
	memset(much, 'x', sizeof(much));
	much[4999] = '\0';
	expect(VIEW_CLASS, much, NULL, 0);
}

static void
put(struct pool_device *d, uint32_t param, uint64_t value)
{
	infoset_put_u64(&d->info, param, value);
}

/* A device of 64 bits with a compiler, images and groups of 1024. */
static void
describe(struct pool_device *d, uint32_t other, uint64_t value)
{
	static const struct {
		uint32_t param;
		uint64_t value;
	} usual[] = { { CL_DEVICE_ADDRESS_BITS, 64 },
		{ CL_DEVICE_ENDIAN_LITTLE, 1 },
		{ CL_DEVICE_COMPILER_AVAILABLE, 1 },
		{ CL_DEVICE_IMAGE_SUPPORT, 1 },
		{ CL_DEVICE_MAX_WORK_GROUP_SIZE, 1024 },
		{ CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 3 } };
	size_t i;

	memset(d, 0, sizeof(*d));
	infoset_init(&d->info);
	for (i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		put(d, usual[i].param, usual[i].param == other ? value :
		    usual[i].value);
}

static void
what_stands_in_has_no_less(void **state)
{
	static const struct {
		uint32_t param;
		uint64_t value;
		const char *lacks;	/* by a word of it */
	} table[] = {
		{ 0, 0, NULL },
		{ CL_DEVICE_ADDRESS_BITS, 32, "addresses" },
		{ CL_DEVICE_ADDRESS_BITS, 128, "addresses" },
		{ CL_DEVICE_ENDIAN_LITTLE, 0, "bytes" },
		{ CL_DEVICE_COMPILER_AVAILABLE, 0, "compiler" },
		{ CL_DEVICE_IMAGE_SUPPORT, 0, "images" },
		{ CL_DEVICE_MAX_WORK_GROUP_SIZE, 1023, "work-groups" },
		{ CL_DEVICE_MAX_WORK_GROUP_SIZE, 1025, NULL },
		{ CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 2, "dimensions" },
	};
	struct pool_device shown, d;
	const char *lacks;
	size_t i;

	(void)state;
	describe(&shown, 0, 0);
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		describe(&d, table[i].param, table[i].value);
		lacks = view_lacks(&shown, &d);
		assert_int_equal(lacks != NULL, table[i].lacks != NULL);
		if (lacks != NULL)
			assert_non_null(strstr(lacks, table[i].lacks));
		d.simulator = true;
		assert_non_null(view_lacks(&shown, &d));
		infoset_fini(&d.info);
	}
	infoset_fini(&shown.info);
}

static void
a_list_has_what_fits(void **state)
{
	struct pool *p = make();
	char text[64];
	struct view v;

	(void)state;
	assert_int_equal(view_make(&v, p, VIEW_CLASS, "", "small=Tiny"),
	    VGPU_OK);
	view_list(&v, "small=Tiny", text, sizeof(text));
	assert_string_equal(text, "0 Big, 1 Tiny, 2 Big");
	view_list(&v, NULL, text, 21);
	assert_string_equal(text, "0 Big, 1 Small...");
	view_list(&v, NULL, text, 6);
	assert_string_equal(text, "0 ...");
	view_list(&v, NULL, text, 5);
	assert_string_equal(text, "...");
	view_fini(&v);
	pool_free(p);
}

static void
names_and_kinds_belong_together(void **state)
{
	enum view_kind k;

	(void)state;
	for (k = 0; k < VIEW_KINDS; k++)
		assert_int_equal(view_kind(view_name(k)), k);
	assert_int_equal(view_kind("classy"), VIEW_KINDS);
	assert_true(VIEW_PHYSICAL < VIEW_CLASS && VIEW_CLASS < VIEW_SINGLE);
}

static void
an_empty_pool_has_an_empty_view(void **state)
{
	struct pool *p = pool_new();
	struct view v;

	(void)state;
	assert_int_equal(view_make(&v, p, VIEW_SINGLE, "", NULL), VGPU_OK);
	assert_int_equal(v.count, 0);
	view_fini(&v);
	pool_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(physical_shows_each),
		cmocka_unit_test(
		    class_puts_together_what_differs_in_address_or_number),
		cmocka_unit_test(single_is_the_first_class),
		cmocka_unit_test(words_choose_by_place_name_or_vendor),
		cmocka_unit_test(words_are_for_the_names_that_are_shown),
		cmocka_unit_test(words_that_match_nothing_leave_nothing),
		cmocka_unit_test(what_stands_in_has_no_less),
		cmocka_unit_test(a_list_has_what_fits),
		cmocka_unit_test(names_and_kinds_belong_together),
		cmocka_unit_test(an_empty_pool_has_an_empty_view),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
