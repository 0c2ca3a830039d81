/* SPDX-License-Identifier: ISC */
/*
 * tls_ctx_private - what a connection (tls.c) needs of its context.
 *
 * Connections hold references, so a configuration can be replaced while they
 * last.
 */
#ifndef VGPU_TRANSPORT_TLS_CTX_PRIVATE_H
#define VGPU_TRANSPORT_TLS_CTX_PRIVATE_H

#include <stdatomic.h>
#include <stdbool.h>

#include <openssl/bio.h>

#include "transport/tls_ctx.h"

struct tls_ctx {
	atomic_int refs;
	bool host;
	OSSL_LIB_CTX *lib;
	BIO_METHOD *method;
	struct sign_key key; /* a host's */
	SSL_CTX *ssl;
};

struct tls_ctx *tls_ctx_ref(struct tls_ctx *);
void tls_ctx_unref(struct tls_ctx *);

#endif
