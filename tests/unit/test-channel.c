/* SPDX-License-Identifier: ISC */
#include "hostd/channel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "transport/sign.h"

static struct channel_msg m;
static struct err_text text;
static int pair[2];

static int
open_pair(void **state)
{
	(void)state;
	return channel_pair(pair, &text) == VGPU_OK ? 0 : -1;
}

static int
close_pair(void **state)
{
	(void)state;
	close(pair[0]);
	close(pair[1]);
	return 0;
}

static void
a_message_arrives_whole(void **state)
{
	(void)state;
	assert_int_equal(channel_send(pair[1], CHANNEL_IDENTITY, "lab", 3, -1,
	    &text), VGPU_OK);
	assert_int_equal(channel_send(pair[1], CHANNEL_READY, NULL, 0, -1,
	    &text), VGPU_OK);
	assert_int_equal(channel_recv(pair[0], false, &m, &text), VGPU_OK);
	assert_int_equal(m.type, CHANNEL_IDENTITY);
	assert_int_equal(m.size, 3);
	assert_memory_equal(m.bytes, "lab", 3);
	assert_int_equal(m.fd, -1);
	assert_int_equal(channel_recv(pair[0], false, &m, &text), VGPU_OK);
	assert_int_equal(m.type, CHANNEL_READY);
	assert_int_equal(m.size, 0);
}

static void
a_descriptor_comes_along(void **state)
{
	const uint32_t session = 7;
	int pipes[2];
	char c = 0;

	(void)state;
	assert_int_equal(pipe(pipes), 0);
	assert_int_equal(channel_send(pair[0], CHANNEL_CONNECTION, &session,
	    sizeof(session), pipes[1], &text), VGPU_OK);
	assert_int_equal(channel_recv(pair[1], true, &m, &text), VGPU_OK);
	assert_int_equal(channel_u32(&m), 7);
	assert_true(m.fd >= 0);
	assert_int_equal(write(m.fd, "x", 1), 1);
	assert_int_equal(read(pipes[0], &c, 1), 1);
	assert_int_equal(c, 'x');
	close(m.fd);
	close(pipes[0]);
	close(pipes[1]);
}

static void
receiving_never_waits(void **state)
{
	(void)state;
	assert_int_equal(channel_recv(pair[0], false, &m, &text),
	    VGPU_EAGAIN);
	assert_int_equal(channel_recv(pair[1], true, &m, &text), VGPU_EAGAIN);
}

static void
the_parent_never_waits_for_a_session_that_does_not_read(void **state)
{
	char bytes[1024] = { 0 };
	enum vgpu_err rc;
	int i;

	(void)state;
	for (i = 0, rc = VGPU_OK; rc == VGPU_OK && i < 100000; i++)
		rc = channel_send(pair[0], CHANNEL_ADMIT, bytes,
		    sizeof(bytes), -1, &text);
	assert_int_equal(rc, VGPU_EAGAIN);
}

static void
an_end_that_is_gone_is_told(void **state)
{
	int other[2];

	(void)state;
	assert_int_equal(channel_pair(other, &text), VGPU_OK);
	close(other[1]);
	assert_int_equal(channel_recv(other[0], false, &m, &text),
	    VGPU_ECLOSED);
	assert_int_equal(channel_send(other[0], CHANNEL_LANE, NULL, 0, 0,
	    &text), VGPU_ECLOSED);
	close(other[0]);
}

static void
a_message_for_the_other_side_is_refused(void **state)
{
	(void)state;
	assert_int_equal(channel_send(pair[1], CHANNEL_ADMIT, "12345678", 8,
	    -1, &text), VGPU_OK);
	assert_int_equal(channel_recv(pair[0], false, &m, &text),
	    VGPU_EPROTO);
	assert_int_equal(channel_send(pair[0], CHANNEL_READY, NULL, 0, -1,
	    &text), VGPU_OK);
	assert_int_equal(channel_recv(pair[1], true, &m, &text), VGPU_EPROTO);
}

static void
a_message_of_a_wrong_size_is_refused(void **state)
{
	static const struct {
		enum channel_type type;
		size_t size;
	} wrong[] = {
		{ CHANNEL_READY, 1 },
		{ CHANNEL_SIGN, 0 },
		{ CHANNEL_SIGN, sizeof(struct sign_request) - 1 },
		{ CHANNEL_SIGN, sizeof(struct sign_request) + 1 },
		{ CHANNEL_IDENTITY, 0 },
		{ CHANNEL_IDENTITY, 257 },
		{ CHANNEL_LOAD, 7 },
		{ CHANNEL_LOAD, 9 },
		{ (enum channel_type)0, 0 },
		{ (enum channel_type)99, 4 },
	};
	char bytes[2048] = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(channel_send(pair[1], wrong[i].type, bytes,
		    wrong[i].size, -1, &text), VGPU_OK);
		assert_int_equal(channel_recv(pair[0], false, &m, &text),
		    VGPU_EPROTO);
	}
}

static void
a_message_beyond_the_largest_is_refused(void **state)
{
	static char bytes[CHANNEL_BYTES_MAX + 1];

	(void)state;
	assert_int_equal(channel_send(pair[0], CHANNEL_ADMIT, bytes,
	    sizeof(bytes), -1, &text), VGPU_OK);
	assert_int_equal(channel_recv(pair[1], true, &m, &text), VGPU_EPROTO);
}

/* The lowest free descriptor, which shows whether any was left open. */
static int
lowest_free(void)
{
	int fd = dup(STDIN_FILENO);

	close(fd);
	return fd;
}

static void
a_descriptor_that_is_not_due_is_closed(void **state)
{
	int before = lowest_free();

	(void)state;
	assert_int_equal(channel_send(pair[1], CHANNEL_READY, NULL, 0,
	    pair[1], &text), VGPU_OK);
	assert_int_equal(channel_recv(pair[0], false, &m, &text),
	    VGPU_EPROTO);
	assert_int_equal(m.fd, -1);
	assert_int_equal(lowest_free(), before);
	assert_int_equal(channel_send(pair[1], CHANNEL_GIVE_BACK, "1234", 4,
	    -1, &text), VGPU_OK);
	assert_int_equal(channel_recv(pair[0], false, &m, &text),
	    VGPU_EPROTO);
}

static void
many_descriptors_leave_none_open(void **state)
{
	union {
		char bytes[CMSG_SPACE(8 * sizeof(int))];
		struct cmsghdr align;
	} control;
	uint32_t head[2] = { CHANNEL_GIVE_BACK, 1 };
	struct iovec iov = { head, sizeof(head) };
	struct msghdr h = { .msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control) };
	struct cmsghdr *c;
	int before = lowest_free(), i;

	(void)state;
	memset(&control, 0, sizeof(control));
	c = CMSG_FIRSTHDR(&h);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(8 * sizeof(int));
	for (i = 0; i < 8; i++)
		memcpy(CMSG_DATA(c) + (size_t)i * sizeof(int), &pair[1],
		    sizeof(int));
	assert_int_equal(sendmsg(pair[1], &h, 0), (int)sizeof(head));
	assert_int_equal(channel_recv(pair[0], false, &m, &text),
	    VGPU_EPROTO);
	assert_int_equal(lowest_free(), before);
}

static void
the_use_of_a_device_is_reported(void **state)
{
	int32_t load[2];

	(void)state;
	channel_set_own(pair[1]);
	channel_report_device(5, -1);
	channel_set_own(-1);
	channel_report_device(5, -1); /* nobody to tell */
	assert_int_equal(channel_recv(pair[0], false, &m, &text), VGPU_OK);
	assert_int_equal(m.type, CHANNEL_LOAD);
	memcpy(load, m.bytes, sizeof(load));
	assert_int_equal(load[0], 5);
	assert_int_equal(load[1], -1);
	assert_int_equal(channel_recv(pair[0], false, &m, &text),
	    VGPU_EAGAIN);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_pair, close_pair)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_message_arrives_whole),
		TEST(a_descriptor_comes_along),
		TEST(receiving_never_waits),
		TEST(the_parent_never_waits_for_a_session_that_does_not_read),
		TEST(an_end_that_is_gone_is_told),
		TEST(a_message_for_the_other_side_is_refused),
		TEST(a_message_of_a_wrong_size_is_refused),
		TEST(a_message_beyond_the_largest_is_refused),
		TEST(a_descriptor_that_is_not_due_is_closed),
		TEST(many_descriptors_leave_none_open),
		TEST(the_use_of_a_device_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
