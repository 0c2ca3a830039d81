/* SPDX-License-Identifier: ISC */
#include "transport/sign.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "transport/pem.h"

struct signer {
	EVP_PKEY *key;
};

enum vgpu_err
signer_open(struct signer **out, const char *key_file, const char *cert_file,
    struct err_text *err)
{
	struct signer *s = calloc(1, sizeof(*s));
	X509 *x = NULL;
	enum vgpu_err e;

	if (s == NULL)
		return err_set(err, VGPU_ENOMEM, "no memory for a key");
	if ((e = pem_read_cert(&x, NULL, cert_file, "certificate", err)) !=
	    VGPU_OK ||
	    (e = pem_read_key(&s->key, NULL, key_file, err)) != VGPU_OK ||
	    (e = pem_check_pair(x, cert_file, s->key, key_file, err)) !=
	    VGPU_OK)
		goto fail;
	if (!EVP_PKEY_is_a(s->key, "EC") && !EVP_PKEY_is_a(s->key, "RSA")) {
		e = err_set(err, VGPU_ECONF,
		    "key \"%s\": use an EC or RSA key", key_file);
		goto fail;
	}
	X509_free(x);
	*out = s;
	return VGPU_OK;
fail:
	X509_free(x);
	signer_close(s);
	return e;
}

void
signer_close(struct signer *s)
{
	if (s == NULL)
		return;
	EVP_PKEY_free(s->key);
	free(s);
}

/* What a host signs in TLS 1.3 and nothing else (RFC 8446, 4.4.3). */
static bool
is_certificate_verify(const struct sign_request *r)
{
	static const char context[] = "TLS 1.3, server CertificateVerify";
	const size_t begin = 64 + sizeof(context); /* with its NUL */
	size_t i;

	if (r->len != begin + 32 && r->len != begin + 48)
		return false;
	for (i = 0; i < 64; i++)
		if (r->content[i] != ' ')
			return false;
	return memcmp(r->content + 64, context, sizeof(context)) == 0;
}

static const char *
digest_name(uint32_t bits)
{
	switch (bits) {
	case 256:
		return "SHA256";
	case 384:
		return "SHA384";
	case 512:
		return "SHA512";
	}
	return NULL;
}

static bool
sign_content(EVP_PKEY *key, const struct sign_request *request,
    struct sign_reply *reply)
{
	EVP_MD_CTX *md = EVP_MD_CTX_new();
	EVP_PKEY_CTX *ctx;
	size_t n = sizeof(reply->signature);
	bool ok;

	ok = md != NULL && EVP_DigestSignInit_ex(md, &ctx,
	    digest_name(request->digest), NULL, NULL, key, NULL) == 1;
	if (ok && EVP_PKEY_is_a(key, "RSA"))
		ok = EVP_PKEY_CTX_set_rsa_padding(ctx,
		    RSA_PKCS1_PSS_PADDING) == 1 &&
		    EVP_PKEY_CTX_set_rsa_pss_saltlen(ctx,
		    RSA_PSS_SALTLEN_DIGEST) == 1;
	ok = ok && EVP_DigestSign(md, reply->signature, &n, request->content,
	    request->len) == 1;
	EVP_MD_CTX_free(md);
	if (ok)
		reply->len = (uint32_t)n;
	return ok;
}

enum vgpu_err
signer_sign(const struct signer *s, const struct sign_request *request,
    struct sign_reply *reply)
{
	enum vgpu_err e = VGPU_OK;

	memset(reply, 0, sizeof(*reply));
	if (digest_name(request->digest) == NULL ||
	    !is_certificate_verify(request)) {
		e = VGPU_EAUTH;
	} else {
		ERR_set_mark();
		if (!sign_content(s->key, request, reply))
			e = VGPU_ETLS;
		ERR_pop_to_mark();
	}
	reply->error = (uint32_t)e;
	return e;
}
