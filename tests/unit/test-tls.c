/* SPDX-License-Identifier: ISC */
#include "transport/tls.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <openssl/err.h>

#include "tests/unit/fixture-talk.h"

/* --- connections that work ------------------------------------------------ */

static void
bytes_arrive_both_ways_and_both_know_the_other(void **state)
{
	struct transport *c, *h;

	(void)state;
	pki.signatures = 0;
	connection_new(&pki, &c, &h);
	assert_int_equal(pki.signatures, 1);
	assert_string_equal(h->ops->peer(h), "lab");
	assert_string_equal(c->ops->peer(c), "localhost");
	arrives(c, h, "to the host");
	arrives(h, c, "to the client");
	close_both(c, h);
}

static void
an_address_in_the_certificate_is_a_name_too(void **state)
{
	struct shaken s;

	(void)state;
	shake(&s, pki.client_ctx, pki.host_ctx, "127.0.0.1");
	assert_int_equal(s.client_error, VGPU_OK);
	assert_int_equal(s.host_error, VGPU_OK);
	shaken_close(&s);
}

static void
tokens_are_equal_on_both_ends_and_on_no_two_connections(void **state)
{
	uint8_t token[4][TRANSPORT_TOKEN_LEN];
	struct transport *c[2], *h[2];
	int i;

	(void)state;
	for (i = 0; i < 2; i++) {
		connection_new(&pki, &c[i], &h[i]);
		assert_int_equal(c[i]->ops->token(c[i], token[2 * i], NULL),
		    VGPU_OK);
		assert_int_equal(h[i]->ops->token(h[i], token[2 * i + 1],
		    NULL), VGPU_OK);
		assert_memory_equal(token[2 * i], token[2 * i + 1],
		    TRANSPORT_TOKEN_LEN);
	}
	assert_memory_not_equal(token[0], token[2], TRANSPORT_TOKEN_LEN);
	close_both(c[0], h[0]);
	close_both(c[1], h[1]);
}

static void
a_peers_digest_tells_certificates_apart(void **state)
{
	uint8_t digest[3][TRANSPORT_DIGEST_LEN];
	struct transport *c, *h;
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		connection_new(i < 2 ? &pki : &other, &c, &h);
		assert_int_equal(tls_peer_digest(h, digest[i], NULL),
		    VGPU_OK);
		close_both(c, h);
	}
	assert_memory_equal(digest[0], digest[1], TRANSPORT_DIGEST_LEN);
	assert_memory_not_equal(digest[0], digest[2], TRANSPORT_DIGEST_LEN);
}

static void
one_read_takes_several_records(void **state)
{
	static uint8_t out[100000], in[100000];
	struct transport *c, *h;
	size_t i, n, total = 0, most = 0;

	(void)state;
	for (i = 0; i < sizeof(out); i++)
		out[i] = (uint8_t)(i * 7);
	connection_new(&pki, &c, &h);
	write_all(c, out, sizeof(out));
	while (total < sizeof(in)) {
		assert_int_equal(read_wait(h, in + total, sizeof(in) - total,
		    &n, NULL), VGPU_OK);
		total += n;
		most = n > most ? n : most;
	}
	assert_memory_equal(in, out, sizeof(in));
	assert_true(most > 16384);
	assert_false(h->ops->pending(h));
	close_both(c, h);
}

static void
pending_says_what_the_descriptor_does_not(void **state)
{
	struct pollfd p = { .events = POLLIN };
	struct transport *c, *h;
	char buf[100];
	size_t n;

	(void)state;
	connection_new(&pki, &c, &h);
	write_all(c, "abcdef", 6);
	assert_int_equal(read_wait(h, buf, 2, &n, NULL), VGPU_OK);
	p.fd = h->ops->fd(h);
	assert_int_equal(poll(&p, 1, 0), 0);
	assert_true(h->ops->pending(h));
	assert_int_equal(h->ops->read(h, buf, 100, &n, NULL), VGPU_OK);
	assert_int_equal(n, 4);
	assert_false(h->ops->pending(h));
	assert_int_equal(h->ops->read(h, buf, 100, &n, NULL), VGPU_EAGAIN);
	assert_false(h->ops->pending(h));
	close_both(c, h);
}

/* A sender whose peer does not read is told, and goes on where it was. */
static void
a_full_socket_stops_the_sender_and_loses_nothing(void **state)
{
	static uint8_t chunk[1 << 20], in[1 << 20];
	struct transport *c, *h;
	size_t sent = 0, got = 0, n, i;
	struct err_text err;
	enum vgpu_err e;

	(void)state;
	connection_new(&pki, &c, &h);
	for (;;) {
		for (i = 0; i < sizeof(chunk); i++)
			chunk[i] = (uint8_t)((sent + i) % 251);
		e = c->ops->write(c, chunk, sizeof(chunk), &n, &err);
		if (e == VGPU_EAGAIN)
			break;
		assert_int_equal(e, VGPU_OK);
		sent += n;
	}
	assert_int_equal(c->ops->flush(c, &err), VGPU_EAGAIN);
	while (got < sent) {
		e = h->ops->read(h, in, sizeof(in), &n, &err);
		(void)c->ops->flush(c, &err);
		if (e == VGPU_EAGAIN)
			continue;
		assert_int_equal(e, VGPU_OK);
		for (i = 0; i < n; i++)
			if (in[i] != (got + i) % 251)
				fail_msg("byte %zu differs", got + i);
		got += n;
	}
	assert_int_equal(c->ops->flush(c, &err), VGPU_OK);
	close_both(c, h);
}

static void
keys_change_while_bytes_flow_both_ways(void **state)
{
	struct transport *c, *h;
	int i;

	(void)state;
	connection_new(&pki, &c, &h);
	tls_set_rekey(c, 1);
	tls_set_rekey(h, 3);
	for (i = 0; i < 200; i++) {
		arrives(c, h, "under a new key each time");
		arrives(h, c, "under a new key sometimes");
	}
	close_both(c, h);
}

static void
a_connection_outlives_its_contexts(void **state)
{
	struct tls_files cf = { pki.ca, pki.client, pki.client_key },
	    hf = { pki.ca, pki.host, NULL };
	struct tls_ctx *cc, *hc;
	struct shaken s;

	(void)state;
	assert_int_equal(tls_ctx_new_client(&cc, &cf, NULL), VGPU_OK);
	assert_int_equal(tls_ctx_new_host(&hc, &hf, counting_sign, &pki,
	    NULL), VGPU_OK);
	shake(&s, cc, hc, "localhost");
	tls_ctx_free(cc);
	tls_ctx_free(hc);
	assert_int_equal(s.client_error, VGPU_OK);
	arrives(s.client, s.host, "still there");
	shaken_close(&s);
}

/* --- the end -------------------------------------------------------------- */

static void
a_farewell_is_told_from_a_broken_connection(void **state)
{
	struct transport *c, *h;
	struct err_text err;
	char byte;
	size_t n;

	(void)state;
	connection_new(&pki, &c, &h);
	write_all(c, "x", 1);
	c->ops->close(c, true);
	assert_int_equal(read_wait(h, &byte, 1, &n, &err), VGPU_OK);
	assert_int_equal(read_wait(h, &byte, 1, &n, &err), VGPU_ECLOSED);
	assert_string_equal(err.s, "the peer closed the connection");
	assert_int_equal(h->ops->read(h, &byte, 1, &n, &err), VGPU_ECLOSED);
	h->ops->close(h, true);

	connection_new(&pki, &c, &h);
	c->ops->close(c, false);
	assert_int_equal(read_wait(h, &byte, 1, &n, &err), VGPU_ECLOSED);
	said(&err, "without a farewell");
	h->ops->close(h, true);
}

static void
writing_to_a_peer_that_is_gone_is_an_error_and_no_signal(void **state)
{
	struct transport *c, *h;
	struct err_text err;
	enum vgpu_err e;
	size_t n;
	int i;

	(void)state;
	connection_new(&pki, &c, &h);
	h->ops->close(h, false);
	for (i = 0, e = VGPU_OK; i < 10000 && e == VGPU_OK; i++)
		e = c->ops->write(c, "x", 1, &n, &err);
	assert_int_equal(e, VGPU_ECLOSED);
	c->ops->close(c, true);
}

static void
the_programs_own_openssl_errors_stay(void **state)
{
	struct transport *c, *h;
	struct err_text err;
	char byte;
	size_t n;

	(void)state;
	connection_new(&pki, &c, &h);
	ERR_clear_error();
	ERR_raise(ERR_LIB_USER, 42);
	arrives(c, h, "x");
	assert_int_equal(h->ops->read(h, &byte, 1, &n, &err), VGPU_EAGAIN);
	c->ops->close(c, true);
	assert_int_equal(read_wait(h, &byte, 1, &n, &err), VGPU_ECLOSED);
	h->ops->close(h, true);
	assert_int_equal(ERR_GET_REASON(ERR_get_error()), 42);
	assert_int_equal(ERR_get_error(), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    bytes_arrive_both_ways_and_both_know_the_other),
		cmocka_unit_test(an_address_in_the_certificate_is_a_name_too),
		cmocka_unit_test(
		    tokens_are_equal_on_both_ends_and_on_no_two_connections),
		cmocka_unit_test(a_peers_digest_tells_certificates_apart),
		cmocka_unit_test(one_read_takes_several_records),
		cmocka_unit_test(pending_says_what_the_descriptor_does_not),
		cmocka_unit_test(
		    a_full_socket_stops_the_sender_and_loses_nothing),
		cmocka_unit_test(keys_change_while_bytes_flow_both_ways),
		cmocka_unit_test(a_connection_outlives_its_contexts),
		cmocka_unit_test(a_farewell_is_told_from_a_broken_connection),
		cmocka_unit_test(
		    writing_to_a_peer_that_is_gone_is_an_error_and_no_signal),
		cmocka_unit_test(the_programs_own_openssl_errors_stay),
	};

	return cmocka_run_group_tests(tests, worlds_init, worlds_fini);
}
