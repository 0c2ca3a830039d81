/* SPDX-License-Identifier: ISC */
#include "transport/tls.h"

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include "common/clock.h"
#include "tests/unit/fixture-tls.h"

static struct pki pki, other; /* two worlds with a CA each */

static int
setup(void **state)
{
	(void)state;
	pki_init(&pki);
	pki_init(&other);
	return 0;
}

static int
teardown(void **state)
{
	(void)state;
	pki_fini(&pki);
	pki_fini(&other);
	return 0;
}

static void
said(const struct err_text *err, const char *words)
{
	if (strstr(err->s, words) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", err->s, words);
	assert_null(strchr(err->s, '\n'));
}

static bool
readable(struct transport *t)
{
	struct pollfd p = { .fd = t->ops->fd(t), .events = POLLIN };

	return t->ops->pending(t) || poll(&p, 1, 5000) > 0;
}

/* Read until there is something; the error if there is one. */
static enum vgpu_err
read_wait(struct transport *t, void *p, size_t n, size_t *got,
    struct err_text *err)
{
	enum vgpu_err e;

	while ((e = t->ops->read(t, p, n, got, err)) == VGPU_EAGAIN)
		if (!readable(t))
			fail_msg("nothing to read");
	return e;
}

static void
write_all(struct transport *t, const void *p, size_t n)
{
	const char *from = p;
	size_t put;

	for (; n > 0; from += put, n -= put)
		assert_int_equal(t->ops->write(t, from, n, &put, NULL),
		    VGPU_OK);
	assert_int_equal(t->ops->flush(t, NULL), VGPU_OK);
}

static void
arrives(struct transport *from, struct transport *to, const char *text)
{
	char got[64];
	size_t n;

	write_all(from, text, strlen(text));
	assert_int_equal(read_wait(to, got, sizeof(got), &n, NULL), VGPU_OK);
	assert_int_equal(n, strlen(text));
	assert_memory_equal(got, text, n);
}

static void
close_both(struct transport *a, struct transport *b)
{
	a->ops->close(a, true);
	b->ops->close(b, true);
}

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

/* --- the private key ------------------------------------------------------ */

/* Replace the host's key and certificate by those of a new key. */
static void
host_key(EVP_PKEY *key, char cert[PATH_LEN], char file[PATH_LEN])
{
	EVP_PKEY *ca_key = NULL;
	X509 *x = NULL, *copy;
	FILE *f;

	snprintf(cert, PATH_LEN, "%s/special.pem", pki.dir);
	snprintf(file, PATH_LEN, "%s/special.key", pki.dir);
	assert_non_null(f = fopen(pki.ca_key, "r"));
	assert_non_null(ca_key = PEM_read_PrivateKey(f, NULL, NULL, NULL));
	fclose(f);
	assert_non_null(f = fopen(pki.host, "r"));
	assert_non_null(x = PEM_read_X509(f, NULL, NULL, NULL));
	fclose(f);
	copy = X509_dup(x);
	assert_int_equal(X509_set_pubkey(copy, key), 1);
	assert_true(X509_sign(copy, ca_key, EVP_sha256()) > 0);
	assert_non_null(f = fopen(cert, "w"));
	assert_int_equal(PEM_write_X509(f, copy), 1);
	fclose(f);
	(void)unlink(file);
	assert_int_equal(cert_ca_write(pki.authority, &(struct cert_files) {
	    pki_path(&pki, "unused"), file }, NULL), VGPU_OK); /* mode 0600 */
	assert_non_null(f = fopen(file, "w"));
	assert_int_equal(PEM_write_PrivateKey(f, key, NULL, NULL, 0, NULL,
	    NULL), 1);
	fclose(f);
	X509_free(x);
	X509_free(copy);
	EVP_PKEY_free(ca_key);
	EVP_PKEY_free(key);
}

static void
signs_from_elsewhere(EVP_PKEY *key)
{
	char cert[PATH_LEN], file[PATH_LEN];
	struct tls_files files = { pki.ca, cert, NULL };
	struct signer *mine = pki.signer, *signer = NULL;
	struct err_text err = { "" };
	struct tls_ctx *c = NULL;
	struct shaken s;

	host_key(key, cert, file);
	if (signer_open(&signer, file, cert, &err) != VGPU_OK ||
	    tls_ctx_new_host(&c, &files, counting_sign, &pki, &err) != VGPU_OK)
		fail_msg("%s", err.s);
	pki.signer = signer;
	pki.signatures = 0;
	shake(&s, pki.client_ctx, c, "localhost");
	pki.signer = mine;
	if (s.client_error != VGPU_OK)
		fail_msg("%s", s.client_text.s);
	assert_int_equal(s.host_error, VGPU_OK);
	assert_int_equal(pki.signatures, 1);
	arrives(s.client, s.host, "signed");
	shaken_close(&s);
	signer_close(signer);
	tls_ctx_free(c);
}

static void
an_rsa_key_signs_from_elsewhere(void **state)
{
	(void)state;
	signs_from_elsewhere(EVP_RSA_gen(2048));
	signs_from_elsewhere(EVP_RSA_gen(3072));
}

static void
ec_keys_of_all_curves_sign_from_elsewhere(void **state)
{
	(void)state;
	signs_from_elsewhere(EVP_EC_gen("P-256"));
	signs_from_elsewhere(EVP_EC_gen("P-384"));
	signs_from_elsewhere(EVP_EC_gen("P-521"));
}

static void
other_kinds_of_keys_are_refused(void **state)
{
	char cert[PATH_LEN], file[PATH_LEN];
	EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
	struct tls_files files = { pki.ca, cert, NULL };
	struct err_text err;
	struct signer *s;
	struct tls_ctx *c;
	EVP_PKEY *ec = EVP_EC_gen("P-256");

	(void)state;
	host_key(key, cert, file);
	assert_int_equal(signer_open(&s, file, cert, &err), VGPU_ECONF);
	said(&err, "use an EC or RSA key");
	said(&err, file);
	assert_int_equal(tls_ctx_new_host(&c, &files, counting_sign, &pki,
	    &err), VGPU_ECONF);
	said(&err, "use an EC or RSA key");
	EVP_PKEY_free(ec);
}

static enum vgpu_err
refuse_to_sign(void *arg, const struct sign_request *request,
    struct sign_reply *reply)
{
	(void)request;
	memset(reply, 0, sizeof(*reply));
	reply->error = *(enum vgpu_err *)arg;
	return reply->error == VGPU_OK ? VGPU_ECLOSED : VGPU_OK;
}

/* The key's process is gone, or refuses, or signs with another key. */
static void
without_a_signature_there_is_no_connection(void **state)
{
	struct tls_files files = { pki.ca, pki.host, NULL };
	enum vgpu_err reply = VGPU_OK;
	struct tls_ctx *c;
	struct shaken s;
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		reply = i == 0 ? VGPU_OK : VGPU_EAUTH;
		assert_int_equal(tls_ctx_new_host(&c, &files, i < 2 ?
		    refuse_to_sign : counting_sign, i < 2 ? (void *)&reply :
		    (void *)&other, NULL), VGPU_OK);
		shake(&s, pki.client_ctx, c, "localhost");
		assert_int_not_equal(s.client_error, VGPU_OK);
		assert_int_not_equal(s.host_error, VGPU_OK);
		shaken_close(&s);
		tls_ctx_free(c);
	}
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

/* --- peers that are broken ------------------------------------------------ */

/* What an end says to these bytes and the end of the connection. */
static enum vgpu_err
handshake_with_bytes(bool host, const void *p, size_t n, struct err_text *err)
{
	struct transport *t;
	enum vgpu_err e;
	int fd[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	assert_int_equal(host ? tls_new_host(&t, pki.host_ctx, fd[1], err) :
	    tls_new_client(&t, pki.client_ctx, fd[1], "localhost", err),
	    VGPU_OK);
	assert_int_equal(send(fd[0], p, n, MSG_NOSIGNAL), n);
	shutdown(fd[0], SHUT_WR);
	e = transport_handshake_wait(t, clock_after_ms(5000), err);
	t->ops->close(t, true);
	close(fd[0]);
	return e;
}

static void
plaintext_is_told_from_tls(void **state)
{
	static const struct {
		const char *bytes, *reason;
	} cases[] = {
		{ "GET / HTTP/1.1\r\n\r\n", "sent an HTTP request" },
		{ "HTTP/1.1 400 Bad Request\r\n", "does not speak TLS" },
		{ "SSH-2.0-OpenSSH_9.2p1\r\n", "does not speak TLS" },
		{ "hello, hello, hello", "does not speak TLS" },
	};
	struct err_text err;
	size_t i;

	(void)state;
	for (i = 0; i < 2 * sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(handshake_with_bytes(i % 2 == 0,
		    cases[i / 2].bytes, strlen(cases[i / 2].bytes), &err),
		    VGPU_ETLS);
		said(&err, cases[i / 2].reason);
	}
}

static void
random_bytes_are_an_error_with_a_reason(void **state)
{
	uint8_t bytes[300];
	struct err_text err;
	unsigned seed = 1;
	size_t i, n;

	(void)state;
	for (n = 1; n < sizeof(bytes); n++) {
		for (i = 0; i < n; i++)
			bytes[i] = (uint8_t)rand_r(&seed);
		if (n % 2 == 0)
			memcpy(bytes, "\x16\x03\x01\x00\x20", n < 5 ? n : 5);
		assert_int_equal(handshake_with_bytes(n % 4 < 2, bytes, n,
		    &err), VGPU_ETLS);
		assert_true(strlen(err.s) > 10);
	}
}

/* The first bytes that a client sends. */
static size_t
client_hello(uint8_t *out, size_t size)
{
	struct transport *t;
	struct err_text err;
	enum transport_want want;
	ssize_t n;
	int fd[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	assert_int_equal(tls_new_client(&t, pki.client_ctx, fd[1],
	    "localhost", &err), VGPU_OK);
	assert_int_equal(tls_handshake(t, &want, &err), VGPU_EAGAIN);
	assert_int_equal(want, TRANSPORT_WANT_READ);
	n = recv(fd[0], out, size, 0);
	assert_in_range(n, 100, size - 1);
	t->ops->close(t, true);
	close(fd[0]);
	return (size_t)n;
}

static void
a_handshake_cut_anywhere_is_an_error(void **state)
{
	uint8_t hello[2048];
	struct err_text err;
	size_t i, n = client_hello(hello, sizeof(hello));

	(void)state;
	for (i = 0; i <= n; i++) {
		assert_int_equal(handshake_with_bytes(true, hello, i, &err),
		    VGPU_ETLS);
		said(&err, "closed the connection during the handshake");
	}
}

static void
a_byte_changed_anywhere_in_a_handshake_harms_nobody(void **state)
{
	uint8_t hello[2048];
	struct err_text err;
	size_t i, n = client_hello(hello, sizeof(hello));

	(void)state;
	for (i = 0; i < n; i++) {
		hello[i] ^= 0x81;
		assert_int_equal(handshake_with_bytes(true, hello, n, &err),
		    VGPU_ETLS);
		hello[i] ^= 0x81;
	}
}

static void
silence_ends_at_the_deadline(void **state)
{
	struct transport *t;
	struct err_text err;
	int fd[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
	assert_int_equal(tls_new_host(&t, pki.host_ctx, fd[1], &err), VGPU_OK);
	assert_int_equal(send(fd[0], "\x16\x03\x01\x02", 4, 0), 4);
	assert_int_equal(transport_handshake_wait(t, clock_after_ms(20), &err),
	    VGPU_ETIME);
	t->ops->close(t, true);
	close(fd[0]);
}

/* Flip one bit of what is on its way from the client. */
static void
a_forged_record_ends_the_connection(void **state)
{
	struct shaken s = { 0 };
	struct err_text err;
	char junk[64];
	int fd[2], raw;
	size_t n;

	(void)state;
	sockets_new(&fd[0], &fd[1]);
	raw = dup(fd[0]);
	assert_int_equal(tls_new_client(&s.client, pki.client_ctx, fd[0],
	    "localhost", &err), VGPU_OK);
	assert_int_equal(tls_new_host(&s.host, pki.host_ctx, fd[1], &err),
	    VGPU_OK);
	shake_on(&s);
	assert_int_equal(s.host_error, VGPU_OK);
	memset(junk, 'j', sizeof(junk));
	memcpy(junk, "\x17\x03\x03\x00\x20", 5);
	assert_int_equal(send(raw, junk, 5 + 32, 0), 37);
	assert_int_equal(read_wait(s.host, junk, 1, &n, &err), VGPU_ETLS);
	said(&err, "TLS failed");
	close(raw);
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
		cmocka_unit_test(nothing_can_be_resumed),
		cmocka_unit_test(an_rsa_key_signs_from_elsewhere),
		cmocka_unit_test(ec_keys_of_all_curves_sign_from_elsewhere),
		cmocka_unit_test(other_kinds_of_keys_are_refused),
		cmocka_unit_test(without_a_signature_there_is_no_connection),
		cmocka_unit_test(
		    a_client_of_another_ca_is_refused_and_told_so),
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
		cmocka_unit_test(plaintext_is_told_from_tls),
		cmocka_unit_test(random_bytes_are_an_error_with_a_reason),
		cmocka_unit_test(a_handshake_cut_anywhere_is_an_error),
		cmocka_unit_test(
		    a_byte_changed_anywhere_in_a_handshake_harms_nobody),
		cmocka_unit_test(silence_ends_at_the_deadline),
		cmocka_unit_test(a_forged_record_ends_the_connection),
		cmocka_unit_test(a_farewell_is_told_from_a_broken_connection),
		cmocka_unit_test(
		    writing_to_a_peer_that_is_gone_is_an_error_and_no_signal),
		cmocka_unit_test(the_programs_own_openssl_errors_stay),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
