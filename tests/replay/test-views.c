/* SPDX-License-Identifier: ISC */
/*
 * What a client is shown of four devices that are all alike, and which of them
 * run its contexts.
 */
#include <string.h>

#include "tests/replay/host.h"
#include "tests/replay/objects.h"

#define FAKE "devices 4 gpu"
#define SOURCE "kernel void where(global int *out) {}\n"

static const struct msg_hello hello = { .version_min = PROTOCOL_VERSION_MIN,
	.version_max = PROTOCOL_VERSION_MAX, .software = { "replay", 6 } };

static unsigned asked;

static unsigned
the_last(const unsigned *indexes, unsigned n)
{
	return indexes[n - 1];
}

static unsigned
take_turns(const unsigned *indexes, unsigned n)
{
	return indexes[asked++ % n];
}

static unsigned
nonsense(const unsigned *indexes, unsigned n)
{
	return indexes[n - 1] + 77;
}

static void
begin(enum view_kind kind, unsigned (*place)(const unsigned *, unsigned))
{
	host_view = kind;
	host_place = place;
	asked = 0;
	host_start(FAKE);
}

static int
teardown(void **state)
{
	host_view = VIEW_PHYSICAL;
	host_place = NULL;
	host_names = NULL;
	return scenario_teardown(state);
}

static void
narrow(const char *view, const char *devices)
{
	const struct msg_narrow m = { .view = { view, strlen(view) },
		.devices = { devices, strlen(devices) } };

	say(&desc_narrow, &m, 0);
}

/* Say hello; how many devices there are, and the name of the first. */
static unsigned
shown(char *name)
{
	struct msg_device_record record;
	struct span list, element;
	struct infoset info;
	unsigned n = 0;

	say(&desc_hello, &hello, 0);
	for (list = ((const struct msg_welcome *)expect(&desc_welcome))->
	    devices; list_next(&list, &element); n++) {
		assert_int_equal(codec_decode(element.p, element.n,
		    desc_device_record.fields, desc_device_record.field_count,
		    &record, NULL), VGPU_OK);
		infoset_init(&info);
		assert_int_equal(infoset_load(&info, record.info.p,
		    record.info.n, NULL), VGPU_OK);
		if (n == 0 && name != NULL)
			strcpy(name, infoset_text(&info, CL_DEVICE_NAME, ""));
		infoset_fini(&info);
	}
	return n;
}

/* The number of the device that runs a context's kernels. */
static void
expect_on(uint64_t c, uint32_t number)
{
	uint64_t q = queue(c, 0), p = program(c, SOURCE), b = buffer(c, 4), e;
	const struct arg arg = { 0, ARG_MEM, sizeof(b), &b };

	launch(q, kernel(p, "where"), 1, &arg, 1, AFTER_NOTHING, QUIET);
	e = read_buffer(q, b, 0, 4, 9, AFTER_NOTHING, TELL);
	expect_data(9, &number, sizeof(number));
	expect_status(e, CL_COMPLETE);
}

static void
alike_devices_are_one_in_the_view_of_classes(void **state)
{
	(void)state;
	begin(VIEW_PHYSICAL, NULL);
	assert_int_equal(shown(NULL), 4);
	host_leave();
	begin(VIEW_CLASS, NULL);
	assert_int_equal(shown(NULL), 1);
	host_leave();
	begin(VIEW_SINGLE, NULL);
	assert_int_equal(shown(NULL), 1);
	host_leave();
}

static void
a_context_runs_where_it_was_placed(void **state)
{
	(void)state;
	begin(VIEW_CLASS, the_last);
	assert_int_equal(shown(NULL), 1);
	expect_on(context(), 3);
	expect_on(context(), 3);
	host_leave();
}

static void
contexts_of_one_class_device_can_be_on_different_devices(void **state)
{
	uint64_t a, b;

	(void)state;
	begin(VIEW_CLASS, take_turns);
	shown(NULL);
	a = context();
	b = context();
	expect_on(b, 1);
	expect_on(a, 0);
	release(a);
	expect_on(context(), 2);
	expect_on(b, 1);
	host_leave();
}

static void
an_answer_that_was_not_among_the_choices_is_the_first(void **state)
{
	(void)state;
	begin(VIEW_CLASS, nonsense);
	shown(NULL);
	expect_on(context(), 0);
	host_leave();
}

static void
nobody_is_asked_where_there_is_no_choice(void **state)
{
	(void)state;
	begin(VIEW_PHYSICAL, the_last);
	shown(NULL);
	expect_on(context(), 0);
	host_leave();
}

static void
a_client_may_want_to_see_less(void **state)
{
	(void)state;
	begin(VIEW_PHYSICAL, NULL);
	narrow("class", "");
	assert_int_equal(shown(NULL), 1);
	host_leave();
	begin(VIEW_PHYSICAL, NULL);
	narrow("", " 3, 1,9");
	assert_int_equal(shown(NULL), 2);
	host_leave();
	begin(VIEW_PHYSICAL, NULL);
	narrow("", "nobody,fa*");
	assert_int_equal(shown(NULL), 4);
	host_leave();
	begin(VIEW_PHYSICAL, NULL);
	narrow("single", "0,3");
	assert_int_equal(shown(NULL), 1);
	host_leave();
}

static void
who_wants_none_of_them_is_told_which_there_are(void **state)
{
	static const char text[] = "\"nobody\" of VGPU_DEVICES, or devices in "
	    "client.conf, matches none of this host's devices: 0 Card";
	const struct msg_refuse *r;

	(void)state;
	host_names = "*=Card";
	begin(VIEW_SINGLE, NULL);
	narrow("", "nobody");
	say(&desc_hello, &hello, 0);
	r = expect(&desc_refuse);
	assert_int_equal(r->error, VGPU_ECONF);
	assert_string_equal(r->reason.p, text);
	expect_goodbye(VGPU_ECONF, text);
}

static void
but_not_more(void **state)
{
	(void)state;
	begin(VIEW_CLASS, NULL);
	narrow("physical", "*");
	assert_int_equal(shown(NULL), 1);
	host_leave();
	begin(VIEW_SINGLE, NULL);
	narrow("class", "0,1,2,3");
	assert_int_equal(shown(NULL), 1);
	host_leave();
}

static void
what_a_client_wants_it_says_once_and_first(void **state)
{
	(void)state;
	begin(VIEW_PHYSICAL, NULL);
	narrow("class", "");
	narrow("class", "");
	expect_goodbye(VGPU_EPROTO, "a second narrow");
	begin(VIEW_PHYSICAL, NULL);
	narrow("wide", "");
	expect_goodbye(VGPU_EPROTO, "narrow: no such view");
	begin(VIEW_PHYSICAL, NULL);
	shown(NULL);
	narrow("class", "");
	expect_goodbye(VGPU_EPROTO, "narrow after hello");
}

static void
a_name_can_be_replaced(void **state)
{
	char name[256];

	(void)state;
	host_names = "Other=Nobody\nf*e=GeForce 9 = fast\nFake=Later";
	begin(VIEW_CLASS, NULL);
	assert_int_equal(shown(name), 1);
	assert_string_equal(name, "GeForce 9 = fast");
	host_leave();
	host_names = "Fak=Nobody\nwithout equals";
	begin(VIEW_CLASS, NULL);
	shown(name);
	assert_string_equal(name, "Fake");
	host_leave();
}

#define VIEW_SCENARIO(name) cmocka_unit_test_teardown(name, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		VIEW_SCENARIO(alike_devices_are_one_in_the_view_of_classes),
		VIEW_SCENARIO(a_context_runs_where_it_was_placed),
		VIEW_SCENARIO(
		    contexts_of_one_class_device_can_be_on_different_devices),
		VIEW_SCENARIO(
		    an_answer_that_was_not_among_the_choices_is_the_first),
		VIEW_SCENARIO(nobody_is_asked_where_there_is_no_choice),
		VIEW_SCENARIO(a_client_may_want_to_see_less),
		VIEW_SCENARIO(who_wants_none_of_them_is_told_which_there_are),
		VIEW_SCENARIO(but_not_more),
		VIEW_SCENARIO(what_a_client_wants_it_says_once_and_first),
		VIEW_SCENARIO(a_name_can_be_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
