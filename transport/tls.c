/* SPDX-License-Identifier: ISC */
#include "transport/tls.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "transport/tls_private.h"
#include "transport/tls_reason.h"

#define REKEY_RECORDS ((uint64_t)1 << 23)

/* --- making --------------------------------------------------------------- */

static enum vgpu_err
prepare_socket(int fd, struct err_text *err)
{
	int flags, one = 1;

	if ((flags = fcntl(fd, F_GETFL)) < 0 ||
	    fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0 ||
	    fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
		return err_sys(err, "cannot use the socket");
	/* Fails where the socket is not TCP, which needs no such thing. */
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return VGPU_OK;
}

/* What the host's certificate must be for. */
static bool
want_name(SSL *ssl, const char *hostname)
{
	char name[TRANSPORT_NAME_MAX];
	struct in6_addr six;
	struct in_addr four;

	snprintf(name, sizeof(name), "%s", hostname);
	if (strchr(name, ':') != NULL)
		name[strcspn(name, "%")] = '\0'; /* fe80::1%eth0 */
	if (inet_pton(AF_INET, name, &four) == 1 ||
	    inet_pton(AF_INET6, name, &six) == 1)
		return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl),
		    name) == 1;
	SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS |
	    X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
	return SSL_set1_host(ssl, name) == 1 &&
	    SSL_set_tlsext_host_name(ssl, name) == 1;
}

/* OpenSSL calls this with each fault of a certificate that it finds. */
static int
verify(int ok, X509_STORE_CTX *store)
{
	SSL *ssl = X509_STORE_CTX_get_ex_data(store,
	    SSL_get_ex_data_X509_STORE_CTX_idx());
	struct tls *t = SSL_get_app_data(ssl);

	if (!ok && t->refused == VGPU_OK)
		t->refused = tls_reason_verify(store, t->ctx->host ? NULL :
		    t->hostname, &t->refused_text);
	return ok;
}

static bool
make_ssl(struct tls *t, const char *hostname)
{
	BIO *bio;

	if ((t->ssl = SSL_new(t->ctx->ssl)) == NULL ||
	    (bio = tls_io_bio(t->ctx->method, &t->io)) == NULL)
		return false;
	SSL_set_bio(t->ssl, bio, bio);
	SSL_set_app_data(t->ssl, t);
	SSL_set_verify(t->ssl, SSL_get_verify_mode(t->ssl), verify);
	if (hostname == NULL) {
		SSL_set_accept_state(t->ssl);
		return true;
	}
	SSL_set_connect_state(t->ssl);
	return want_name(t->ssl, hostname);
}

static enum vgpu_err
tls_new(struct transport **out, struct tls_ctx *ctx, int fd,
    const char *hostname, struct err_text *err)
{
	struct tls *t;
	enum vgpu_err e;
	bool ok;

	if ((e = prepare_socket(fd, err)) != VGPU_OK)
		return e;
	if ((t = calloc(1, sizeof(*t))) == NULL)
		return err_set(err, VGPU_ENOMEM, "no memory for TLS");
	t->transport.ops = &tls_ops;
	t->ctx = tls_ctx_ref(ctx);
	t->io.fd = fd;
	t->rekey_every = t->rekey_in = REKEY_RECORDS;
	if (hostname != NULL)
		snprintf(t->hostname, sizeof(t->hostname), "%s", hostname);
	tls_enter(t);
	ok = make_ssl(t, hostname);
	tls_leave();
	if (!ok) {
		SSL_free(t->ssl);
		tls_ctx_unref(ctx);
		free(t);
		return err_set(err, VGPU_ETLS, "OpenSSL makes no connection");
	}
	*out = &t->transport;
	return VGPU_OK;
}

enum vgpu_err
tls_new_client(struct transport **out, struct tls_ctx *ctx, int fd,
    const char *hostname, struct err_text *err)
{
	if (hostname[0] == '\0' || strlen(hostname) >= TRANSPORT_NAME_MAX)
		return err_set(err, VGPU_ECONF,
		    "the host's name has %zu bytes, expected 1 to %d",
		    strlen(hostname), TRANSPORT_NAME_MAX - 1);
	return tls_new(out, ctx, fd, hostname, err);
}

enum vgpu_err
tls_new_host(struct transport **out, struct tls_ctx *ctx, int fd,
    struct err_text *err)
{
	return tls_new(out, ctx, fd, NULL, err);
}

/* --- the handshake -------------------------------------------------------- */

/* The client's name is its certificate's only common name, in plain ASCII. */
static enum vgpu_err
client_name(struct tls *t, struct err_text *err)
{
	const X509_NAME *subject = X509_get_subject_name(
	    SSL_get0_peer_certificate(t->ssl));
	int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
	const ASN1_STRING *s;
	const unsigned char *p;
	int i, n;

	if (at < 0 || X509_NAME_get_index_by_NID(subject, NID_commonName,
	    at) >= 0)
		return err_set(err, VGPU_EAUTH, "the client's certificate "
		    "has %s common name, expected one",
		    at < 0 ? "no" : "more than one");
	s = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at));
	p = ASN1_STRING_get0_data(s);
	n = ASN1_STRING_length(s);
	for (i = 0; i < n && p[i] > ' ' && p[i] < 0x7f; i++)
		;
	if (n < 1 || i < n || n >= TRANSPORT_NAME_MAX)
		return err_set(err, VGPU_EAUTH, "the common name in the "
		    "client's certificate is not 1 to %d printable ASCII "
		    "characters without spaces", TRANSPORT_NAME_MAX - 1);
	memcpy(t->peer, p, (size_t)n);
	return VGPU_OK;
}

/* What OpenSSL leaves to us. */
static enum vgpu_err
accept_peer(struct tls *t, struct err_text *err)
{
	const unsigned char *name;
	unsigned n;

	SSL_get0_alpn_selected(t->ssl, &name, &n);
	if (n != strlen(TLS_ALPN) || memcmp(name, TLS_ALPN, n) != 0)
		return err_set(err, VGPU_ETLS, "the peer speaks TLS, but not "
		    TLS_ALPN " over it");
	if (t->ctx->host)
		return client_name(t, err);
	memcpy(t->peer, t->hostname, sizeof(t->peer));
	return VGPU_OK;
}

static enum vgpu_err
shake(struct tls *t, struct err_text *err)
{
	struct err_text text;
	enum vgpu_err e;

	tls_enter(t);
	t->io.dry = false;
	if (SSL_do_handshake(t->ssl) != 1) {
		e = tls_nothing(t, err);
	} else {
		t->shaken = true;
		if ((e = accept_peer(t, &text)) != VGPU_OK)
			(void)tls_fail(t, e, &text, err);
	}
	tls_leave();
	if (e != VGPU_ECLOSED)
		return e;
	err_set(&text, VGPU_ETLS,
	    "the peer closed the connection during the handshake");
	return tls_fail(t, VGPU_ETLS, &text, err);
}

enum vgpu_err
tls_handshake(struct transport *transport, enum transport_want *want,
    struct err_text *err)
{
	struct tls *t = tls_of(transport);
	enum vgpu_err e, sent;

	if (t->failed != VGPU_OK)
		return tls_failed(t, err);
	e = t->shaken ? VGPU_OK : shake(t, err);
	if (e != VGPU_OK && e != VGPU_EAGAIN)
		return e;
	sent = tls_io_flush(&t->io, NULL);
	if (sent == VGPU_EAGAIN) {
		*want = TRANSPORT_WANT_WRITE;
		return VGPU_EAGAIN;
	}
	/* A peer that is gone has perhaps said why: reading will tell. */
	if (e == VGPU_EAGAIN)
		*want = TRANSPORT_WANT_READ;
	else
		t->done = true;
	return e;
}

/* --- more about the connection -------------------------------------------- */

enum vgpu_err
tls_peer_digest(struct transport *transport, uint8_t out[TRANSPORT_DIGEST_LEN],
    struct err_text *err)
{
	struct tls *t = tls_of(transport);
	const X509 *x = SSL_get0_peer_certificate(t->ssl);
	unsigned n;
	int ok;

	tls_enter(t);
	ok = x != NULL && X509_digest(x, EVP_sha256(), out, &n) == 1;
	tls_leave();
	return ok ? VGPU_OK : err_set(err, VGPU_ETLS,
	    "the peer's certificate has no digest");
}

void
tls_set_rekey(struct transport *transport, uint64_t n)
{
	struct tls *t = tls_of(transport);

	t->rekey_every = t->rekey_in = n;
}
