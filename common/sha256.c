/* SPDX-License-Identifier: ISC */
#include "common/sha256.h"

#include <openssl/err.h>
#include <openssl/evp.h>

enum vgpu_err
sha256(const void *p, size_t n, uint8_t out[SHA256_LEN])
{
	uint8_t hash[EVP_MAX_MD_SIZE];
	unsigned i;

	if (EVP_Digest(p, n, hash, NULL, EVP_sha256(), NULL) != 1) {
		ERR_clear_error(); /* the queue belongs to the application */
		return VGPU_ESYS;
	}
	for (i = 0; i < SHA256_LEN; i++)
		out[i] = hash[i];
	return VGPU_OK;
}

const char *
sha256_text(const uint8_t hash[SHA256_LEN], char out[SHA256_TEXT])
{
	static const char digit[] = "0123456789abcdef";
	unsigned i;

	for (i = 0; i < SHA256_LEN; i++) {
		out[2 * i] = digit[hash[i] >> 4];
		out[2 * i + 1] = digit[hash[i] & 15];
	}
	out[2 * i] = '\0';
	return out;
}
