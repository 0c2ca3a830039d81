/* SPDX-License-Identifier: ISC */
/*
 * pem - reads certificates and keys from files, and says what is wrong.
 *
 * Each error is VGPU_ECONF and names the file.  OpenSSL's error queue is left
 * as it was.
 */
#ifndef VGPU_TRANSPORT_PEM_H
#define VGPU_TRANSPORT_PEM_H

#include <openssl/types.h>

#include "common/err.h"

#define PEM_TIME_MAX 32

/*
 * Read the first certificate of a file, in a library context (NULL: the
 * default one).  what names its part in errors: "certificate", "CA".
 */
enum vgpu_err pem_read_cert(X509 **, OSSL_LIB_CTX *, const char *file,
    const char *what, struct err_text *);

/* See that a certificate read from file is valid now. */
enum vgpu_err pem_check_time(const X509 *, const char *file, const char *what,
    struct err_text *);

/*
 * Read a private key: not encrypted, and not open to all users.  err also
 * tells apart a file that is missing and one that may not be read.
 */
enum vgpu_err pem_read_key(EVP_PKEY **, OSSL_LIB_CTX *, const char *file,
    struct err_text *);

/* See that a key is of the certificate. */
enum vgpu_err pem_check_pair(const X509 *, const char *cert_file,
    const EVP_PKEY *, const char *key_file, struct err_text *);

/* A time of a certificate as text ("2026-11-29 18:00 UTC"); returns out. */
const char *pem_time(const ASN1_TIME *, char out[PEM_TIME_MAX]);

#endif
