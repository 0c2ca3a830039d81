/* SPDX-License-Identifier: ISC */
/* The host's private key is in another process, which signs. */
#include "transport/tls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <openssl/pem.h>

#include "tests/unit/fixture-talk.h"

/* Replace the host's key and certificate by those of a new key. */
static void
host_key(EVP_PKEY *key, char cert[PATH_LEN], char file[PATH_LEN])
{
	EVP_PKEY *ca_key = NULL;
	X509 *x = NULL, *copy;
	FILE *f;

	snprintf(cert, PATH_LEN, "%s/special.pem", pki.dir);
	snprintf(file, PATH_LEN, "%s/special.key", pki.dir);
	assert_non_null(f = fopen(pki.ca_key, "r"));
	assert_non_null(ca_key = PEM_read_PrivateKey(f, NULL, NULL, NULL));
	fclose(f);
	assert_non_null(f = fopen(pki.host, "r"));
	assert_non_null(x = PEM_read_X509(f, NULL, NULL, NULL));
	fclose(f);
	copy = X509_dup(x);
	assert_int_equal(X509_set_pubkey(copy, key), 1);
	assert_true(X509_sign(copy, ca_key, EVP_sha256()) > 0);
	assert_non_null(f = fopen(cert, "w"));
	assert_int_equal(PEM_write_X509(f, copy), 1);
	fclose(f);
	(void)unlink(file);
	assert_int_equal(cert_ca_write(pki.authority, &(struct cert_files) {
	    pki_path(&pki, "unused"), file }, NULL), VGPU_OK); /* mode 0600 */
	assert_non_null(f = fopen(file, "w"));
	assert_int_equal(PEM_write_PrivateKey(f, key, NULL, NULL, 0, NULL,
	    NULL), 1);
	fclose(f);
	X509_free(x);
	X509_free(copy);
	EVP_PKEY_free(ca_key);
	EVP_PKEY_free(key);
}

static void
signs_from_elsewhere(EVP_PKEY *key)
{
	char cert[PATH_LEN], file[PATH_LEN];
	struct tls_files files = { pki.ca, cert, NULL };
	struct signer *mine = pki.signer, *signer = NULL;
	struct err_text err = { "" };
	struct tls_ctx *c = NULL;
	struct shaken s;

	host_key(key, cert, file);
	if (signer_open(&signer, file, cert, &err) != VGPU_OK ||
	    tls_ctx_new_host(&c, &files, counting_sign, &pki, &err) != VGPU_OK)
		fail_msg("%s", err.s);
	pki.signer = signer;
	pki.signatures = 0;
	shake(&s, pki.client_ctx, c, "localhost");
	pki.signer = mine;
	if (s.client_error != VGPU_OK)
		fail_msg("%s", s.client_text.s);
	assert_int_equal(s.host_error, VGPU_OK);
	assert_int_equal(pki.signatures, 1);
	arrives(s.client, s.host, "signed");
	shaken_close(&s);
	signer_close(signer);
	tls_ctx_free(c);
}

static void
an_rsa_key_signs_from_elsewhere(void **state)
{
	(void)state;
	signs_from_elsewhere(EVP_RSA_gen(2048));
	signs_from_elsewhere(EVP_RSA_gen(3072));
}

static void
ec_keys_of_all_curves_sign_from_elsewhere(void **state)
{
	(void)state;
	signs_from_elsewhere(EVP_EC_gen("P-256"));
	signs_from_elsewhere(EVP_EC_gen("P-384"));
	signs_from_elsewhere(EVP_EC_gen("P-521"));
}

static void
other_kinds_of_keys_are_refused(void **state)
{
	char cert[PATH_LEN], file[PATH_LEN];
	EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
	struct tls_files files = { pki.ca, cert, NULL };
	struct err_text err;
	struct signer *s;
	struct tls_ctx *c;
	EVP_PKEY *ec = EVP_EC_gen("P-256");

	(void)state;
	host_key(key, cert, file);
	assert_int_equal(signer_open(&s, file, cert, &err), VGPU_ECONF);
	said(&err, "use an EC or RSA key");
	said(&err, file);
	assert_int_equal(tls_ctx_new_host(&c, &files, counting_sign, &pki,
	    &err), VGPU_ECONF);
	said(&err, "use an EC or RSA key");
	EVP_PKEY_free(ec);
}

static enum vgpu_err
refuse_to_sign(void *arg, const struct sign_request *request,
    struct sign_reply *reply)
{
	(void)request;
	memset(reply, 0, sizeof(*reply));
	reply->error = *(enum vgpu_err *)arg;
	return reply->error == VGPU_OK ? VGPU_ECLOSED : VGPU_OK;
}

/* The key's process is gone, or refuses, or signs with another key. */
static void
without_a_signature_there_is_no_connection(void **state)
{
	struct tls_files files = { pki.ca, pki.host, NULL };
	enum vgpu_err reply = VGPU_OK;
	struct tls_ctx *c;
	struct shaken s;
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		reply = i == 0 ? VGPU_OK : VGPU_EAUTH;
		assert_int_equal(tls_ctx_new_host(&c, &files, i < 2 ?
		    refuse_to_sign : counting_sign, i < 2 ? (void *)&reply :
		    (void *)&other, NULL), VGPU_OK);
		shake(&s, pki.client_ctx, c, "localhost");
		assert_int_not_equal(s.client_error, VGPU_OK);
		assert_int_not_equal(s.host_error, VGPU_OK);
		shaken_close(&s);
		tls_ctx_free(c);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_rsa_key_signs_from_elsewhere),
		cmocka_unit_test(ec_keys_of_all_curves_sign_from_elsewhere),
		cmocka_unit_test(other_kinds_of_keys_are_refused),
		cmocka_unit_test(without_a_signature_there_is_no_connection),
	};

	return cmocka_run_group_tests(tests, worlds_init, worlds_fini);
}
