/* SPDX-License-Identifier: ISC */
/*
 * How a session begins, and how the host ends one whose client breaks the
 * protocol: with a reason, each time.
 */
#include <string.h>

#include "tests/replay/objects.h"

static const struct msg_hello hello = { .version_min = PROTOCOL_VERSION_MIN,
	.version_max = PROTOCOL_VERSION_MAX, .software = { "replay", 6 } };

#define FAKE "devices 4 gpu"

static void
hello_is_answered_by_welcome_with_the_devices(void **state)
{
	const struct msg_welcome *w;
	struct msg_device_record record;
	struct span list, element;
	unsigned n = 0;

	(void)state;
	host_start(FAKE);
	say(&desc_hello, &hello, 0);
	w = expect(&desc_welcome);
	assert_int_equal(w->version, PROTOCOL_VERSION_MAX);
	assert_int_equal(w->session, 7);
	assert_true(w->eager_max > 0 && w->inline_max > 0);
	assert_string_equal(w->software.p, PACKAGE_VERSION);
	for (list = w->devices; list_next(&list, &element); n++) {
		assert_int_equal(codec_decode(element.p, element.n,
		    desc_device_record.fields, desc_device_record.field_count,
		    &record, NULL), VGPU_OK);
		assert_int_equal(record.fingerprint.n, 32);
	}
	assert_int_equal(n, 4);
	expect_nothing();
	host_leave();
}

static void
a_version_mismatch_names_both_versions(void **state)
{
	struct msg_hello newer = hello;
	const struct msg_refuse *r;

	(void)state;
	newer.version_min = PROTOCOL_VERSION_MAX + 1;
	newer.version_max = PROTOCOL_VERSION_MAX + 2;
	host_start(FAKE);
	say(&desc_hello, &newer, 0);
	r = expect(&desc_refuse);
	assert_int_equal(r->error, VGPU_EVERSION);
	assert_string_equal(r->reason.p, "client replay speaks protocol 2 to "
	    "3, host " PACKAGE_VERSION " speaks 1 to 1; upgrade the host");
	expect_goodbye(VGPU_EVERSION, "client replay speaks protocol 2 to 3, "
	    "host " PACKAGE_VERSION " speaks 1 to 1; upgrade the host");
}

static void
an_old_client_is_told_to_upgrade(void **state)
{
	static const struct msg_hello older = { .version_min = 0,
		.version_max = 0, .software = { "ancient", 7 } };
	const struct msg_refuse *r;

	(void)state;
	host_start(FAKE);
	say(&desc_hello, &older, 0);
	r = expect(&desc_refuse);
	assert_non_null(strstr(r->reason.p, "upgrade the client"));
	expect_goodbye(VGPU_EVERSION, "client ancient speaks protocol 0 to 0, "
	    "host " PACKAGE_VERSION " speaks 1 to 1; upgrade the client");
}

static void
nothing_comes_before_hello(void **state)
{
	(void)state;
	host_start(FAKE);
	context();
	expect_goodbye(VGPU_EPROTO, "clCreateContext before hello");
}

static void
hello_comes_once(void **state)
{
	(void)state;
	host_start_ready(FAKE);
	say(&desc_hello, &hello, 0);
	expect_goodbye(VGPU_EPROTO, "a second hello");
}

static void
a_long_first_frame_is_refused(void **state)
{
	static const uint64_t header[] = { (FRAME_MAX_HELLO + 8) |
	    (uint64_t)MSG_hello << 32, 1 };

	(void)state;
	host_start(FAKE);
	say_bytes(control_lane(), header, sizeof(header));
	expect_goodbye(VGPU_EPROTO,
	    "frame of type 512 announces 4104 bytes, the limit is 4096");
}

static void
an_impossible_length_ends_the_session_with_a_reason(void **state)
{
	static const uint64_t header[] = { 12 | (uint64_t)MSG_watch << 32, 1 };

	(void)state;
	host_start_ready(FAKE);
	say_bytes(control_lane(), header, sizeof(header));
	expect_goodbye(VGPU_EPROTO,
	    "frame of type 518 announces 12 bytes, less than its header of "
	    "16");
}

static void
a_message_of_the_host_is_not_for_it(void **state)
{
	static const struct msg_goodbye m = { .error = 1 };

	(void)state;
	host_start_ready(FAKE);
	say(&desc_goodbye, &m, 0);
	expect_goodbye(VGPU_EPROTO, "message 526 is not for hosts");
}

static void
an_unknown_message_is_not_for_it(void **state)
{
	static const struct message unknown = { .name = "unknown",
		.number = 4711 };

	(void)state;
	host_start_ready(FAKE);
	say(&unknown, NULL, 0);
	expect_goodbye(VGPU_EPROTO, "message 4711 is not for hosts");
}

static void
bytes_left_over_end_the_session(void **state)
{
	static const uint64_t frame[] = { 40 | (uint64_t)MSG_clFlush << 32, 1,
	    DEVICE(0), 1, 2 };

	(void)state;
	host_start_ready(FAKE);
	say_bytes(control_lane(), frame, sizeof(frame));
	expect_goodbye(VGPU_EPROTO, "clFlush: 16 bytes left over");
}

static void
join_on_the_control_lane_is_refused(void **state)
{
	static const struct msg_join m = { .token = { "12345678", 8 } };

	(void)state;
	host_start_ready(FAKE);
	say(&desc_join, &m, 0);
	expect_goodbye(VGPU_EPROTO, "join on the control lane");
}

static void
a_client_that_leaves_in_a_frame_ends_the_host_in_order(void **state)
{
	static const uint64_t half[] = { 64 | (uint64_t)MSG_clFlush << 32, 1 };

	(void)state;
	host_start_ready(FAKE);
	say_bytes(control_lane(), half, sizeof(half) - 3);
	host_leave();
}

static void
a_client_that_leaves_before_hello_ends_the_host_in_order(void **state)
{
	(void)state;
	host_start(FAKE);
	host_leave();
}

static void
a_lane_with_the_token_joins(void **state)
{
	(void)state;
	host_start_ready(FAKE);
	join();
	expect_nothing();
	host_leave();
}

static void
a_lane_with_another_token_is_closed_and_the_session_goes_on(void **state)
{
	static const uint8_t wrong[TRANSPORT_TOKEN_LEN];

	(void)state;
	host_start_ready(FAKE);
	expect_closed(try_join(1, wrong, sizeof(wrong)));
	expect_nothing();
	join();
	expect_nothing();
	host_leave();
}

static void
a_token_cut_short_is_not_accepted(void **state)
{
	uint8_t token[TRANSPORT_TOKEN_LEN];
	struct transport *t;

	(void)state;
	host_start_ready(FAKE);
	t = link_transport(control_lane());
	assert_int_equal(t->ops->token(t, token, NULL), VGPU_OK);
	expect_closed(try_join(1, token, sizeof(token) - 1));
	expect_nothing();
	host_leave();
}

static void
a_second_data_lane_is_closed(void **state)
{
	uint8_t token[TRANSPORT_TOKEN_LEN];
	struct transport *t;

	(void)state;
	host_start_ready(FAKE);
	join();
	t = link_transport(control_lane());
	assert_int_equal(t->ops->token(t, token, NULL), VGPU_OK);
	expect_closed(try_join(1, token, sizeof(token)));
	expect_nothing();
	host_leave();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SCENARIO(hello_is_answered_by_welcome_with_the_devices),
		SCENARIO(a_version_mismatch_names_both_versions),
		SCENARIO(an_old_client_is_told_to_upgrade),
		SCENARIO(nothing_comes_before_hello),
		SCENARIO(hello_comes_once),
		SCENARIO(a_long_first_frame_is_refused),
		SCENARIO(an_impossible_length_ends_the_session_with_a_reason),
		SCENARIO(a_message_of_the_host_is_not_for_it),
		SCENARIO(an_unknown_message_is_not_for_it),
		SCENARIO(bytes_left_over_end_the_session),
		SCENARIO(join_on_the_control_lane_is_refused),
		SCENARIO(
		    a_client_that_leaves_in_a_frame_ends_the_host_in_order),
		SCENARIO(
		    a_client_that_leaves_before_hello_ends_the_host_in_order),
		SCENARIO(a_lane_with_the_token_joins),
		SCENARIO(
		    a_lane_with_another_token_is_closed_and_the_session_goes_on),
		SCENARIO(a_token_cut_short_is_not_accepted),
		SCENARIO(a_second_data_lane_is_closed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
