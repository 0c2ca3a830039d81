/* SPDX-License-Identifier: ISC */
#include "bench/floor_tls.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "bench/floor_link.h"
#include "bench/reply.h"

#define CIPHER "TLS_AES_128_GCM_SHA256"

static void
certify(SSL_CTX *ctx)
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *x = X509_new();

	if (key == NULL || x == NULL)
		reply_fail("no key, no certificate");
	X509_set_version(x, X509_VERSION_3);
	ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
	X509_gmtime_adj(X509_getm_notBefore(x), 0);
	X509_gmtime_adj(X509_getm_notAfter(x), 3600);
	X509_set_pubkey(x, key);
	if (X509_sign(x, key, EVP_sha256()) == 0 ||
	    SSL_CTX_use_certificate(ctx, x) != 1 ||
	    SSL_CTX_use_PrivateKey(ctx, key) != 1)
		reply_fail("no certificate");
	X509_free(x);
	EVP_PKEY_free(key);
}

static SSL_CTX *
context(bool server)
{
	SSL_CTX *ctx = SSL_CTX_new(server ? TLS_server_method() :
	    TLS_client_method());

	if (ctx == NULL || SSL_CTX_set_min_proto_version(ctx,
	    TLS1_3_VERSION) != 1 || SSL_CTX_set_ciphersuites(ctx, CIPHER) != 1)
		reply_fail("no TLS 1.3 with " CIPHER);
	if (server)
		certify(ctx);
	return ctx;
}

/* Records leave together, and are read together. */
static void
attach(struct floor_link *l)
{
	BIO *gather = BIO_new(BIO_f_buffer());
	BIO *in = BIO_new_socket(l->fd, BIO_NOCLOSE);
	BIO *out = BIO_new_socket(l->fd, BIO_NOCLOSE);

	if (gather == NULL || in == NULL || out == NULL ||
	    BIO_set_write_buffer_size(gather, FLOOR_GATHER) != 1)
		reply_fail("no memory");
	l->out = BIO_push(gather, out);
	SSL_set_bio(l->ssl, in, l->out);
	SSL_set_default_read_buffer_len(l->ssl, FLOOR_GATHER);
}

void
floor_tls_open(struct floor_link *l, bool server, bool stream)
{
	SSL_CTX *ctx = context(server);

	if ((l->ssl = SSL_new(ctx)) == NULL)
		reply_fail("no TLS");
	if (stream)
		attach(l);
	else
		SSL_set_fd(l->ssl, l->fd);
	SSL_set_read_ahead(l->ssl, 1);
	if ((server ? SSL_accept(l->ssl) : SSL_connect(l->ssl)) != 1)
		reply_fail("no handshake");
	SSL_CTX_free(ctx);
}
