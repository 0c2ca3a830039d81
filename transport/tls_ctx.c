/* SPDX-License-Identifier: ISC */
#include "transport/tls_ctx.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "transport/pem.h"
#include "transport/tls_ctx_private.h"
#include "transport/tls_io.h"

/* The list of one name: a length and the name (RFC 7301, 3.1). */
static const unsigned char alpn[] = "\x06" TLS_ALPN;
#define ALPN_LEN ((unsigned)sizeof(alpn) - 1)

/* --- OpenSSL and its settings --------------------------------------------- */

static bool
has_aes(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __builtin_cpu_supports("aes") != 0;
#elif defined(__aarch64__)
	return (getauxval(AT_HWCAP) & HWCAP_AES) != 0;
#else
	return false;
#endif
}

static const char *
suites(void)
{
	return has_aes() ?
	    "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:"
	    "TLS_CHACHA20_POLY1305_SHA256" :
	    "TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:"
	    "TLS_AES_256_GCM_SHA384";
}

/* The host's choice of the protocol name. */
static int
select_alpn(SSL *ssl, const unsigned char **out, unsigned char *out_len,
    const unsigned char *in, unsigned in_len, void *arg)
{
	unsigned char *p;

	(void)ssl;
	(void)arg;
	if (SSL_select_next_proto(&p, out_len, alpn, ALPN_LEN, in, in_len) !=
	    OPENSSL_NPN_NEGOTIATED)
		return SSL_TLSEXT_ERR_ALERT_FATAL;
	*out = p;
	return SSL_TLSEXT_ERR_OK;
}

static bool
set_rules(SSL_CTX *ssl, bool host)
{
	SSL_CTX_set_options(ssl, SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET |
	    SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE |
	    SSL_OP_PRIORITIZE_CHACHA);
	SSL_CTX_set_mode(ssl, SSL_MODE_ENABLE_PARTIAL_WRITE |
	    SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
	SSL_CTX_set_session_cache_mode(ssl, SSL_SESS_CACHE_OFF);
	SSL_CTX_set_security_level(ssl, 2);
	SSL_CTX_set_verify(ssl, SSL_VERIFY_PEER |
	    SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
	/* The CA may itself be one that another CA signed. */
	X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(ssl),
	    X509_V_FLAG_PARTIAL_CHAIN);
	if (host)
		SSL_CTX_set_alpn_select_cb(ssl, select_alpn, NULL);
	return SSL_CTX_set_min_proto_version(ssl, TLS1_3_VERSION) == 1 &&
	    SSL_CTX_set_max_proto_version(ssl, TLS1_3_VERSION) == 1 &&
	    SSL_CTX_set_ciphersuites(ssl, suites()) == 1 &&
	    SSL_CTX_set_num_tickets(ssl, 0) == 1 &&
	    (host || SSL_CTX_set_alpn_protos(ssl, alpn, ALPN_LEN) == 0);
}

static enum vgpu_err
ctx_new(struct tls_ctx **out, bool host, struct err_text *err)
{
	struct tls_ctx *c = calloc(1, sizeof(*c));

	if (c == NULL)
		return err_set(err, VGPU_ENOMEM, "no memory for TLS");
	atomic_init(&c->refs, 1);
	c->host = host;
	/*
	 * In a guest's process nothing of ours may run at exit, where threads
	 * may still be inside OpenSSL.  No effect if the program has started
	 * OpenSSL itself.
	 */
	OPENSSL_init_ssl(OPENSSL_INIT_NO_ATEXIT, NULL);
	ERR_set_mark();
	/* The preference keeps sign_key.c's provider out of the way. */
	if ((c->lib = OSSL_LIB_CTX_new()) != NULL &&
	    (c->method = tls_io_method()) != NULL)
		c->ssl = SSL_CTX_new_ex(c->lib, "?provider=default", host ?
		    TLS_server_method() : TLS_client_method());
	if (c->ssl == NULL || !set_rules(c->ssl, host)) {
		ERR_pop_to_mark();
		tls_ctx_unref(c);
		return err_set(err, VGPU_ETLS,
		    "OpenSSL can't be set up for TLS 1.3");
	}
	ERR_pop_to_mark();
	*out = c;
	return VGPU_OK;
}

/* --- certificates --------------------------------------------------------- */

static enum vgpu_err
use_ca(struct tls_ctx *c, const char *file, struct err_text *err)
{
	enum vgpu_err e;
	X509 *x;
	int ok;

	if ((e = pem_read_cert(&x, c->lib, file, "CA", err)) != VGPU_OK)
		return e;
	e = pem_check_time(x, file, "CA", err);
	if (e == VGPU_OK && X509_check_ca(x) == 0)
		e = err_set(err, VGPU_ECONF,
		    "CA \"%s\": not the certificate of a CA", file);
	X509_free(x);
	if (e != VGPU_OK)
		return e;
	ERR_set_mark();
	ok = SSL_CTX_load_verify_file(c->ssl, file);
	ERR_pop_to_mark();
	return ok == 1 ? VGPU_OK : err_set(err, VGPU_ECONF,
	    "CA \"%s\": OpenSSL does not take it", file);
}

static enum vgpu_err
use_cert(struct tls_ctx *c, const char *file, int purpose, X509 **out,
    struct err_text *err)
{
	enum vgpu_err e;
	X509 *x;

	if ((e = pem_read_cert(&x, c->lib, file, "certificate", err)) !=
	    VGPU_OK)
		return e;
	e = pem_check_time(x, file, "certificate", err);
	if (e == VGPU_OK && X509_check_purpose(x, purpose, 0) != 1)
		e = err_set(err, VGPU_ECONF, "certificate \"%s\": not made "
		    "for a %s", file, c->host ? "host (serverAuth)" :
		    "client (clientAuth)");
	if (e != VGPU_OK) {
		X509_free(x);
		return e;
	}
	*out = x;
	return VGPU_OK;
}

static enum vgpu_err
use_pair(struct tls_ctx *c, X509 *x, EVP_PKEY *key, const char *file,
    struct err_text *err)
{
	int ok;

	ERR_set_mark();
	/* With intermediate certificates that stand behind the first. */
	ok = SSL_CTX_use_certificate_chain_file(c->ssl, file) == 1 &&
	    SSL_CTX_get0_certificate(c->ssl) != NULL &&
	    X509_cmp(SSL_CTX_get0_certificate(c->ssl), x) == 0 &&
	    SSL_CTX_use_PrivateKey(c->ssl, key) == 1;
	ERR_pop_to_mark();
	return ok ? VGPU_OK : err_set(err, VGPU_ECONF,
	    "certificate \"%s\": OpenSSL does not take it with its key "
	    "(too weak?)", file);
}

enum vgpu_err
tls_ctx_new_client(struct tls_ctx **out, const struct tls_files *files,
    struct err_text *err)
{
	struct tls_ctx *c;
	EVP_PKEY *key = NULL;
	X509 *x = NULL;
	enum vgpu_err e;

	if ((e = ctx_new(&c, false, err)) != VGPU_OK)
		return e;
	if ((e = use_ca(c, files->ca, err)) == VGPU_OK &&
	    (e = use_cert(c, files->cert, X509_PURPOSE_SSL_CLIENT, &x,
	    err)) == VGPU_OK &&
	    (e = pem_read_key(&key, c->lib, files->key, err)) == VGPU_OK &&
	    (e = pem_check_pair(x, files->cert, key, files->key, err)) ==
	    VGPU_OK)
		e = use_pair(c, x, key, files->cert, err);
	X509_free(x);
	EVP_PKEY_free(key);
	if (e != VGPU_OK) {
		tls_ctx_unref(c);
		return e;
	}
	*out = c;
	return VGPU_OK;
}

enum vgpu_err
tls_ctx_new_host(struct tls_ctx **out, const struct tls_files *files,
    sign_function *sign, void *arg, struct err_text *err)
{
	struct err_text reason;
	struct tls_ctx *c;
	X509 *x = NULL;
	enum vgpu_err e;

	if ((e = ctx_new(&c, true, err)) != VGPU_OK)
		return e;
	if ((e = use_ca(c, files->ca, err)) == VGPU_OK &&
	    (e = use_cert(c, files->cert, X509_PURPOSE_SSL_SERVER, &x,
	    err)) == VGPU_OK &&
	    (e = sign_key_init(&c->key, c->lib, X509_get0_pubkey(x), sign, arg,
	    &reason)) != VGPU_OK)
		err_set(err, e, "certificate \"%s\": %s", files->cert,
		    reason.s);
	if (e == VGPU_OK)
		e = use_pair(c, x, c->key.key, files->cert, err);
	X509_free(x);
	if (e != VGPU_OK) {
		tls_ctx_unref(c);
		return e;
	}
	*out = c;
	return VGPU_OK;
}

/* --- life ----------------------------------------------------------------- */

struct tls_ctx *
tls_ctx_ref(struct tls_ctx *c)
{
	atomic_fetch_add(&c->refs, 1);
	return c;
}

void
tls_ctx_unref(struct tls_ctx *c)
{
	if (c == NULL || atomic_fetch_sub(&c->refs, 1) != 1)
		return;
	SSL_CTX_free(c->ssl);
	BIO_meth_free(c->method);
	sign_key_fini(&c->key);
	OSSL_LIB_CTX_free(c->lib);
	free(c);
}

void
tls_ctx_free(struct tls_ctx *c)
{
	tls_ctx_unref(c);
}
