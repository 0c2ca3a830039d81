/* SPDX-License-Identifier: ISC */
#include "transport/url.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
every_form_is_understood_and_written_in_full(void **state)
{
	static const struct {
		const char *text, *full;
	} cases[] = {
		{ "vgpu://host:9443", "vgpu://host:9443" },
		{ "vgpu://host", "vgpu://host:9443" },
		{ "host", "vgpu://host:9443" },
		{ "gpu-1.example.org:1", "vgpu://gpu-1.example.org:1" },
		{ "127.0.0.1:65535", "vgpu://127.0.0.1:65535" },
		{ "vgpu://[2001:db8::1]", "vgpu://[2001:db8::1]:9443" },
		{ "[::1]:7", "vgpu://[::1]:7" },
		{ "[fe80::1%eth0]:7", "vgpu://[fe80::1%eth0]:7" },
		{ "vgpu+unix:/run/vgpu/hostd.sock",
		    "vgpu+unix:/run/vgpu/hostd.sock" },
		{ "vgpu+unix:///run/x", "vgpu+unix:/run/x" },
		{ "vgpu+vsock://2:9443", "vgpu+vsock://2:9443" },
		{ "vgpu+vsock://4294967295", "vgpu+vsock://4294967295:9443" },
	};
	char full[URL_TEXT_MAX];
	struct err_text err;
	struct url u;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (url_parse(&u, cases[i].text, &err) != VGPU_OK)
			fail_msg("%s: %s", cases[i].text, err.s);
		assert_string_equal(url_format(&u, full), cases[i].full);
		/* What is written is understood as the same. */
		assert_int_equal(url_parse(&u, full, &err), VGPU_OK);
		assert_string_equal(url_format(&u, full), cases[i].full);
	}
}

static void
what_is_wrong_is_said(void **state)
{
	static const struct {
		const char *text, *reason;
	} cases[] = {
		{ "", "no host name" },
		{ "vgpu://", "no host name" },
		{ "vgpu://:9443", "no host name" },
		{ "http://host", "expected vgpu://host:port" },
		{ "vgpu://host:", "not a number from 1 to 65535" },
		{ "vgpu://host:0", "not a number from 1 to 65535" },
		{ "vgpu://host:65536", "not a number from 1 to 65535" },
		{ "host:99999999999999999999", "not a number" },
		{ "host:+1", "not a number" },
		{ "host: 1", "not a number" },
		{ "host:1/x", "not a number" },
		{ "vgpu://host/path", "can't follow a host name" },
		{ "user@host", "can't follow a host name" },
		{ "::1", "in brackets" },
		{ "vgpu://2001:db8::1", "in brackets" },
		{ "[::1", "no \"]\"" },
		{ "[host]", "no IPv6 address between the brackets" },
		{ "[]", "no IPv6 address between the brackets" },
		{ "[::1]9443", "expected \":port\" after \"]\"" },
		{ "vgpu+unix:run/x", "absolute path" },
		{ "vgpu+unix:", "absolute path" },
		{ "vgpu+vsock://host:1", "expected two numbers" },
		{ "vgpu+vsock://:1", "expected two numbers" },
		{ "vgpu+vsock://4294967296", "expected two numbers" },
		{ "vgpu+vsock://2:", "expected two numbers" },
		{ "ho\nst", "\\x0a" },
	};
	struct err_text err;
	struct url u = { .kind = URL_UNIX, .path = "untouched" };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (url_parse(&u, cases[i].text, &err) != VGPU_ECONF)
			fail_msg("%s was understood", cases[i].text);
		if (strstr(err.s, cases[i].reason) == NULL)
			fail_msg("%s: %s", cases[i].text, err.s);
		assert_null(strchr(err.s, '\n'));
		assert_string_equal(u.path, "untouched");
	}
}

static void
lengths_have_limits(void **state)
{
	char text[1000], full[URL_TEXT_MAX];
	struct err_text err;
	struct url u;

	(void)state;
	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(url_parse(&u, text, &err), VGPU_ECONF);
	text[URL_HOST_MAX - 2] = '\0';
	assert_int_equal(url_parse(&u, text, &err), VGPU_OK);
	assert_int_equal(strlen(url_format(&u, full)),
	    URL_HOST_MAX - 2 + strlen("vgpu://:9443"));

	memset(text, '/', sizeof(text) - 1);
	memcpy(text, "vgpu+unix:", 10);
	assert_int_equal(url_parse(&u, text, &err), VGPU_ECONF);
	text[10 + 2 + URL_PATH_MAX - 1] = '\0';
	assert_int_equal(url_parse(&u, text, &err), VGPU_OK);
	assert_int_equal(strlen(u.path), URL_PATH_MAX - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form_is_understood_and_written_in_full),
		cmocka_unit_test(what_is_wrong_is_said),
		cmocka_unit_test(lengths_have_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
