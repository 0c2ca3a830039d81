/* SPDX-License-Identifier: ISC */
#include "transport/pem.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

static enum vgpu_err
open_file(FILE **out, const char *file, const char *what,
    struct err_text *err)
{
	if ((*out = fopen(file, "re")) == NULL) {
		err_sys(err, "%s \"%s\"", what, file);
		return VGPU_ECONF;
	}
	return VGPU_OK;
}

enum vgpu_err
pem_read_cert(X509 **out, OSSL_LIB_CTX *lib, const char *file,
    const char *what, struct err_text *err)
{
	X509 *x;
	FILE *f;

	if (open_file(&f, file, what, err) != VGPU_OK)
		return VGPU_ECONF;
	ERR_set_mark();
	x = X509_new_ex(lib, NULL);
	if (x != NULL && PEM_read_X509(f, &x, NULL, NULL) == NULL) {
		X509_free(x);
		x = NULL;
	}
	ERR_pop_to_mark();
	fclose(f);
	if (x == NULL)
		return err_set(err, VGPU_ECONF,
		    "%s \"%s\": no certificate in PEM form in it", what, file);
	*out = x;
	return VGPU_OK;
}

const char *
pem_time(const ASN1_TIME *t, char out[PEM_TIME_MAX])
{
	struct tm tm;

	if (ASN1_TIME_to_tm(t, &tm) != 1 ||
	    strftime(out, PEM_TIME_MAX, "%Y-%m-%d %H:%M UTC", &tm) == 0)
		snprintf(out, PEM_TIME_MAX, "an unknown time");
	return out;
}

enum vgpu_err
pem_check_time(const X509 *x, const char *file, const char *what,
    struct err_text *err)
{
	char text[PEM_TIME_MAX];

	if (X509_cmp_current_time(X509_get0_notAfter(x)) < 0)
		return err_set(err, VGPU_ECONF, "%s \"%s\": expired %s", what,
		    file, pem_time(X509_get0_notAfter(x), text));
	if (X509_cmp_current_time(X509_get0_notBefore(x)) > 0)
		return err_set(err, VGPU_ECONF,
		    "%s \"%s\": not valid before %s (is the clock right?)",
		    what, file, pem_time(X509_get0_notBefore(x), text));
	return VGPU_OK;
}

/* OpenSSL asks for a passphrase: remember that, and give none. */
static int
refuse_passphrase(char *buf, int size, int writing, void *asked)
{
	(void)buf;
	(void)size;
	(void)writing;
	*(bool *)asked = true;
	return -1;
}

static enum vgpu_err
check_mode(FILE *f, const char *file, struct err_text *err)
{
	struct stat st;

	if (fstat(fileno(f), &st) != 0) {
		err_sys(err, "key \"%s\"", file);
		return VGPU_ECONF;
	}
	if ((st.st_mode & S_IRWXO) != 0)
		return err_set(err, VGPU_ECONF, "key \"%s\": open to all "
		    "users (mode %03o); chmod o= it", file,
		    (unsigned)st.st_mode & 0777);
	return VGPU_OK;
}

enum vgpu_err
pem_read_key(EVP_PKEY **out, OSSL_LIB_CTX *lib, const char *file,
    struct err_text *err)
{
	bool encrypted = false;
	enum vgpu_err e;
	EVP_PKEY *key = NULL;
	FILE *f;

	if ((e = open_file(&f, file, "key", err)) != VGPU_OK)
		return e;
	if ((e = check_mode(f, file, err)) == VGPU_OK) {
		ERR_set_mark();
		key = PEM_read_PrivateKey_ex(f, NULL, refuse_passphrase,
		    &encrypted, lib, NULL);
		ERR_pop_to_mark();
	}
	fclose(f);
	if (e != VGPU_OK)
		return e;
	if (key == NULL && encrypted)
		return err_set(err, VGPU_ECONF, "key \"%s\": encrypted; a key "
		    "without passphrase is needed", file);
	if (key == NULL)
		return err_set(err, VGPU_ECONF,
		    "key \"%s\": no private key in PEM form in it", file);
	*out = key;
	return VGPU_OK;
}

enum vgpu_err
pem_check_pair(const X509 *x, const char *cert_file, const EVP_PKEY *key,
    const char *key_file, struct err_text *err)
{
	int same;

	ERR_set_mark();
	same = X509_check_private_key(x, key);
	ERR_pop_to_mark();
	if (same != 1)
		return err_set(err, VGPU_ECONF, "key \"%s\": not the key of "
		    "certificate \"%s\"", key_file, cert_file);
	return VGPU_OK;
}
