/* SPDX-License-Identifier: ISC */
/*
 * sign - the host's private key, kept out of the processes that use it.
 *
 * A TLS 1.3 host proves who it is by one signature per connection, over 64
 * spaces, a fixed text and the hash of the handshake (RFC 8446, 4.4.3).  A
 * session process, which decodes a hostile client's bytes, asks for that
 * signature; the parent, which holds the key, refuses to sign anything else,
 * so a session that was taken over can't use the key for another purpose.
 *
 * Requests and replies have a fixed size and no pointers: they are sent as
 * they are over a socketpair between two processes of one program.
 */
#ifndef VGPU_TRANSPORT_SIGN_H
#define VGPU_TRANSPORT_SIGN_H

#include <stdint.h>

#include <openssl/types.h>

#include "common/err.h"

#define SIGN_CONTENT_MAX 168  /* 64 + 33 + 1 + 64, rounded up */
#define SIGN_SIGNATURE_MAX 1024 /* an RSA key of 8192 bits */

struct sign_request {
	uint32_t digest; /* 256, 384 or 512: bits of SHA-2 */
	uint32_t len;	 /* of content */
	uint8_t content[SIGN_CONTENT_MAX];
};

struct sign_reply {
	uint32_t error; /* enum vgpu_err; VGPU_OK: signature is there */
	uint32_t len;	/* of signature */
	uint8_t signature[SIGN_SIGNATURE_MAX];
};

/*
 * What tls_ctx calls for a signature.  It may block, shortly.  It returns
 * VGPU_OK with a reply, or an error, which ends that one handshake.
 */
typedef enum vgpu_err sign_function(void *arg, const struct sign_request *,
    struct sign_reply *);

struct signer;

/*
 * Read a private key and see that it belongs to the certificate.
 * VGPU_ECONF: err names the file and what is wrong: missing, not readable,
 * open to all users, encrypted, no PEM, not EC or RSA, or of another
 * certificate.
 */
enum vgpu_err signer_open(struct signer **, const char *key_file,
    const char *cert_file, struct err_text *);

/*
 * Answer a request, which may come from a hostile process.  Returns what it
 * puts in reply->error.  VGPU_EAUTH: the content is not what a TLS 1.3 host
 * signs.  Any thread.
 */
enum vgpu_err signer_sign(const struct signer *, const struct sign_request *,
    struct sign_reply *);

void signer_close(struct signer *);

/*
 * A private key without the private part, and what OpenSSL needs to have it.
 */
struct sign_key {
	EVP_PKEY *key;
	OSSL_PROVIDER *providers[2];
};

/*
 * Make, in an OpenSSL library context of the caller's own, a private key that
 * has the public key of a certificate and calls sign when a signature is
 * needed.  sign and arg stay valid as long as the key is used.  One in a
 * context.  VGPU_ECONF: it is neither an EC nor an RSA key.
 */
enum vgpu_err sign_key_init(struct sign_key *, OSSL_LIB_CTX *, EVP_PKEY *of,
    sign_function *sign, void *arg, struct err_text *);

/* After all that used the key, before the context is freed.  Zeroed: fine. */
void sign_key_fini(struct sign_key *);

#endif
