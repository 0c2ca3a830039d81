/* SPDX-License-Identifier: ISC */
#include "transport/sign.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/fixture-world.h"

/* A request as a TLS 1.3 host makes it. */
static struct sign_request
good_request(void)
{
	struct sign_request r;

	memset(&r, 0, sizeof(r));
	r.digest = 256;
	memset(r.content, ' ', 64);
	memcpy(r.content + 64, "TLS 1.3, server CertificateVerify", 34);
	r.len = 64 + 34 + 32;
	return r;
}

static void
requests_and_replies_travel_as_they_are(void **state)
{
	(void)state;
	assert_int_equal(sizeof(struct sign_request), 8 + SIGN_CONTENT_MAX);
	assert_int_equal(sizeof(struct sign_reply), 8 + SIGN_SIGNATURE_MAX);
}

static void
what_a_host_signs_is_signed(void **state)
{
	struct sign_request request = good_request();
	struct sign_reply reply;

	(void)state;
	assert_int_equal(signer_sign(pki.signer, &request, &reply), VGPU_OK);
	assert_int_equal(reply.error, VGPU_OK);
	assert_in_range(reply.len, 64, 72);
	request.len += 16; /* SHA-384 for the handshake */
	assert_int_equal(signer_sign(pki.signer, &request, &reply), VGPU_OK);
}

static void
nothing_else_is_signed(void **state)
{
	struct sign_request request;
	struct sign_reply reply;
	uint32_t i;

	(void)state;
	for (i = 0; i < 64 + 34; i++) {
		request = good_request();
		request.content[i] ^= 1;
		assert_int_equal(signer_sign(pki.signer, &request, &reply),
		    VGPU_EAUTH);
		assert_int_equal(reply.error, VGPU_EAUTH);
		assert_int_equal(reply.len, 0);
	}
	for (i = 0; i < 2000; i++) {
		request = good_request();
		request.len = i;
		if (i == 130 || i == 146)
			continue;
		assert_int_equal(signer_sign(pki.signer, &request, &reply),
		    VGPU_EAUTH);
	}
	request = good_request();
	request.len = UINT32_MAX;
	assert_int_equal(signer_sign(pki.signer, &request, &reply),
	    VGPU_EAUTH);
	/* A client's signature is another thing (RFC 8446, 4.4.3). */
	request = good_request();
	memcpy(request.content + 64, "TLS 1.3, client CertificateVerify", 34);
	assert_int_equal(signer_sign(pki.signer, &request, &reply),
	    VGPU_EAUTH);
}

static void
an_unknown_digest_is_refused(void **state)
{
	static const uint32_t digests[] = { 0, 1, 160, 255, 257, UINT32_MAX };
	struct sign_request request = good_request();
	struct sign_reply reply;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(digests) / sizeof(digests[0]); i++) {
		request.digest = digests[i];
		assert_int_equal(signer_sign(pki.signer, &request, &reply),
		    VGPU_EAUTH);
	}
}

static void
a_key_file_that_is_wrong_is_named_with_the_reason(void **state)
{
	struct signer *s = NULL;
	struct err_text err;

	(void)state;
	assert_int_equal(signer_open(&s, pki_path(&pki, "none.key"), pki.host,
	    &err), VGPU_ECONF);
	assert_non_null(strstr(err.s, "none.key\": No such file"));
	assert_int_equal(signer_open(&s, pki.client_key, pki.host, &err),
	    VGPU_ECONF);
	assert_non_null(strstr(err.s, "not the key of certificate"));
	assert_int_equal(signer_open(&s, pki.host, pki.host, &err),
	    VGPU_ECONF);
	assert_non_null(strstr(err.s, "open to all users (mode 644)"));
	assert_int_equal(chmod(pki.host, 0600), 0);
	assert_int_equal(signer_open(&s, pki.host, pki.host, &err),
	    VGPU_ECONF);
	assert_non_null(strstr(err.s, "no private key in PEM form"));
	assert_null(s);
	assert_int_equal(chmod(pki.host, 0644), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_and_replies_travel_as_they_are),
		cmocka_unit_test(what_a_host_signs_is_signed),
		cmocka_unit_test(nothing_else_is_signed),
		cmocka_unit_test(an_unknown_digest_is_refused),
		cmocka_unit_test(
		    a_key_file_that_is_wrong_is_named_with_the_reason),
	};

	return cmocka_run_group_tests(tests, world_init, world_fini);
}
