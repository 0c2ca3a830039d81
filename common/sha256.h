/* SPDX-License-Identifier: ISC */
/*
 * sha256 - the hash that names contents: shipped files, trees, binaries.
 */
#ifndef VGPU_COMMON_SHA256_H
#define VGPU_COMMON_SHA256_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

#define SHA256_LEN 32
#define SHA256_TEXT (2 * SHA256_LEN + 1)

/* VGPU_ESYS: the crypto library refused (no memory, or no such algorithm). */
enum vgpu_err sha256(const void *, size_t, uint8_t out[SHA256_LEN]);

/* The hash as lower-case hexadecimal text; returns out. */
const char *sha256_text(const uint8_t hash[SHA256_LEN],
    char out[SHA256_TEXT]);

#endif
