/* SPDX-License-Identifier: ISC */
/*
 * An OpenSSL provider (provider(7)) with private keys that are elsewhere.
 *
 * libssl asks the provider of a key to sign.  The keys here hold the public
 * key, of OpenSSL's default provider, to which every question about the key is
 * passed on; signing calls sign_function.  libssl hands over the whole content
 * and not its hash, which is what lets the other side see what it signs.
 *
 * Operations are first tried in the default provider: OpenSSL exports the key
 * to it.  That fails here, because a private key is asked for, and OpenSSL then
 * takes the operation of the key's own provider.
 */
#include "transport/sign.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>

#define PROVIDER "vgpu-sign"
#define PROPERTIES "provider=" PROVIDER
#define PARAM_KEY "vgpu-sign-key" /* a struct remote_key, in this process */

struct remote_key {
	EVP_PKEY *public;
	sign_function *sign;
	void *arg;
};

struct remote_sign {
	const struct remote_key *key;
	uint32_t digest;
};

/* --- keys ----------------------------------------------------------------- */

static void *
key_new(void *provider)
{
	(void)provider;
	return calloc(1, sizeof(struct remote_key));
}

static void
key_free(void *data)
{
	struct remote_key *key = data;

	if (key == NULL)
		return;
	EVP_PKEY_free(key->public);
	free(key);
}

static int
key_has(const void *data, int selection)
{
	const struct remote_key *key = data;

	(void)selection; /* all of it, as far as OpenSSL is concerned */
	return key->public != NULL;
}

static int
key_match(const void *a, const void *b, int selection)
{
	const struct remote_key *ka = a, *kb = b;

	(void)selection;
	return EVP_PKEY_eq(ka->public, kb->public) == 1;
}

/* Only make_key has the parameter; keys of others stay where they are. */
static int
key_import(void *data, int selection, const OSSL_PARAM params[])
{
	const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, PARAM_KEY);
	struct remote_key *key = data;
	const struct remote_key *from;
	const void *ptr;
	size_t n;

	(void)selection;
	if (p == NULL || OSSL_PARAM_get_octet_ptr(p, &ptr, &n) != 1 ||
	    n != sizeof(*from))
		return 0;
	from = ptr;
	if (EVP_PKEY_up_ref(from->public) != 1)
		return 0;
	*key = *from;
	return 1;
}

static const OSSL_PARAM *
key_import_types(int selection)
{
	static const OSSL_PARAM types[] = {
		OSSL_PARAM_octet_ptr(PARAM_KEY, NULL, 0), OSSL_PARAM_END };

	(void)selection;
	return types;
}

static int
key_export(void *data, int selection, OSSL_CALLBACK *callback, void *arg)
{
	struct remote_key *key = data;

	if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0)
		return 0;
	return EVP_PKEY_export(key->public, selection, callback, arg);
}

static const OSSL_PARAM *
key_export_types(int selection)
{
	static const OSSL_PARAM types[] = {
		OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
		OSSL_PARAM_END };

	(void)selection;
	return types;
}

static int
key_get_params(void *data, OSSL_PARAM params[])
{
	struct remote_key *key = data;

	return EVP_PKEY_get_params(key->public, params);
}

static const OSSL_PARAM *
key_gettable_params(void *provider)
{
	static const OSSL_PARAM params[] = {
		OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, NULL),
		OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, NULL),
		OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, NULL),
		OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, NULL, 0),
		OSSL_PARAM_END };

	(void)provider;
	return params;
}

static const char *
key_operation_ec(int operation)
{
	return operation == OSSL_OP_SIGNATURE ? "ECDSA" : NULL;
}

/* --- signatures ----------------------------------------------------------- */

static void *
sign_new(void *provider, const char *properties)
{
	(void)provider;
	(void)properties;
	return calloc(1, sizeof(struct remote_sign));
}

static int
sign_init(void *ctx, const char *digest, void *key,
    const OSSL_PARAM params[])
{
	static const struct {
		const char *names[2];
		uint32_t bits;
	} digests[] = { { { "SHA256", "SHA2-256" }, 256 },
		{ { "SHA384", "SHA2-384" }, 384 },
		{ { "SHA512", "SHA2-512" }, 512 } };
	struct remote_sign *s = ctx;
	size_t i;

	(void)params;
	if (digest == NULL || key == NULL)
		return 0;
	for (i = 0; i < sizeof(digests) / sizeof(digests[0]); i++) {
		if (strcmp(digest, digests[i].names[0]) != 0 &&
		    strcmp(digest, digests[i].names[1]) != 0)
			continue;
		s->digest = digests[i].bits;
		s->key = key;
		return 1;
	}
	return 0;
}

static int
sign_content(void *ctx, unsigned char *out, size_t *len, size_t size,
    const unsigned char *content, size_t n)
{
	const struct remote_sign *s = ctx;
	struct sign_request request;
	struct sign_reply reply;

	if (out == NULL) {
		*len = (size_t)EVP_PKEY_get_size(s->key->public);
		return 1;
	}
	if (n > sizeof(request.content))
		return 0;
	memset(&request, 0, sizeof(request));
	request.digest = s->digest;
	request.len = (uint32_t)n;
	memcpy(request.content, content, n);
	if (s->key->sign(s->key->arg, &request, &reply) != VGPU_OK ||
	    reply.error != VGPU_OK || reply.len > sizeof(reply.signature) ||
	    reply.len > size)
		return 0;
	memcpy(out, reply.signature, reply.len);
	*len = reply.len;
	return 1;
}

/*
 * Accepted and not looked at: TLS 1.3 has RSA only as PSS with a salt as long
 * as the digest, which is what signer_sign makes.
 */
static int
sign_set_params(void *ctx, const OSSL_PARAM params[])
{
	(void)ctx;
	(void)params;
	return 1;
}

static const OSSL_PARAM *
sign_settable_params(void *ctx, void *provider)
{
	static const OSSL_PARAM params[] = {
		OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_PAD_MODE, NULL, 0),
		OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_PSS_SALTLEN, NULL,
		    0),
		OSSL_PARAM_END };

	(void)ctx;
	(void)provider;
	return params;
}

/* --- the provider --------------------------------------------------------- */

#define ENTRY(id, function) { id, (void (*)(void))(function) }
#define KEY_ENTRIES						\
	ENTRY(OSSL_FUNC_KEYMGMT_NEW, key_new),			\
	ENTRY(OSSL_FUNC_KEYMGMT_FREE, key_free),		\
	ENTRY(OSSL_FUNC_KEYMGMT_HAS, key_has),			\
	ENTRY(OSSL_FUNC_KEYMGMT_MATCH, key_match),		\
	ENTRY(OSSL_FUNC_KEYMGMT_IMPORT, key_import),		\
	ENTRY(OSSL_FUNC_KEYMGMT_IMPORT_TYPES, key_import_types), \
	ENTRY(OSSL_FUNC_KEYMGMT_EXPORT, key_export),		\
	ENTRY(OSSL_FUNC_KEYMGMT_EXPORT_TYPES, key_export_types), \
	ENTRY(OSSL_FUNC_KEYMGMT_GET_PARAMS, key_get_params),	\
	ENTRY(OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, key_gettable_params)

static const OSSL_DISPATCH rsa_key_functions[] = { KEY_ENTRIES, { 0, NULL } };

static const OSSL_DISPATCH ec_key_functions[] = { KEY_ENTRIES,
	ENTRY(OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME, key_operation_ec),
	{ 0, NULL } };

static const OSSL_DISPATCH sign_functions[] = {
	ENTRY(OSSL_FUNC_SIGNATURE_NEWCTX, sign_new),
	ENTRY(OSSL_FUNC_SIGNATURE_FREECTX, free),
	ENTRY(OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, sign_init),
	ENTRY(OSSL_FUNC_SIGNATURE_DIGEST_SIGN, sign_content),
	ENTRY(OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, sign_set_params),
	ENTRY(OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS, sign_settable_params),
	{ 0, NULL } };

static const OSSL_ALGORITHM keys[] = {
	{ "EC:id-ecPublicKey", PROPERTIES, ec_key_functions, NULL },
	{ "RSA:rsaEncryption", PROPERTIES, rsa_key_functions, NULL },
	{ NULL, NULL, NULL, NULL } };

static const OSSL_ALGORITHM signatures[] = {
	{ "ECDSA", PROPERTIES, sign_functions, NULL },
	{ "RSA:rsaEncryption", PROPERTIES, sign_functions, NULL },
	{ NULL, NULL, NULL, NULL } };

static const OSSL_ALGORITHM *
provider_query(void *provider, int operation, int *no_cache)
{
	(void)provider;
	*no_cache = 0;
	if (operation == OSSL_OP_KEYMGMT)
		return keys;
	return operation == OSSL_OP_SIGNATURE ? signatures : NULL;
}

static int
provider_init(const OSSL_CORE_HANDLE *core, const OSSL_DISPATCH *in,
    const OSSL_DISPATCH **out, void **provider)
{
	static const OSSL_DISPATCH functions[] = {
		ENTRY(OSSL_FUNC_PROVIDER_QUERY_OPERATION, provider_query),
		{ 0, NULL } };
	static char unused;

	(void)core;
	(void)in;
	*out = functions;
	*provider = &unused;
	return 1;
}

static bool
load_providers(struct sign_key *k, OSSL_LIB_CTX *lib)
{
	return OSSL_PROVIDER_add_builtin(lib, PROVIDER, provider_init) == 1 &&
	    (k->providers[0] = OSSL_PROVIDER_load(lib, "default")) != NULL &&
	    (k->providers[1] = OSSL_PROVIDER_load(lib, PROVIDER)) != NULL;
}

static bool
make_key(struct sign_key *k, OSSL_LIB_CTX *lib, const char *type,
    struct remote_key *from)
{
	void *ptr = from;
	OSSL_PARAM params[2] = {
		OSSL_PARAM_construct_octet_ptr(PARAM_KEY, &ptr, sizeof(*from)),
		OSSL_PARAM_construct_end() };
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(lib, type, PROPERTIES);
	bool ok;

	ok = ctx != NULL && EVP_PKEY_fromdata_init(ctx) == 1 &&
	    EVP_PKEY_fromdata(ctx, &k->key, EVP_PKEY_KEYPAIR, params) == 1;
	EVP_PKEY_CTX_free(ctx);
	return ok;
}

enum vgpu_err
sign_key_init(struct sign_key *k, OSSL_LIB_CTX *lib, EVP_PKEY *of,
    sign_function *sign, void *arg, struct err_text *err)
{
	struct remote_key key = { .public = of, .sign = sign, .arg = arg };
	const char *type = EVP_PKEY_is_a(of, "EC") ? "EC" :
	    EVP_PKEY_is_a(of, "RSA") ? "RSA" : NULL;
	bool ok;

	memset(k, 0, sizeof(*k));
	if (type == NULL)
		return err_set(err, VGPU_ECONF, "use an EC or RSA key");
	ERR_set_mark();
	ok = load_providers(k, lib) && make_key(k, lib, type, &key);
	ERR_pop_to_mark();
	if (ok)
		return VGPU_OK;
	sign_key_fini(k);
	return err_set(err, VGPU_ETLS,
	    "OpenSSL does not take a key that is elsewhere");
}

void
sign_key_fini(struct sign_key *k)
{
	int i;

	EVP_PKEY_free(k->key);
	for (i = 1; i >= 0; i--)
		if (k->providers[i] != NULL)
			OSSL_PROVIDER_unload(k->providers[i]);
	memset(k, 0, sizeof(*k));
}
