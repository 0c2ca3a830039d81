/* SPDX-License-Identifier: ISC */
/* Who is refused, and what both ends are told; peers made with OpenSSL alone. */
#include "transport/tls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include "common/clock.h"
#include "tests/unit/fixture-talk.h"

/* --- peers that are not ours ---------------------------------------------- */

/* An end made with OpenSSL alone, which checks nothing of its peer. */
static SSL *
foreign_new(bool host, const char *cert, const char *key, const char *alpn,
    int version)
{
	SSL_CTX *ctx = SSL_CTX_new(host ? TLS_server_method() :
	    TLS_client_method());
	SSL *ssl;

	assert_non_null(ctx);
	SSL_CTX_set_verify(ctx, SSL_VERIFY_NONE, NULL);
	SSL_CTX_set_max_proto_version(ctx, version);
	if (cert != NULL) {
		assert_int_equal(SSL_CTX_use_certificate_file(ctx, cert,
		    SSL_FILETYPE_PEM), 1);
		assert_int_equal(SSL_CTX_use_PrivateKey_file(ctx, key,
		    SSL_FILETYPE_PEM), 1);
	}
	if (alpn != NULL)
		SSL_CTX_set_alpn_protos(ctx, (const unsigned char *)alpn,
		    (unsigned)strlen(alpn));
	ssl = SSL_new(ctx);
	SSL_CTX_free(ctx);
	return ssl;
}

static void
foreign_free(SSL *ssl)
{
	int fd = SSL_get_fd(ssl);

	SSL_free(ssl);
	close(fd);
	ERR_clear_error();
}

/* Shake hands of ours with a foreign end; what ours says at the end. */
static enum vgpu_err
shake_foreign(struct transport *ours, SSL *ssl, int fd, struct err_text *err)
{
	enum vgpu_err e = VGPU_EAGAIN;
	enum transport_want want;
	int64_t deadline = clock_after_ms(5000);

	SSL_set_fd(ssl, fd);
	while (e == VGPU_EAGAIN && clock_ns() < deadline) {
		(void)SSL_do_handshake(ssl);
		e = tls_handshake(ours, &want, err);
	}
	return e;
}

static enum vgpu_err
host_with_foreign_client(SSL *ssl, struct err_text *err)
{
	struct transport *t;
	enum vgpu_err e;
	int fd[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0,
	    fd), 0);
	assert_int_equal(tls_new_host(&t, pki.host_ctx, fd[1], err), VGPU_OK);
	SSL_set_connect_state(ssl);
	e = shake_foreign(t, ssl, fd[0], err);
	t->ops->close(t, true);
	foreign_free(ssl);
	return e;
}

static enum vgpu_err
client_with_foreign_host(SSL *ssl, struct err_text *err)
{
	struct transport *t;
	enum vgpu_err e;
	int fd[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0,
	    fd), 0);
	assert_int_equal(tls_new_client(&t, pki.client_ctx, fd[1],
	    "localhost", err), VGPU_OK);
	SSL_set_accept_state(ssl);
	e = shake_foreign(t, ssl, fd[0], err);
	t->ops->close(t, true);
	foreign_free(ssl);
	return e;
}

/* --- who is refused ------------------------------------------------------- */

static void
a_client_of_another_ca_is_refused_and_told_so(void **state)
{
	struct tls_files files = { pki.ca, other.client, other.client_key };
	struct err_text err;
	struct tls_ctx *c;
	struct shaken s;
	char byte;
	size_t n;

	(void)state;
	assert_int_equal(tls_ctx_new_client(&c, &files, NULL), VGPU_OK);
	shake(&s, c, pki.host_ctx, "localhost");
	assert_int_equal(s.host_error, VGPU_EAUTH);
	said(&s.host_text, "the client's certificate (\"lab\") is not signed "
	    "by our CA");
	assert_int_equal(s.client_error, VGPU_OK); /* it can't know yet */
	assert_int_equal(s.client->ops->write(s.client, "hello", 5, &n, &err),
	    VGPU_OK);
	s.host->ops->close(s.host, true);
	assert_int_equal(read_wait(s.client, &byte, 1, &n, &err), VGPU_EAUTH);
	said(&err, "the peer refused our certificate: not signed by its CA");
	/* And it stays so. */
	assert_int_equal(s.client->ops->read(s.client, &byte, 1, &n, &err),
	    VGPU_EAUTH);
	assert_int_equal(s.client->ops->write(s.client, "x", 1, &n, &err),
	    VGPU_EAUTH);
	s.client->ops->close(s.client, true);
	tls_ctx_free(c);
}

static void
a_host_of_another_ca_is_refused_and_told_so(void **state)
{
	struct shaken s;

	(void)state;
	shake(&s, pki.client_ctx, other.host_ctx, "localhost");
	assert_int_equal(s.client_error, VGPU_EAUTH);
	said(&s.client_text, "the host's certificate (\"vgpu host\") is not "
	    "signed by our CA");
	assert_int_equal(s.host_error, VGPU_EAUTH);
	said(&s.host_text, "the peer refused our certificate: not signed by "
	    "its CA");
	shaken_close(&s);
}

static void
a_host_of_another_name_is_refused_with_its_names(void **state)
{
	static const char *const names[] = { "gpu.example.org", "127.0.0.2",
		"ocalhost", "localhost.example.org" };
	struct shaken s;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		shake(&s, pki.client_ctx, pki.host_ctx, names[i]);
		assert_int_equal(s.client_error, VGPU_EAUTH);
		said(&s.client_text, "the host's certificate is for "
		    "localhost, 127.0.0.1, not for ");
		said(&s.client_text, names[i]);
		assert_int_equal(s.host_error, VGPU_EAUTH);
		shaken_close(&s);
	}
}

static void
a_name_that_is_no_name_is_refused_before_all(void **state)
{
	char longer[TRANSPORT_NAME_MAX + 1];
	struct transport *t;
	struct err_text err;

	(void)state;
	memset(longer, 'a', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	assert_int_equal(tls_new_client(&t, pki.client_ctx, 0, "", &err),
	    VGPU_ECONF);
	assert_int_equal(tls_new_client(&t, pki.client_ctx, 0, longer, &err),
	    VGPU_ECONF);
	assert_int_equal(tls_new_client(&t, pki.client_ctx, -1, "x", &err),
	    VGPU_ESYS);
}

/* A client or host certificate that our own contexts would not load. */
static void
special(bool host, struct cert_validity v, char cert[PATH_LEN],
    char key[PATH_LEN])
{
	static const char *const names[] = { "localhost" };
	struct cert_files files = { cert, key };

	snprintf(cert, PATH_LEN, "%s/special.pem", pki.dir);
	snprintf(key, PATH_LEN, "%s/special.key", pki.dir);
	assert_int_equal(host ?
	    cert_write_host(pki.authority, names, 1, v, &files, NULL) :
	    cert_write_client(pki.authority, "lab", v, &files, NULL), VGPU_OK);
}

static void
certificates_out_of_their_time_are_refused_both_ways(void **state)
{
	struct cert_validity past = { 1000000000, 1000003600 },
	    future = { 4000000000, 4000003600 };
	char cert[PATH_LEN], key[PATH_LEN];
	struct err_text err;

	(void)state;
	special(false, past, cert, key);
	assert_int_equal(host_with_foreign_client(foreign_new(false, cert,
	    key, "\x06vgpu/1", TLS1_3_VERSION), &err), VGPU_EAUTH);
	said(&err, "the client's certificate (\"lab\") expired 2001-09-09");
	special(true, past, cert, key);
	assert_int_equal(client_with_foreign_host(foreign_new(true, cert, key,
	    NULL, TLS1_3_VERSION), &err), VGPU_EAUTH);
	said(&err, "the host's certificate (\"vgpu host\") expired 2001");
	special(false, future, cert, key);
	assert_int_equal(host_with_foreign_client(foreign_new(false, cert,
	    key, "\x06vgpu/1", TLS1_3_VERSION), &err), VGPU_EAUTH);
	said(&err, "not valid before 2096");
}

static void
a_certificate_made_for_another_purpose_is_refused(void **state)
{
	struct err_text err;

	(void)state;
	assert_int_equal(host_with_foreign_client(foreign_new(false, pki.host,
	    pki.host_key, "\x06vgpu/1", TLS1_3_VERSION), &err), VGPU_EAUTH);
	said(&err, "is not made for a client");
	assert_int_equal(client_with_foreign_host(foreign_new(true,
	    pki.client, pki.client_key, NULL, TLS1_3_VERSION), &err),
	    VGPU_EAUTH);
	said(&err, "the host's certificate");
}

static void
a_client_without_certificate_is_refused(void **state)
{
	struct err_text err;

	(void)state;
	assert_int_equal(host_with_foreign_client(foreign_new(false, NULL,
	    NULL, "\x06vgpu/1", TLS1_3_VERSION), &err), VGPU_EAUTH);
	said(&err, "the peer sent no certificate");
}

static void
another_protocol_over_tls_is_refused_both_ways(void **state)
{
	struct err_text err;

	(void)state;
	assert_int_equal(host_with_foreign_client(foreign_new(false,
	    pki.client, pki.client_key, NULL, TLS1_3_VERSION), &err),
	    VGPU_ETLS);
	said(&err, "but not vgpu/1 over it");
	assert_int_equal(host_with_foreign_client(foreign_new(false,
	    pki.client, pki.client_key, "\x02h2\x08http/1.1", TLS1_3_VERSION),
	    &err), VGPU_ETLS);
	said(&err, "but not vgpu/1 over it");
	assert_int_equal(client_with_foreign_host(foreign_new(true, pki.host,
	    pki.host_key, NULL, TLS1_3_VERSION), &err), VGPU_ETLS);
	said(&err, "but not vgpu/1 over it");
}

static void
older_tls_is_refused_both_ways(void **state)
{
	struct err_text err;

	(void)state;
	assert_int_equal(host_with_foreign_client(foreign_new(false,
	    pki.client, pki.client_key, "\x06vgpu/1", TLS1_2_VERSION), &err),
	    VGPU_ETLS);
	said(&err, "does not speak TLS 1.3");
	assert_int_equal(client_with_foreign_host(foreign_new(true, pki.host,
	    pki.host_key, NULL, TLS1_2_VERSION), &err), VGPU_ETLS);
	said(&err, "does not speak TLS 1.3");
}

static void
nothing_can_be_resumed(void **state)
{
	SSL *ssl = foreign_new(false, pki.client, pki.client_key, "\x06vgpu/1",
	    TLS1_3_VERSION);
	struct transport *t;
	struct err_text err;
	int fd[2], n;
	char byte;

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0,
	    fd), 0);
	assert_int_equal(tls_new_host(&t, pki.host_ctx, fd[1], &err), VGPU_OK);
	SSL_set_connect_state(ssl);
	assert_int_equal(shake_foreign(t, ssl, fd[0], &err), VGPU_OK);
	write_all(t, "x", 1);
	n = SSL_read(ssl, &byte, 1); /* tickets would come before it */
	assert_int_equal(n, 1);
	assert_int_equal(SSL_SESSION_is_resumable(SSL_get_session(ssl)), 0);
	t->ops->close(t, true);
	foreign_free(ssl);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_can_be_resumed),
		cmocka_unit_test(a_client_of_another_ca_is_refused_and_told_so),
		cmocka_unit_test(a_host_of_another_ca_is_refused_and_told_so),
		cmocka_unit_test(
		    a_host_of_another_name_is_refused_with_its_names),
		cmocka_unit_test(a_name_that_is_no_name_is_refused_before_all),
		cmocka_unit_test(
		    certificates_out_of_their_time_are_refused_both_ways),
		cmocka_unit_test(
		    a_certificate_made_for_another_purpose_is_refused),
		cmocka_unit_test(a_client_without_certificate_is_refused),
		cmocka_unit_test(
		    another_protocol_over_tls_is_refused_both_ways),
		cmocka_unit_test(older_tls_is_refused_both_ways),
	};

	return cmocka_run_group_tests(tests, worlds_init, worlds_fini);
}
