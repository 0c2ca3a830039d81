/* SPDX-License-Identifier: ISC */
#include "transport/pair.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct transport *client, *host;

static int
setup(void **state)
{
	(void)state;
	return pair_new(&client, &host, "lab", NULL) == VGPU_OK ? 0 : -1;
}

static int
teardown(void **state)
{
	(void)state;
	if (client != NULL)
		client->ops->close(client, true);
	host->ops->close(host, true);
	return 0;
}

static int
events(struct transport *t)
{
	struct pollfd p = { .fd = t->ops->fd(t), .events = POLLIN | POLLOUT };

	assert_true(poll(&p, 1, 0) >= 0);
	return p.revents;
}

static void
bytes_come_out_at_the_other_end(void **state)
{
	char got[8];
	size_t n;

	(void)state;
	assert_int_equal(client->ops->write(client, "abc", 3, &n, NULL),
	    VGPU_OK);
	assert_int_equal(n, 3);
	assert_int_equal(host->ops->read(host, got, sizeof(got), &n, NULL),
	    VGPU_OK);
	assert_int_equal(n, 3);
	assert_memory_equal(got, "abc", 3);
	assert_int_equal(host->ops->read(host, got, sizeof(got), &n, NULL),
	    VGPU_EAGAIN);
}

static void
poll_tells_when_to_read_and_when_to_write(void **state)
{
	static char chunk[65536];
	size_t n;

	(void)state;
	assert_int_equal(events(host), POLLOUT);
	while (client->ops->write(client, chunk, sizeof(chunk), &n, NULL) ==
	    VGPU_OK)
		;
	assert_int_equal(events(client), 0);
	assert_int_equal(events(host), POLLIN | POLLOUT);
	while (host->ops->read(host, chunk, sizeof(chunk), &n, NULL) ==
	    VGPU_OK)
		;
	assert_int_equal(events(client), POLLOUT);
}

static void
both_ends_have_one_token_and_no_other_pair_has_it(void **state)
{
	uint8_t a[TRANSPORT_TOKEN_LEN], b[TRANSPORT_TOKEN_LEN];
	struct transport *c, *h;

	(void)state;
	client->ops->token(client, a, NULL);
	host->ops->token(host, b, NULL);
	assert_memory_equal(a, b, sizeof(a));
	assert_int_equal(pair_new(&c, &h, "lab", NULL), VGPU_OK);
	c->ops->token(c, b, NULL);
	assert_memory_not_equal(a, b, sizeof(a));
	c->ops->close(c, true);
	h->ops->close(h, true);
}

static void
the_host_knows_its_client_and_the_client_its_host(void **state)
{
	(void)state;
	assert_string_equal(host->ops->peer(host), "lab");
	assert_string_equal(client->ops->peer(client), "host");
}

static void
a_chunk_limits_each_move(void **state)
{
	char got[8];
	size_t n;

	(void)state;
	pair_set_chunk(client, 2);
	pair_set_chunk(host, 1);
	assert_int_equal(client->ops->write(client, "abc", 3, &n, NULL),
	    VGPU_OK);
	assert_int_equal(n, 2);
	assert_int_equal(host->ops->read(host, got, sizeof(got), &n, NULL),
	    VGPU_OK);
	assert_int_equal(n, 1);
}

static void
the_end_is_seen_after_the_last_byte_and_without_a_signal(void **state)
{
	struct err_text err;
	char got[8];
	size_t n;

	(void)state;
	assert_int_equal(client->ops->write(client, "a", 1, &n, NULL),
	    VGPU_OK);
	client->ops->close(client, true);
	client = NULL;
	assert_int_equal(host->ops->read(host, got, sizeof(got), &n, &err),
	    VGPU_OK);
	assert_int_equal(host->ops->read(host, got, sizeof(got), &n, &err),
	    VGPU_ECLOSED);
	assert_int_equal(host->ops->write(host, "x", 1, &n, &err),
	    VGPU_ECLOSED);
}

static void
descriptors_do_not_pass_to_other_programs(void **state)
{
	(void)state;
	assert_true((fcntl(client->ops->fd(client), F_GETFD) & FD_CLOEXEC) !=
	    0);
	assert_true((fcntl(host->ops->fd(host), F_GETFD) & FD_CLOEXEC) != 0);
}

#define PAIR_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PAIR_TEST(bytes_come_out_at_the_other_end),
		PAIR_TEST(poll_tells_when_to_read_and_when_to_write),
		PAIR_TEST(both_ends_have_one_token_and_no_other_pair_has_it),
		PAIR_TEST(the_host_knows_its_client_and_the_client_its_host),
		PAIR_TEST(a_chunk_limits_each_move),
		PAIR_TEST(
		    the_end_is_seen_after_the_last_byte_and_without_a_signal),
		PAIR_TEST(descriptors_do_not_pass_to_other_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
