/* SPDX-License-Identifier: ISC */
/*
 * tls_ctx - certificates and rules that all TLS connections of one side share.
 *
 * TLS 1.3 only, certificates on both sides, one CA and no other, no tickets
 * and no resumption, protocol name (ALPN) "vgpu/1" required.  Each context has
 * an OpenSSL library context of its own, so neither the program around us nor
 * the system's openssl.cnf changes what it does.
 *
 * A host's context does not hold the private key; see sign.h.
 */
#ifndef VGPU_TRANSPORT_TLS_CTX_H
#define VGPU_TRANSPORT_TLS_CTX_H

#include "common/err.h"
#include "transport/sign.h"

#define TLS_ALPN "vgpu/1"

struct tls_ctx;

/* PEM files.  ca holds the certificate that signs both sides' ones. */
struct tls_files {
	const char *ca;
	const char *cert;
	const char *key; /* NULL for a host */
};

/*
 * A client's context.  VGPU_ECONF: err names the file and what is wrong with
 * it: missing, not readable, no PEM, expired or not yet valid, for another
 * purpose, key of another certificate.
 */
enum vgpu_err tls_ctx_new_client(struct tls_ctx **, const struct tls_files *,
    struct err_text *);

/*
 * A host's context; sign(arg, ...) is called in tls_handshake, once for each
 * connection, and must stay valid.  Errors as above, and VGPU_ECONF for keys
 * that are neither EC nor RSA.
 */
enum vgpu_err tls_ctx_new_host(struct tls_ctx **, const struct tls_files *,
    sign_function *sign, void *arg, struct err_text *);

/* Connections made from it stay usable. */
void tls_ctx_free(struct tls_ctx *);

#endif
