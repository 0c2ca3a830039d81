/* SPDX-License-Identifier: ISC */
/*
 * cert_file - writes one PEM file in the place of another, whole or not at
 * all: a key with mode 0600, a certificate with 0644.
 */
#ifndef VGPU_TRANSPORT_CERT_FILE_H
#define VGPU_TRANSPORT_CERT_FILE_H

#include <openssl/types.h>

#include "common/err.h"

/* VGPU_ESYS: err names the file. */
enum vgpu_err cert_file_key(const char *file, const EVP_PKEY *,
    struct err_text *);
enum vgpu_err cert_file_cert(const char *file, const X509 *,
    struct err_text *);

#endif
