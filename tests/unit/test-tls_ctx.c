/* SPDX-License-Identifier: ISC */
#include "transport/tls_ctx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include "tests/unit/fixture-world.h"

/* In the folder of certificates, with this text. */
static const char *
write_text(const char *name, const char *text)
{
	const char *path = pki_path(&pki, name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	fclose(f);
	assert_int_equal(chmod(path, 0600), 0);
	return path;
}

/* That the files make no context, and the error has both texts. */
static void
refused(bool host, const struct tls_files *files, const char *file,
    const char *reason)
{
	struct tls_ctx *c = NULL;
	struct err_text err = { "" };
	enum vgpu_err e;

	e = host ? tls_ctx_new_host(&c, files, counting_sign, &pki, &err) :
	    tls_ctx_new_client(&c, files, &err);
	assert_int_equal(e, VGPU_ECONF);
	assert_null(c);
	if (strstr(err.s, file) == NULL || strstr(err.s, reason) == NULL)
		fail_msg("%s", err.s);
	assert_int_equal(ERR_peek_error(), 0);
}

static void
a_missing_file_is_named(void **state)
{
	struct tls_files files = { pki.ca, pki.client, pki.client_key };

	(void)state;
	files.ca = "/nonexistent/ca";
	refused(false, &files, "CA \"/nonexistent/ca\"", "No such file");
	refused(true, &files, "CA \"/nonexistent/ca\"", "No such file");
	files.ca = pki.ca;
	files.cert = "/nonexistent/cert";
	refused(false, &files, "certificate \"/nonexistent/cert\"",
	    "No such file");
	refused(true, &files, "certificate \"/nonexistent/cert\"",
	    "No such file");
	files.cert = pki.client;
	files.key = "/nonexistent/key";
	refused(false, &files, "key \"/nonexistent/key\"", "No such file");
}

static void
a_file_that_may_not_be_read_is_told_from_a_missing_one(void **state)
{
	struct tls_files files = { pki.ca, pki.client, pki.client_key };

	(void)state;
	if (geteuid() == 0) { /* root may read all; a folder it can't */
		files.cert = pki.dir;
		refused(false, &files, pki.dir, "no certificate");
		return;
	}
	assert_int_equal(chmod(pki.client_key, 0), 0);
	refused(false, &files, pki.client_key, "Permission denied");
	assert_int_equal(chmod(pki.client_key, 0600), 0);
}

static void
what_is_not_pem_is_named(void **state)
{
	struct tls_files files = { pki.ca, pki.client, pki.client_key };
	const char *path = write_text("text", "hello\n");

	(void)state;
	files.ca = path;
	refused(false, &files, path, "no certificate in PEM form");
	files.ca = pki.ca;
	files.cert = path;
	refused(true, &files, path, "no certificate in PEM form");
	files.cert = pki.client;
	files.key = path;
	refused(false, &files, path, "no private key in PEM form");
}

static void
a_key_of_another_certificate_is_refused(void **state)
{
	struct tls_files files = { pki.ca, pki.client, pki.host_key };

	(void)state;
	refused(false, &files, pki.host_key, "not the key of certificate");
}

static void
a_key_open_to_all_users_is_refused(void **state)
{
	struct tls_files files = { pki.ca, pki.client, pki.client_key };

	(void)state;
	assert_int_equal(chmod(pki.client_key, 0604), 0);
	refused(false, &files, pki.client_key, "open to all users (mode 604)");
	assert_int_equal(chmod(pki.client_key, 0600), 0);
}

static void
an_encrypted_key_is_told_from_a_broken_one(void **state)
{
	struct tls_files files = { pki.ca, pki.client, NULL };
	EVP_PKEY *key = EVP_EC_gen("P-256");
	const char *path = write_text("locked.key", "");
	FILE *f = fopen(path, "w");

	(void)state;
	assert_non_null(f);
	assert_int_equal(PEM_write_PKCS8PrivateKey(f, key, EVP_aes_128_cbc(),
	    "secret", 6, NULL, NULL), 1);
	fclose(f);
	EVP_PKEY_free(key);
	files.key = path;
	refused(false, &files, path, "encrypted");
}

static void
a_certificate_out_of_its_time_is_refused(void **state)
{
	struct cert_validity past = { 1000000000, 1000003600 },
	    future = { 4000000000, 4000003600 };
	char cert[PATH_LEN], key[PATH_LEN];
	struct cert_files out = { cert, key };
	struct tls_files files = { pki.ca, cert, key };
	struct cert_ca *ca;

	(void)state;
	snprintf(cert, sizeof(cert), "%s/timed.pem", pki.dir);
	snprintf(key, sizeof(key), "%s/timed.key", pki.dir);
	assert_int_equal(cert_write_client(pki.authority, "lab", past, &out,
	    NULL), VGPU_OK);
	refused(false, &files, cert, "expired 2001-09-09 02:46 UTC");
	assert_int_equal(cert_write_client(pki.authority, "lab", future, &out,
	    NULL), VGPU_OK);
	refused(false, &files, cert, "not valid before 2096-10-02");
	assert_int_equal(cert_ca_new(&ca, "old", past, NULL), VGPU_OK);
	assert_int_equal(cert_ca_write(ca, &out, NULL), VGPU_OK);
	cert_ca_free(ca);
	files.ca = cert;
	refused(true, &files, cert, "expired");
}

static void
certificates_are_used_for_what_they_are_made(void **state)
{
	struct tls_files files = { pki.ca, pki.host, pki.host_key };

	(void)state;
	refused(false, &files, pki.host, "not made for a client");
	files.cert = pki.client;
	refused(true, &files, pki.client, "not made for a host");
	files.ca = pki.host;
	refused(false, &files, pki.host, "not the certificate of a CA");
}

static void
a_host_needs_no_key_file_to_exist(void **state)
{
	struct tls_files files = { pki.ca, pki.host, NULL };
	char away[PATH_LEN];
	struct err_text err;
	struct tls_ctx *c;
	struct shaken s;

	(void)state;
	snprintf(away, sizeof(away), "%s/away.key", pki.dir);
	assert_int_equal(rename(pki.host_key, away), 0);
	assert_int_equal(tls_ctx_new_host(&c, &files, counting_sign, &pki,
	    &err), VGPU_OK);
	assert_int_equal(rename(away, pki.host_key), 0);
	pki.signatures = 0;
	shake(&s, pki.client_ctx, c, "localhost");
	assert_int_equal(s.client_error, VGPU_OK);
	assert_int_equal(s.host_error, VGPU_OK);
	assert_int_equal(pki.signatures, 1);
	shaken_close(&s);
	tls_ctx_free(c);
}

static void
contexts_come_and_go(void **state)
{
	struct tls_files files = { pki.ca, pki.client, pki.client_key };
	struct tls_ctx *c;
	int i;

	(void)state;
	for (i = 0; i < 20; i++) {
		assert_int_equal(tls_ctx_new_client(&c, &files, NULL),
		    VGPU_OK);
		tls_ctx_free(c);
	}
	tls_ctx_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_missing_file_is_named),
		cmocka_unit_test(
		    a_file_that_may_not_be_read_is_told_from_a_missing_one),
		cmocka_unit_test(what_is_not_pem_is_named),
		cmocka_unit_test(a_key_of_another_certificate_is_refused),
		cmocka_unit_test(a_key_open_to_all_users_is_refused),
		cmocka_unit_test(an_encrypted_key_is_told_from_a_broken_one),
		cmocka_unit_test(a_certificate_out_of_its_time_is_refused),
		cmocka_unit_test(certificates_are_used_for_what_they_are_made),
		cmocka_unit_test(a_host_needs_no_key_file_to_exist),
		cmocka_unit_test(contexts_come_and_go),
	};

	return cmocka_run_group_tests(tests, world_init, world_fini);
}
