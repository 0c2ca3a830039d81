/* SPDX-License-Identifier: ISC */
/*
 * tls_reason - why a TLS connection failed, in words that help.
 */
#ifndef VGPU_TRANSPORT_TLS_REASON_H
#define VGPU_TRANSPORT_TLS_REASON_H

#include <openssl/types.h>

#include "common/err.h"

/*
 * Turn the last entry of OpenSSL's error queue into VGPU_EAUTH (one side did
 * not accept the other's certificate), VGPU_ECLOSED or VGPU_ETLS, with text.
 */
enum vgpu_err tls_reason_error(struct err_text *);

/*
 * Say why a peer's certificate is refused, from what OpenSSL found while it
 * verified.  hostname: the name wanted of a host, or NULL for a client.
 */
enum vgpu_err tls_reason_verify(X509_STORE_CTX *, const char *hostname,
    struct err_text *);

#endif
