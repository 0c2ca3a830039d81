/* SPDX-License-Identifier: ISC */
#include "transport/cert.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>
#include <openssl/x509v3.h>

#include "common/clock.h"
#include "tests/unit/fixture-world.h"
#include "transport/pem.h"

static X509 *
read_cert(const char *file)
{
	struct err_text err;
	X509 *x;

	assert_int_equal(pem_read_cert(&x, NULL, file, "certificate", &err),
	    VGPU_OK);
	return x;
}

static void
all_three_take_less_than_50_ms(void **state)
{
	static const char *const names[] = { "localhost" };
	struct cert_validity v = cert_valid_for(60);
	struct cert_files files = { pki_path(&pki, "fast.pem"), pki.ca_key };
	int64_t best = CLOCK_NEVER, begin;
	struct cert_ca *ca;
	int i;

	(void)state;
	/* The best of some, for a machine that does other things too. */
	for (i = 0; i < 10; i++) {
		begin = clock_ns();
		assert_int_equal(cert_ca_new(&ca, "x", v, NULL), VGPU_OK);
		assert_int_equal(cert_write_host(ca, names, 1, v, &files,
		    NULL), VGPU_OK);
		assert_int_equal(cert_write_client(ca, "x", v, &files, NULL),
		    VGPU_OK);
		cert_ca_free(ca);
		if (clock_ns() - begin < best)
			best = clock_ns() - begin;
	}
	assert_true(best < 50 * CLOCK_NS_PER_MS);
	assert_int_equal(cert_ca_write(pki.authority, &(struct cert_files) {
	    pki.ca, pki.ca_key }, NULL), VGPU_OK);
}

static void
keys_are_for_their_owner_only(void **state)
{
	const char *keys[] = { pki.ca_key, pki.host_key, pki.client_key };
	const char *certs[] = { pki.ca, pki.host, pki.client };
	struct stat st;
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		assert_int_equal(stat(keys[i], &st), 0);
		assert_int_equal(st.st_mode & 07777, 0600);
		assert_int_equal(stat(certs[i], &st), 0);
		assert_int_equal(st.st_mode & 07777, 0644);
	}
}

static void
a_file_that_was_there_is_replaced_and_nothing_is_left_beside(void **state)
{
	struct cert_validity v = cert_valid_for(60);
	struct cert_files files = { pki.client, pki.client_key };
	struct dirent *entry;
	struct stat st;
	DIR *dir;
	int n = 0;

	(void)state;
	assert_int_equal(chmod(pki.client_key, 0666), 0);
	assert_int_equal(cert_write_client(pki.authority, "lab", v, &files,
	    NULL), VGPU_OK);
	assert_int_equal(stat(pki.client_key, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_non_null(dir = opendir(pki.dir));
	while ((entry = readdir(dir)) != NULL)
		n += strstr(entry->d_name, ".key") != NULL ||
		    strstr(entry->d_name, ".pem") != NULL;
	closedir(dir);
	assert_in_range(n, 6, 7); /* seven with fast.pem */
}

static void
certificates_are_what_they_are_for(void **state)
{
	X509 *ca = read_cert(pki.ca), *host = read_cert(pki.host),
	    *client = read_cert(pki.client);
	char name[100];

	(void)state;
	assert_int_equal(X509_check_ca(ca), 1);
	assert_int_equal(X509_check_ca(host), 0);
	assert_int_equal(X509_check_ca(client), 0);
	assert_int_equal(X509_check_issued(ca, host), X509_V_OK);
	assert_int_equal(X509_check_issued(ca, client), X509_V_OK);
	assert_int_equal(X509_verify(host, X509_get0_pubkey(ca)), 1);
	assert_int_equal(X509_verify(client, X509_get0_pubkey(ca)), 1);
	assert_int_equal(X509_check_purpose(host, X509_PURPOSE_SSL_SERVER, 0),
	    1);
	assert_int_equal(X509_check_purpose(host, X509_PURPOSE_SSL_CLIENT, 0),
	    0);
	assert_int_equal(X509_check_purpose(client, X509_PURPOSE_SSL_CLIENT,
	    0), 1);
	assert_int_equal(X509_check_purpose(client, X509_PURPOSE_SSL_SERVER,
	    0), 0);
	X509_NAME_get_text_by_NID(X509_get_subject_name(client),
	    NID_commonName, name, sizeof(name));
	assert_string_equal(name, "lab");
	X509_free(ca);
	X509_free(host);
	X509_free(client);
}

static void
a_host_has_all_its_names_and_no_other(void **state)
{
	static const char *const names[] = { "gpu.example.org", "192.0.2.1",
		"2001:db8::1" };
	struct cert_files files = { pki_path(&pki, "many.pem"), NULL };
	char key[PATH_LEN];
	X509 *x;

	(void)state;
	snprintf(key, sizeof(key), "%.100s/many.key", pki.dir);
	files.key = key;
	assert_int_equal(cert_write_host(pki.authority, names, 3,
	    cert_valid_for(60), &files, NULL), VGPU_OK);
	x = read_cert(files.cert);
	assert_int_equal(X509_check_host(x, "gpu.example.org", 0, 0, NULL), 1);
	assert_int_equal(X509_check_host(x, "x.example.org", 0, 0, NULL), 0);
	assert_int_equal(X509_check_ip_asc(x, "192.0.2.1", 0), 1);
	assert_int_equal(X509_check_ip_asc(x, "2001:db8::1", 0), 1);
	assert_int_equal(X509_check_ip_asc(x, "192.0.2.2", 0), 0);
	X509_free(x);
}

static void
validity_is_as_given(void **state)
{
	struct cert_validity v = { 1000000000, 2000000000 };
	struct cert_files files = { pki_path(&pki, "old.pem"), NULL };
	char key[PATH_LEN], text[PEM_TIME_MAX];
	X509 *x;

	(void)state;
	snprintf(key, sizeof(key), "%.100s/old.key", pki.dir);
	files.key = key;
	assert_int_equal(cert_write_client(pki.authority, "lab", v, &files,
	    NULL), VGPU_OK);
	x = read_cert(files.cert);
	assert_string_equal(pem_time(X509_get0_notBefore(x), text),
	    "2001-09-09 01:46 UTC");
	assert_string_equal(pem_time(X509_get0_notAfter(x), text),
	    "2033-05-18 03:33 UTC");
	X509_free(x);
}

static void
a_ca_is_read_back_and_signs(void **state)
{
	struct cert_files files = { pki.ca, pki.ca_key }, out = { pki.client,
		pki.client_key };
	struct err_text err;
	struct cert_ca *ca;
	X509 *a, *x;

	(void)state;
	assert_int_equal(cert_ca_open(&ca, &files, &err), VGPU_OK);
	assert_int_equal(cert_write_client(ca, "lab", cert_valid_for(60), &out,
	    &err), VGPU_OK);
	cert_ca_free(ca);
	a = read_cert(pki.ca);
	x = read_cert(pki.client);
	assert_int_equal(X509_verify(x, X509_get0_pubkey(a)), 1);
	X509_free(a);
	X509_free(x);
}

static void
what_is_no_ca_is_not_opened(void **state)
{
	struct cert_files files = { pki.host, pki.host_key };
	struct cert_ca *ca = NULL;
	struct err_text err;

	(void)state;
	assert_int_equal(cert_ca_open(&ca, &files, &err), VGPU_ECONF);
	assert_non_null(strstr(err.s, "not the certificate of a CA"));
	files.cert = pki.ca;
	assert_int_equal(cert_ca_open(&ca, &files, &err), VGPU_ECONF);
	assert_non_null(strstr(err.s, "not the key of certificate"));
	assert_null(ca);
}

static void
wrong_names_are_refused(void **state)
{
	static const char *const hosts[] = { "", "a b", "http://x", ".x",
		"-x", "x/y" };
	char longer[CERT_TENANT_MAX + 2];
	const char *const tenants[] = { "", "a b", "a\nb", "\xc3\xa4",
		longer };
	struct cert_files files = { "/nonexistent/x", "/nonexistent/y" };
	struct err_text err;
	size_t i;

	(void)state;
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	for (i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++)
		assert_int_equal(cert_write_host(pki.authority, &hosts[i], 1,
		    cert_valid_for(1), &files, &err), VGPU_ECONF);
	assert_int_equal(cert_write_host(pki.authority, hosts, 0,
	    cert_valid_for(1), &files, &err), VGPU_ECONF);
	for (i = 0; i < sizeof(tenants) / sizeof(tenants[0]); i++)
		assert_int_equal(cert_write_client(pki.authority, tenants[i],
		    cert_valid_for(1), &files, &err), VGPU_ECONF);
}

static void
a_folder_that_is_missing_is_an_error_with_its_name(void **state)
{
	struct cert_files files = { "/nonexistent/x", "/nonexistent/y" };
	struct err_text err;

	(void)state;
	assert_int_equal(cert_write_client(pki.authority, "lab",
	    cert_valid_for(1), &files, &err), VGPU_ESYS);
	assert_string_equal(err.s, "cannot write \"/nonexistent/y\": No such "
	    "file or directory");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_for_their_owner_only),
		cmocka_unit_test(certificates_are_what_they_are_for),
		cmocka_unit_test(all_three_take_less_than_50_ms),
		cmocka_unit_test(
		    a_file_that_was_there_is_replaced_and_nothing_is_left_beside),
		cmocka_unit_test(a_host_has_all_its_names_and_no_other),
		cmocka_unit_test(validity_is_as_given),
		cmocka_unit_test(a_ca_is_read_back_and_signs),
		cmocka_unit_test(what_is_no_ca_is_not_opened),
		cmocka_unit_test(wrong_names_are_refused),
		cmocka_unit_test(
		    a_folder_that_is_missing_is_an_error_with_its_name),
	};

	return cmocka_run_group_tests(tests, world_init, world_fini);
}
