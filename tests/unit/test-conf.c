/* SPDX-License-Identifier: ISC */
#include "hostd/conf.h"

#include <CL/cl.h>

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "hostd/conf_local.h"
#include "hostd/conf_table.h"
#include "transport/transport.h"

static char folder[] = "/tmp/vgpu-test-conf-XXXXXX";
static char file[64];
static char messages[4096];

/* Load a text as a configuration, with lines that go over it. */
static enum vgpu_err
load_over(const char *text, const char *const *over, struct conf **out)
{
	const struct conf_source source = { file, over };
	struct buf said;
	enum vgpu_err rc;
	FILE *f = fopen(file, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
	buf_init(&said);
	rc = conf_load(&source, out, &said);
	buf_append(&said, "", 1);
	snprintf(messages, sizeof(messages), "%s",
	    (const char *)buf_front(&said));
	buf_fini(&said);
	return rc;
}

static enum vgpu_err
load(const char *text, struct conf **out)
{
	return load_over(text, NULL, out);
}

/* A text that is refused, with exactly this message at that line. */
static void
refused(const char *text, int line, const char *message)
{
	char expected[512];
	struct conf *c;

	snprintf(expected, sizeof(expected), "%s:%d: %s\n", file, line,
	    message);
	assert_int_equal(load(text, &c), VGPU_ECONF);
	assert_string_equal(messages, expected);
}

static void
an_empty_file_gives_the_defaults(void **state)
{
	struct conf *c;

	(void)state;
	assert_int_equal(load("", &c), VGPU_OK);
	assert_string_equal(messages, "");
	assert_int_equal(c->listen.n, 1);
	assert_string_equal(c->listen.v[0], "vgpu://*:9443");
	assert_string_equal(c->ca, "/etc/vgpu/ca.pem");
	assert_string_equal(c->vendors.v[0], "/etc/OpenCL/vendors");
	assert_null(c->port_file);
	assert_null(c->session_user);
	assert_int_equal(c->log_level, LOG_LEVEL_INFO);
	assert_int_equal(c->warm_sessions, 2);
	assert_int_equal(c->probe_timeout, 20);
	assert_int_equal(c->rescan, 0);
	assert_null(conf_tenant(c, "anybody"));
	conf_free(c);
}

static void
what_is_written_is_what_holds(void **state)
{
	struct conf *c;

	(void)state;
	assert_int_equal(load("listen = {\"vgpu://127.0.0.1:0\", "
	    "\"vgpu://[::1]:77\"}\nlog-level = debug\nmax-sessions = 9\n"
	    "handshake-timeout = 3\n", &c), VGPU_OK);
	assert_int_equal(c->listen.n, 2);
	assert_string_equal(c->listen.v[1], "vgpu://[::1]:77");
	assert_int_equal(c->log_level, LOG_LEVEL_DEBUG);
	assert_int_equal(c->max_sessions, 9);
	assert_int_equal(c->handshake_timeout, 3);
	conf_free(c);
}

static void
relative_files_are_beside_the_configuration(void **state)
{
	char expected[128];
	struct conf *c;

	(void)state;
	assert_int_equal(load("ca = \"x/ca.pem\"\nkey = \"/k\"\n"
	    "vendors = {\"ven\", \"libOne.so\", \"/abs\"}\n", &c), VGPU_OK);
	snprintf(expected, sizeof(expected), "%s/x/ca.pem", folder);
	assert_string_equal(c->ca, expected);
	assert_string_equal(c->key, "/k");
	snprintf(expected, sizeof(expected), "%s/ven", folder);
	assert_string_equal(c->vendors.v[0], expected);
	assert_string_equal(c->vendors.v[1], "libOne.so");
	assert_string_equal(c->vendors.v[2], "/abs");
	conf_free(c);
}

static void
a_tenant_has_its_own_rules_or_those_of_all(void **state)
{
	const struct conf_tenant *t;
	struct conf *c;

	(void)state;
	assert_int_equal(load("present-as = gpu\ntenant \"lab 1\" {\n"
	    "max-sessions = 4\n devices = {\"a*\", \"b\"} }\n"
	    "tenant two { present-as = accelerator }\n", &c), VGPU_OK);
	t = conf_tenant(c, "lab 1");
	assert_non_null(t);
	assert_int_equal(t->present_as, CL_DEVICE_TYPE_GPU);
	assert_int_equal(t->max_sessions, 4);
	assert_int_equal(t->devices.n, 2);
	t = conf_tenant(c, "two");
	assert_non_null(t);
	assert_int_equal(t->present_as, CL_DEVICE_TYPE_ACCELERATOR);
	assert_int_equal(t->max_sessions, 0);
	assert_null(conf_tenant(c, "lab"));
	conf_free(c);
}

static void
certificates_are_needed_for_the_network_alone(void **state)
{
	struct conf *c;

	(void)state;
	assert_int_equal(load("listen = \"vgpu+unix:/s\"\n"
	    "socket-mode = 0660\nsocket-group = 7\n", &c), VGPU_OK);
	assert_false(conf_uses_tls(c));
	assert_int_equal(c->socket_mode, 0660);
	assert_int_equal(c->socket_group, 7);
	conf_free(c);
	assert_int_equal(load("listen = {\"vgpu+unix:/s\", "
	    "\"vgpu://127.0.0.1\"}\n", &c), VGPU_OK);
	assert_true(conf_uses_tls(c));
	assert_int_equal(c->socket_mode, 0666);
	assert_true(c->socket_group == UINT_MAX);
	conf_free(c);
}

/* Which tenant a user with these groups is; "" for none. */
static const char *
tenant_of(const struct conf *c, uid_t uid, gid_t one, gid_t two)
{
	const struct peer p = { .local = true, .uid = uid, .group_count = 2,
		.groups = { one, two } };
	static char name[TRANSPORT_NAME_MAX];
	struct err_text text;

	name[0] = '\0';
	if (conf_local_tenant(c, &p, name, &text) == NULL)
		assert_non_null(strstr(text.s, "no tenant of this host has "
		    "user "));
	return name;
}

static void
local_users_are_tenants_by_user_then_by_group(void **state)
{
	struct conf *c;

	(void)state;
	assert_int_equal(load("tenant lab { groups = {\"50\", \"60\"} }\n"
	    "tenant eve { users = \"1001\" }\n"
	    "tenant net { }\n", &c), VGPU_OK);
	assert_string_equal(tenant_of(c, 1000, 50, 7), "lab");
	assert_string_equal(tenant_of(c, 1000, 7, 60), "lab");
	assert_string_equal(tenant_of(c, 1001, 50, 7), "eve");
	assert_string_equal(tenant_of(c, 1000, 7, 8), "");
	assert_string_equal(tenant_of(c, 0, 0, 0), "");
	conf_free(c);
}

static void
other_local_users_are_tenants_of_their_own(void **state)
{
	struct conf *c;

	(void)state;
	assert_int_equal(load("tenant eve { users = {\"1001\"} }\n"
	    "tenant-default { users = {\"root\", \"1002\"} groups = 50 }\n",
	    &c), VGPU_OK);
	assert_string_equal(tenant_of(c, 1001, 7, 7), "eve");
	assert_string_equal(tenant_of(c, 1002, 7, 7), "uid-1002");
	assert_string_equal(tenant_of(c, 0, 0, 0), "uid-0");
	assert_string_equal(tenant_of(c, 1003, 7, 50), "uid-1003");
	assert_string_equal(tenant_of(c, 1003, 7, 7), "");
	assert_null(conf_tenant(c, "uid-1002"));
	conf_free(c);
	assert_int_equal(load("tenant-default { users = \"*\" }\n", &c),
	    VGPU_OK);
	assert_string_equal(tenant_of(c, 1003, 7, 7), "uid-1003");
	conf_free(c);
	assert_int_equal(load("tenant-default { allow-any = yes }\n", &c),
	    VGPU_OK);
	assert_string_equal(tenant_of(c, 1003, 7, 7), "");
	conf_free(c);
}

static void
others_are_accepted_only_where_it_says_so(void **state)
{
	const struct conf_tenant *t;
	struct conf *c;

	(void)state;
	assert_int_equal(load("tenant-default { max-sessions = 2 }", &c),
	    VGPU_OK);
	assert_null(conf_tenant(c, "x"));
	conf_free(c);
	assert_int_equal(load("tenant-default { max-sessions = 2\n"
	    "allow-any = yes }", &c), VGPU_OK);
	t = conf_tenant(c, "x");
	assert_non_null(t);
	assert_null(t->name);
	assert_int_equal(t->max_sessions, 2);
	conf_free(c);
}

static void
others_are_shown_the_type_that_holds_for_all(void **state)
{
	static const char *const over[] = { "present-as = accelerator",
		NULL };
	struct conf *c;

	(void)state;
	assert_int_equal(load_over("present-as = gpu\n"
	    "tenant-default { allow-any = yes }\n", over, &c), VGPU_OK);
	assert_int_equal(conf_tenant(c, "x")->present_as,
	    CL_DEVICE_TYPE_ACCELERATOR);
	conf_free(c);
	assert_int_equal(load("present-as = gpu\ntenant-default {\n"
	    "present-as = cpu\nallow-any = yes\n}\n", &c), VGPU_OK);
	assert_int_equal(conf_tenant(c, "x")->present_as,
	    CL_DEVICE_TYPE_CPU);
	conf_free(c);
}

static void
lines_over_the_file_win(void **state)
{
	static const char *const over[] = { "listen = 'vgpu://127.0.0.1:0'",
		"ca = '/o/\\'ca'", NULL };
	struct conf *c;

	(void)state;
	assert_int_equal(load_over("listen = {\"vgpu://1.1.1.1\", "
	    "\"vgpu://2.2.2.2\"}\nca = \"/f/ca\"\nkey = \"/f/key\"\n", over,
	    &c), VGPU_OK);
	assert_int_equal(c->listen.n, 1);
	assert_string_equal(c->listen.v[0], "vgpu://127.0.0.1:0");
	assert_string_equal(c->ca, "/o/'ca");
	assert_string_equal(c->key, "/f/key");
	conf_free(c);
}

static void
a_wrong_line_over_the_file_is_named(void **state)
{
	static const char *const over[] = { "lisen = 'x'", NULL };
	struct conf *c;

	(void)state;
	assert_int_equal(load_over("", over, &c), VGPU_ECONF);
	assert_string_equal(messages, "-o \"lisen = 'x'\": unknown keyword "
	    "\"lisen\", did you mean \"listen\"?\n");
}

static void
an_unknown_keyword_names_the_nearest(void **state)
{
	(void)state;
	refused("\n\nmax-session = 3\n", 3, "unknown keyword "
	    "\"max-session\", did you mean \"max-sessions\"?");
	refused("tenant a {\n\n  device = {\"x\"}\n}\n", 3, "unknown keyword "
	    "\"device\", did you mean \"devices\"?");
	refused("xyzzyx = 3\n", 1, "unknown keyword \"xyzzyx\"");
	refused("devices = \"x\"\n", 1, "\"devices\" can stand only in a "
	    "section tenant or tenant-default");
	refused("tenant a { placement = pack }\n", 1, "\"placement\" can "
	    "stand only outside of sections");
}

static void
what_does_not_end_is_refused(void **state)
{
	static const char *const over[] = { "tenant-default {", NULL };
	static const char tenant[] = "section tenant a does not end, "
	    "expected \"}\"";
	struct conf *c;

	(void)state;
	refused("tenant a {\n devices = \"x\"\n", 2, tenant);
	refused("tenant a { view = single", 1, tenant);
	assert_int_equal(load("max-sessions = 3\n/* view = single\n}\n", &c),
	    VGPU_ECONF);
	assert_non_null(strstr(messages, ": a comment does not end, expected "
	    "\"*/\"\n"));
	assert_int_equal(load("/* two */ max-sessions = 3 # }\n", &c), VGPU_OK);
	conf_free(c);
	assert_int_equal(load_over("", over, &c), VGPU_ECONF);
	assert_string_equal(messages, "-o \"tenant-default {\": section "
	    "tenant-default does not end, expected \"}\"\n");
}

static void
a_wrong_value_says_what_was_expected(void **state)
{
	struct conf *c;
	char names[320];

	(void)state;
	refused("\nwarm-sessions = 0\n", 2, "warm-sessions: \"0\", expected "
	    "a number from 1 to 64");
	refused("max-sessions = 99999999999999999999\n", 1, "max-sessions: "
	    "\"99999999999999999999\", expected a number from 1 to 65536");
	refused("max-sessions = 7x\n", 1, "max-sessions: \"7x\", expected a "
	    "number from 1 to 65536");
	refused("present-as = toaster\n", 1, "present-as: \"toaster\", "
	    "expected one of gpu|cpu|accelerator");
	refused("tenant-default {\n allow-any = perhaps }\n", 2,
	    "allow-any: \"perhaps\", expected yes or no");
	refused("key = \"\"\n", 1, "key: empty text, expected this host's "
	    "private key (a variable in ${} that is not set is empty)");
	snprintf(names, sizeof(names), "names = \"x=%0250d\"\n", 1);
	assert_int_equal(load(names, &c), VGPU_OK);
	conf_free(c);
	snprintf(names, sizeof(names), "names = \"x=%0254d\"\n", 1);
	refused(names, 1, "names: a line of 256 bytes, expected at most 255");
	refused("session-user = \"no such user\"\n", 1, "session-user: there "
	    "is no user \"no such user\"");
	refused("socket-mode = 0777\n", 1, "socket-mode: \"0777\", expected "
	    "one of 0600|0660|0666");
	refused("socket-group = \"no such group\"\n", 1, "socket-group: "
	    "there is no group \"no such group\"");
	refused("tenant a {\n\nusers = {\"root\", \"no such user\"} }\n", 3,
	    "users: there is no user \"no such user\"");
	refused("tenant-default {\n groups = \"no such group\" }\n", 2,
	    "groups: there is no group \"no such group\"");
	refused("tenant a { users = \"1000x\" }\n", 1,
	    "users: there is no user \"1000x\"");
}

static void
a_listener_that_cannot_be_is_refused(void **state)
{
	struct conf *c;

	(void)state;
	assert_int_equal(load("listen = \"http://x\"\n", &c), VGPU_ECONF);
	assert_non_null(strstr(messages, ":1: listen: "));
	refused("listen = \"vgpu+vsock://2:7\"\n", 1, "listen: "
	    "\"vgpu+vsock://2:7\": only addresses like vgpu://host:port and "
	    "vgpu+unix:/path can be listened on");
	refused("listen = \"vgpu://*:70000\"\n", 1, "listen: "
	    "\"vgpu://*:70000\": expected no more than \":\" and a port, 0 "
	    "to 65535, after \"*\"");
	refused("listen = \"vgpu+unix:s\"\n", 1, "listen: address "
	    "\"vgpu+unix:s\": expected an absolute path, as in "
	    "vgpu+unix:/run/vgpu/hostd.sock");
}

static void
sections_have_names_and_are_there_once(void **state)
{
	static const char *const over[] = { "tenant-default {users = root}",
		NULL };
	struct conf *c;

	(void)state;
	refused("tenant \"\" {\n}\n", 2, "tenant: empty name");
	refused("tenant-default {\n}\ntenant a { }\ntenant-default { }\n", 4,
	    "tenant-default: there is one already");
	assert_int_equal(load_over("tenant-default { }\n", over, &c),
	    VGPU_OK);
	conf_free(c);
}

/* Its line is not known. */
static void
a_list_with_nothing_in_it_is_refused(void **state)
{
	static const char *const over[] = { "listen = {}", NULL };
	char expected[256];
	struct conf *c;

	(void)state;
	snprintf(expected, sizeof(expected), "%s: listen: empty list, "
	    "expected addresses such as \"vgpu://192.0.2.1:9443\"\n", file);
	assert_int_equal(load("listen = {}\n", &c), VGPU_ECONF);
	assert_string_equal(messages, expected);
	assert_int_equal(load_over("listen = \"vgpu://127.0.0.1\"\n", over,
	    &c), VGPU_ECONF);
	assert_string_equal(messages, "-o \"listen = {}\": listen: empty "
	    "list, expected addresses such as \"vgpu://192.0.2.1:9443\"\n");
	assert_int_equal(load("tenant a { devices = { } }\n", &c),
	    VGPU_ECONF);
	assert_non_null(strstr(messages, "devices: empty list"));
}

static void
an_address_that_became_a_comment_asks_for_quotes(void **state)
{
	static const char quotes[] = "; texts with // or /* in them stand in "
	    "quotes\n";
	struct conf *c;

	(void)state;
	assert_int_equal(load("listen = vgpu://*:9443\n", &c), VGPU_ECONF);
	assert_non_null(strstr(messages, ":1: listen: address \"vgpu://\""));
	assert_non_null(strstr(messages, quotes));
	assert_int_equal(load("listen = { //a:1, //b:2 }\n", &c),
	    VGPU_ECONF);
	assert_non_null(strstr(messages, quotes));
	assert_int_equal(load("key = //a/b\nca = \"x\"\n", &c), VGPU_ECONF);
	assert_non_null(strstr(messages, quotes));
}

static void
broken_syntax_names_the_line(void **state)
{
	(void)state;
	refused("key \"x\"\n", 1, "missing equal sign after option 'key'");
	refused("\ntenant a {}\ntenant a {}\n", 3, "found duplicate title "
	    "'a'");
	refused("\n}\n", 2, "unexpected closing brace");
}

static void
a_file_that_cannot_be_read_is_named(void **state)
{
	struct conf_source source = { "/nonexistent/vgpu.conf", NULL };
	struct buf said;
	struct conf *c;

	(void)state;
	buf_init(&said);
	assert_int_equal(conf_load(&source, &c, &said), VGPU_ECONF);
	source.file = folder;
	assert_int_equal(conf_load(&source, &c, &said), VGPU_ECONF);
	buf_append(&said, "", 1);
	assert_non_null(strstr((const char *)buf_front(&said),
	    "/nonexistent/vgpu.conf: cannot be read: No such file"));
	assert_non_null(strstr((const char *)buf_front(&said),
	    ": is not a file\n"));
	buf_fini(&said);
}

static void
a_listener_may_leave_host_and_port_open(void **state)
{
	struct err_text text;
	struct url url;

	(void)state;
	assert_int_equal(conf_listen_url("vgpu://*:0", &url, &text), VGPU_OK);
	assert_string_equal(url.host, "*");
	assert_int_equal(url.port, 0);
	assert_int_equal(conf_listen_url("vgpu://[::1]:0", &url, &text),
	    VGPU_OK);
	assert_string_equal(url.host, "::1");
	assert_int_equal(conf_listen_url("vgpu://*", &url, &text), VGPU_OK);
	assert_int_equal(url.port, URL_PORT);
}

static void
every_keyword_can_be_found(void **state)
{
	const struct conf_key *k;

	(void)state;
	for (k = conf_keys; k->name != NULL; k++) {
		assert_ptr_equal(conf_key_find(k->section, k->name), k);
		assert_ptr_equal(conf_key_nearest(k->section, k->name), k);
		assert_true(k->kind != CONF_CHOICE || k->choices != NULL);
		assert_true(k->kind != CONF_NUMBER || k->min < k->max);
	}
	assert_null(conf_key_find("tenant", "listen"));
	assert_int_equal(conf_choice("a|bb|c", "c"), 2);
	assert_int_equal(conf_choice("a|bb|c", "b"), -1);
}

static int
make_folder(void **state)
{
	(void)state;
	if (mkdtemp(folder) == NULL)
		return -1;
	snprintf(file, sizeof(file), "%s/conf", folder);
	return 0;
}

static int
remove_folder(void **state)
{
	(void)state;
	unlink(file);
	return rmdir(folder);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_file_gives_the_defaults),
		cmocka_unit_test(what_is_written_is_what_holds),
		cmocka_unit_test(relative_files_are_beside_the_configuration),
		cmocka_unit_test(a_tenant_has_its_own_rules_or_those_of_all),
		cmocka_unit_test(
		    certificates_are_needed_for_the_network_alone),
		cmocka_unit_test(
		    local_users_are_tenants_by_user_then_by_group),
		cmocka_unit_test(other_local_users_are_tenants_of_their_own),
		cmocka_unit_test(others_are_accepted_only_where_it_says_so),
		cmocka_unit_test(others_are_shown_the_type_that_holds_for_all),
		cmocka_unit_test(lines_over_the_file_win),
		cmocka_unit_test(a_wrong_line_over_the_file_is_named),
		cmocka_unit_test(an_unknown_keyword_names_the_nearest),
		cmocka_unit_test(what_does_not_end_is_refused),
		cmocka_unit_test(a_wrong_value_says_what_was_expected),
		cmocka_unit_test(a_listener_that_cannot_be_is_refused),
		cmocka_unit_test(sections_have_names_and_are_there_once),
		cmocka_unit_test(a_list_with_nothing_in_it_is_refused),
		cmocka_unit_test(
		    an_address_that_became_a_comment_asks_for_quotes),
		cmocka_unit_test(broken_syntax_names_the_line),
		cmocka_unit_test(a_file_that_cannot_be_read_is_named),
		cmocka_unit_test(a_listener_may_leave_host_and_port_open),
		cmocka_unit_test(every_keyword_can_be_found),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
