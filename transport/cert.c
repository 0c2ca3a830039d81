/* SPDX-License-Identifier: ISC */
#include "transport/cert.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include "transport/cert_file.h"
#include "transport/pem.h"

#define CLOCK_SLACK 300 /* seconds by which two machines' clocks differ */
#define SERIAL_LEN 16	/* random, so that no two are equal */

struct cert_ca {
	X509 *cert;
	EVP_PKEY *key;
};

/* What differs between the three kinds. */
struct kind {
	const char *basic, *usage, *extended;
};

static const struct kind ca_kind = { "critical,CA:TRUE,pathlen:0",
	"critical,keyCertSign,cRLSign", NULL };
static const struct kind host_kind = { "critical,CA:FALSE",
	"critical,digitalSignature", "serverAuth" };
static const struct kind client_kind = { "critical,CA:FALSE",
	"critical,digitalSignature", "clientAuth" };

struct cert_validity
cert_valid_for(long seconds)
{
	struct cert_validity v;
	time_t now = time(NULL);

	v.from = now - CLOCK_SLACK;
	v.to = now + seconds;
	return v;
}

static enum vgpu_err
no_certificate(struct err_text *err)
{
	return err_set(err, VGPU_ETLS, "OpenSSL makes no certificate");
}

/* --- building ------------------------------------------------------------- */

static bool
set_serial(X509 *x)
{
	unsigned char bytes[SERIAL_LEN];
	BIGNUM *n;
	bool ok;

	if (RAND_bytes(bytes, sizeof(bytes)) != 1)
		return false;
	bytes[0] &= 0x7f; /* positive */
	n = BN_bin2bn(bytes, sizeof(bytes), NULL);
	ok = n != NULL &&
	    BN_to_ASN1_INTEGER(n, X509_get_serialNumber(x)) != NULL;
	BN_free(n);
	return ok;
}

static bool
set_subject(X509 *x, const char *name)
{
	return X509_NAME_add_entry_by_NID(X509_get_subject_name(x),
	    NID_commonName, MBSTRING_ASC,
	    (const unsigned char *)(uintptr_t)name, -1, -1, 0) == 1;
}

static bool
add_extension(X509 *x, X509V3_CTX *ctx, int nid, const char *value)
{
	X509_EXTENSION *e;
	bool ok;

	if (value == NULL)
		return true;
	e = X509V3_EXT_conf_nid(NULL, ctx, nid, value);
	ok = e != NULL && X509_add_ext(x, e, -1) == 1;
	X509_EXTENSION_free(e);
	return ok;
}

static bool
add_extensions(X509 *x, const struct kind *kind, X509 *issuer)
{
	X509V3_CTX ctx;

	X509V3_set_ctx(&ctx, issuer, x, NULL, NULL, 0);
	return add_extension(x, &ctx, NID_basic_constraints, kind->basic) &&
	    add_extension(x, &ctx, NID_key_usage, kind->usage) &&
	    add_extension(x, &ctx, NID_ext_key_usage, kind->extended) &&
	    add_extension(x, &ctx, NID_subject_key_identifier, "hash") &&
	    add_extension(x, &ctx, NID_authority_key_identifier, "keyid");
}

/* A certificate but for its names and signature.  ca NULL: for itself. */
static X509 *
build(const struct kind *kind, const char *name, struct cert_validity v,
    EVP_PKEY *key, const struct cert_ca *ca)
{
	X509 *x = X509_new();

	if (x != NULL && X509_set_version(x, X509_VERSION_3) == 1 &&
	    set_serial(x) && set_subject(x, name) &&
	    X509_set_issuer_name(x, X509_get_subject_name(ca != NULL ?
	    ca->cert : x)) == 1 &&
	    ASN1_TIME_set(X509_getm_notBefore(x), v.from) != NULL &&
	    ASN1_TIME_set(X509_getm_notAfter(x), v.to) != NULL &&
	    X509_set_pubkey(x, key) == 1 &&
	    add_extensions(x, kind, ca != NULL ? ca->cert : x))
		return x;
	X509_free(x);
	return NULL;
}

/* --- the CA --------------------------------------------------------------- */

static enum vgpu_err
ca_alloc(struct cert_ca **out, struct err_text *err)
{
	if ((*out = calloc(1, sizeof(**out))) == NULL)
		return err_set(err, VGPU_ENOMEM, "no memory for a CA");
	return VGPU_OK;
}

enum vgpu_err
cert_ca_new(struct cert_ca **out, const char *name,
    struct cert_validity v, struct err_text *err)
{
	struct cert_ca *ca;
	enum vgpu_err e;

	if ((e = ca_alloc(&ca, err)) != VGPU_OK)
		return e;
	if ((ca->key = EVP_EC_gen("P-256")) == NULL ||
	    (ca->cert = build(&ca_kind, name, v, ca->key, NULL)) == NULL ||
	    X509_sign(ca->cert, ca->key, EVP_sha256()) == 0) {
		cert_ca_free(ca);
		return no_certificate(err);
	}
	*out = ca;
	return VGPU_OK;
}

enum vgpu_err
cert_ca_open(struct cert_ca **out, const struct cert_files *files,
    struct err_text *err)
{
	struct cert_ca *ca;
	enum vgpu_err e;

	if ((e = ca_alloc(&ca, err)) != VGPU_OK)
		return e;
	if ((e = pem_read_cert(&ca->cert, NULL, files->cert, "CA", err)) !=
	    VGPU_OK ||
	    (e = pem_check_time(ca->cert, files->cert, "CA", err)) !=
	    VGPU_OK ||
	    (e = pem_read_key(&ca->key, NULL, files->key, err)) != VGPU_OK ||
	    (e = pem_check_pair(ca->cert, files->cert, ca->key, files->key,
	    err)) != VGPU_OK)
		goto fail;
	if (X509_check_ca(ca->cert) == 0) {
		e = err_set(err, VGPU_ECONF,
		    "CA \"%s\": not the certificate of a CA", files->cert);
		goto fail;
	}
	*out = ca;
	return VGPU_OK;
fail:
	cert_ca_free(ca);
	return e;
}

enum vgpu_err
cert_ca_write(const struct cert_ca *ca, const struct cert_files *files,
    struct err_text *err)
{
	enum vgpu_err e;

	if (files->key != NULL &&
	    (e = cert_file_key(files->key, ca->key, err)) != VGPU_OK)
		return e;
	return cert_file_cert(files->cert, ca->cert, err);
}

void
cert_ca_free(struct cert_ca *ca)
{
	if (ca == NULL)
		return;
	X509_free(ca->cert);
	EVP_PKEY_free(ca->key);
	free(ca);
}

/* --- what the CA signs ---------------------------------------------------- */

static bool
is_dns_name(const char *name)
{
	size_t n = strlen(name);

	return n > 0 && n < 254 && strspn(name,
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	    "0123456789.-_") == n && name[0] != '.' && name[0] != '-';
}

static GENERAL_NAME *
general_name(const char *name)
{
	GENERAL_NAME *g = GENERAL_NAME_new();
	ASN1_STRING *value = a2i_IPADDRESS(name); /* NULL: not numeric */
	int type = value != NULL ? GEN_IPADD : GEN_DNS;

	if (value == NULL && (value = ASN1_IA5STRING_new()) != NULL &&
	    ASN1_STRING_set(value, name, -1) != 1) {
		ASN1_STRING_free(value);
		value = NULL;
	}
	if (g == NULL || value == NULL) {
		GENERAL_NAME_free(g);
		ASN1_STRING_free(value);
		return NULL;
	}
	GENERAL_NAME_set0_value(g, type, value);
	return g;
}

static bool
add_names(X509 *x, const char *const *names, size_t n)
{
	GENERAL_NAMES *list = GENERAL_NAMES_new();
	GENERAL_NAME *g;
	bool ok = list != NULL;
	size_t i;

	for (i = 0; ok && i < n; i++) {
		g = general_name(names[i]);
		if (g == NULL || sk_GENERAL_NAME_push(list, g) == 0) {
			GENERAL_NAME_free(g);
			ok = false;
		}
	}
	ok = ok && X509_add1_ext_i2d(x, NID_subject_alt_name, list, 0,
	    X509V3_ADD_DEFAULT) == 1;
	GENERAL_NAMES_free(list);
	return ok;
}

static enum vgpu_err
write_signed(const struct cert_ca *ca, const struct kind *kind,
    const char *name, const char *const *names, size_t n,
    struct cert_validity v, const struct cert_files *files,
    struct err_text *err)
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *x = NULL;
	enum vgpu_err e;

	if (key == NULL || (x = build(kind, name, v, key, ca)) == NULL ||
	    (n > 0 && !add_names(x, names, n)) ||
	    X509_sign(x, ca->key, EVP_sha256()) == 0)
		e = no_certificate(err);
	else if ((e = cert_file_key(files->key, key, err)) == VGPU_OK)
		e = cert_file_cert(files->cert, x, err);
	X509_free(x);
	EVP_PKEY_free(key);
	return e;
}

enum vgpu_err
cert_write_host(const struct cert_ca *ca, const char *const *names, size_t n,
    struct cert_validity v, const struct cert_files *files,
    struct err_text *err)
{
	struct in6_addr a;
	size_t i;

	if (n == 0)
		return err_set(err, VGPU_ECONF,
		    "a host's certificate needs a name or an address");
	for (i = 0; i < n; i++)
		if (inet_pton(AF_INET6, names[i], &a) != 1 &&
		    !is_dns_name(names[i]))
			return err_set(err, VGPU_ECONF, "\"%s\" is neither a "
			    "DNS name nor a numeric address", names[i]);
	/* Nobody looks at this name; it is for people. */
	return write_signed(ca, &host_kind, "vgpu host", names, n, v, files,
	    err);
}

enum vgpu_err
cert_write_client(const struct cert_ca *ca, const char *tenant,
    struct cert_validity v, const struct cert_files *files,
    struct err_text *err)
{
	size_t i, n = strlen(tenant);

	for (i = 0; i < n && tenant[i] > ' ' && tenant[i] < 0x7f; i++)
		;
	if (n == 0 || n > CERT_TENANT_MAX || i < n)
		return err_set(err, VGPU_ECONF, "a tenant's name is 1 to %d "
		    "printable ASCII characters without spaces",
		    CERT_TENANT_MAX);
	return write_signed(ca, &client_kind, tenant, NULL, 0, v, files, err);
}
