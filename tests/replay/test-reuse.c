/* SPDX-License-Identifier: ISC */
/*
 * Builds that are answered by what an earlier client's have left.
 *
 * The fake vendor tells about the argument of one kernel in its life and is
 * silent then.  So a host first builds something else, and what it tells of a
 * build after that can only be what an earlier host has kept.
 */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hostd/build_store.h"
#include "hostd/reuse.h"
#include "tests/replay/objects.h"

#define TOLD_ONCE "devices 4 gpu; fail clGetKernelArgInfo -19 after 7 " \
	"times 9999"
#define SOURCE "kernel void say(int n) { printf(\"say %d\\n\", n); }\n"
#define MIB ((uint64_t)1 << 20)

static char top[] = "/tmp/vgpu-reuse-XXXXXX";
static char tenant_folder[64];
static uint64_t c;

/* Build; whether names of arguments were told, -1: it failed. */
static int
build(uint64_t program, const char *options)
{
	const struct msg_clBuildProgram m = { .program = { .id = program },
		.options = { options, strlen(options) } };
	const struct reply_clBuildProgram *r;
	struct msg_kernel_record k;
	struct span list, element;

	r = expect_reply(&desc_clBuildProgram, say(&desc_clBuildProgram, &m,
	    0));
	if (r->status != CL_SUCCESS)
		return -1;
	list = r->kernels;
	assert_true(list_next(&list, &element));
	assert_int_equal(codec_decode(element.p, element.n,
	    desc_kernel_record.fields, desc_kernel_record.field_count, &k,
	    NULL), VGPU_OK);
	assert_int_equal(k.args.n, 1);
	return k.arg_info != 0;
}

static int
build_of(const char *source, const char *options)
{
	return build(source_program(c, source), options);
}

static void
begin_as(const char *tenant, const char *script, uint64_t bytes)
{
	static unsigned n;
	char source[64];

	snprintf(tenant_folder, sizeof(tenant_folder), "%s/%s", top, tenant);
	mkdir(tenant_folder, 0700);
	keep_builds(tenant, tenant_folder, bytes);
	host_start_ready(script);
	c = context();
	/* what nobody has built before */
	snprintf(source, sizeof(source), "kernel void k%u(int n) {}\n", n++);
	build_of(source, "");
}

static void
begin(void)
{
	begin_as("lab", TOLD_ONCE, MIB);
}

/* A first client that leaves SOURCE, built without options. */
static void
leave_one(const char *tenant, const char *script, uint64_t bytes)
{
	snprintf(tenant_folder, sizeof(tenant_folder), "%s/%s", top, tenant);
	mkdir(tenant_folder, 0700);
	keep_builds(tenant, tenant_folder, bytes);
	host_start_ready(script);
	c = context();
	assert_int_equal(build_of(SOURCE, ""), 1);
	host_leave();
}

/* The name of some file that is kept for the tenant; how many there are. */
static unsigned
kept(char out[PATH_MAX])
{
	char folder[128];
	const struct dirent *d;
	unsigned n = 0;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%s/builds", tenant_folder);
	if ((dir = opendir(folder)) == NULL)
		return 0;
	while ((d = readdir(dir)) != NULL) {
		if (d->d_name[0] == '.')
			continue;
		n++;
		if (out != NULL)
			snprintf(out, PATH_MAX, "%s/%.64s", folder, d->d_name);
	}
	closedir(dir);
	return n;
}

/* Launch SOURCE's kernel, and see that it runs. */
static void
run(uint64_t program, int n)
{
	const struct arg arg = { 0, ARG_VALUE, sizeof(n), &n };
	const struct msg_output *m;
	char text[32];
	uint64_t q = queue(c, 0);

	snprintf(text, sizeof(text), "say %d\n", n);
	launch(q, kernel(program, "say"), 1, &arg, 1, AFTER_NOTHING, QUIET);
	m = expect(&desc_output);
	assert_string_equal(m->text.p, text);
}

static void
the_same_build_of_another_client_is_reused(void **state)
{
	uint64_t p;

	(void)state;
	leave_one("lab", TOLD_ONCE, MIB);
	begin();
	p = source_program(c, SOURCE);
	assert_int_equal(build(p, ""), 1);
	run(p, 7);
	host_leave();
}

static void
another_source_is_built(void **state)
{
	(void)state;
	leave_one("lab", TOLD_ONCE, MIB);
	begin();
	assert_int_equal(build_of(SOURCE "\n", ""), 0);
	host_leave();
}

static void
other_options_are_built(void **state)
{
	(void)state;
	leave_one("lab", TOLD_ONCE, MIB);
	begin();
	assert_int_equal(build_of(SOURCE, "-DA"), 0);
	host_leave();
}

static void
other_settings_of_the_vendor_are_built(void **state)
{
	(void)state;
	leave_one("lab", TOLD_ONCE, MIB);
	begin_as("lab", TOLD_ONCE ";", MIB);
	assert_int_equal(build_of(SOURCE, ""), 0);
	host_leave();
}

static void
another_tenant_builds_for_itself(void **state)
{
	(void)state;
	leave_one("lab", TOLD_ONCE, MIB);
	begin_as("other", TOLD_ONCE, MIB);
	assert_int_equal(build_of(SOURCE, ""), 0);
	host_leave();
}

/* As if somebody had brought the files from one folder to the other. */
static void
another_tenant_s_files_are_of_no_use(void **state)
{
	char command[256];

	(void)state;
	leave_one("lab", TOLD_ONCE, MIB);
	snprintf(command, sizeof(command), "mkdir -p %s/thief && cp -r "
	    "%s/lab/builds %s/thief/", top, top, top);
	assert_int_equal(system(command), 0);
	begin_as("thief", TOLD_ONCE, MIB);
	assert_int_equal(build_of(SOURCE, ""), 0);
	host_leave();
}

static void
a_damaged_entry_is_built_again(void **state)
{
	char path[PATH_MAX];
	uint64_t p;

	(void)state;
	leave_one("damaged", TOLD_ONCE, MIB);
	assert_int_equal(kept(path), 1);
	assert_int_equal(truncate(path, 100), 0);
	begin_as("damaged", TOLD_ONCE, MIB);
	p = source_program(c, SOURCE);
	assert_int_equal(build(p, ""), 0);
	run(p, 8);
	host_leave();
	/* its own, and what it has built before */
	assert_int_equal(kept(NULL), 2);
}

static void
a_binary_that_the_vendor_refuses_is_built_again(void **state)
{
	static const char refuses[] = TOLD_ONCE
	    "; fail clCreateProgramWithBinary -42 times 9999";
	uint64_t p;

	(void)state;
	leave_one("refused", refuses, MIB);
	begin_as("refused", refuses, MIB);
	p = source_program(c, SOURCE);
	/* The reply is right whatever the binary is. */
	assert_int_equal(build(p, ""), 1);
	run(p, 9);
	host_leave();
	/* what it has built before */
	assert_int_equal(kept(NULL), 1);
}

static void
a_reused_program_can_be_built_with_other_options(void **state)
{
	uint64_t p;

	(void)state;
	leave_one("lab", TOLD_ONCE, MIB);
	begin();
	p = source_program(c, SOURCE);
	assert_int_equal(build(p, ""), 1);
	assert_int_equal(build(p, "-DA"), 0);
	assert_int_equal(build(p, ""), 1);
	run(p, 10);
	host_leave();
}

/* As those are whose binary is still being made. */
static void
take_binary_away(const char *path)
{
	struct infoset entry, without;
	char folder[PATH_MAX];
	uint8_t key[SHA256_LEN];
	struct err_text text;
	struct buf bytes;
	const void *p;
	uint32_t part;
	size_t at = 0, i, n;
	unsigned byte;

	snprintf(folder, sizeof(folder), "%s/builds", tenant_folder);
	for (i = 0; i < SHA256_LEN; i++) {
		assert_int_equal(sscanf(strrchr(path, '/') + 1 + 2 * i,
		    "%2x", &byte), 1);
		key[i] = (uint8_t)byte;
	}
	buf_init(&bytes);
	infoset_init(&entry);
	infoset_init(&without);
	assert_int_equal(build_store_get(folder, key, &bytes), VGPU_OK);
	assert_int_equal(infoset_load(&entry, buf_front(&bytes),
	    buf_len(&bytes), NULL), VGPU_OK);
	assert_non_null(infoset_find(&entry, REUSE_BINARY, &n));
	while ((p = infoset_next(&entry, &at, &part, &n)) != NULL)
		if (part != REUSE_BINARY)
			infoset_put(&without, part, p, n);
	assert_int_equal(build_store_put(folder, MIB, key,
	    infoset_bytes(&without), infoset_size(&without), &text), VGPU_OK);
	infoset_fini(&entry);
	infoset_fini(&without);
	buf_fini(&bytes);
}

static void
without_a_binary_the_vendor_builds_behind_the_reply(void **state)
{
	char path[PATH_MAX];
	uint64_t p;

	(void)state;
	leave_one("behind", TOLD_ONCE, MIB);
	assert_int_equal(kept(path), 1);
	take_binary_away(path);
	begin_as("behind", TOLD_ONCE, MIB);
	p = source_program(c, SOURCE);
	assert_int_equal(build(p, ""), 1);
	run(p, 11);
	host_leave();
}

static void
what_fails_behind_the_reply_fails_its_kernels(void **state)
{
	static const char once[] = TOLD_ONCE
	    "; fail clBuildProgram -5 after 1 times 9999";
	char path[PATH_MAX];
	uint64_t p, k;

	(void)state;
	leave_one("fails", once, MIB);
	assert_int_equal(kept(path), 1);
	take_binary_away(path);
	begin_as("fails", once, MIB);
	p = source_program(c, SOURCE);
	assert_int_equal(build(p, ""), 1);
	k = kernel(p, "say");
	expect_object_error(k, CL_OUT_OF_RESOURCES);
	host_leave();
}

static void
failed_builds_are_not_kept(void **state)
{
	(void)state;
	begin_as("failed", TOLD_ONCE, MIB);
	assert_int_equal(build_of("#error no good\n", ""), -1);
	host_leave();
	/* what was built before */
	assert_int_equal(kept(NULL), 1);
}

static void
nothing_is_kept_where_that_is_off(void **state)
{
	(void)state;
	leave_one("off", TOLD_ONCE, 0);
	begin_as("off", TOLD_ONCE, 0);
	assert_int_equal(build_of(SOURCE, ""), 0);
	host_leave();
	assert_int_equal(kept(NULL), 0);
}

static void
no_more_is_kept_than_is_allowed(void **state)
{
	char path[PATH_MAX];
	struct stat st;
	uint64_t limit;

	(void)state;
	leave_one("small", TOLD_ONCE, MIB);
	assert_int_equal(kept(path), 1);
	assert_int_equal(stat(path, &st), 0);
	limit = (uint64_t)st.st_size + 64;
	begin_as("small", TOLD_ONCE, limit);
	build_of(SOURCE, "-DB");
	build_of(SOURCE, "-DC");
	host_leave();
	assert_int_equal(kept(NULL), 1);
}

static int
remove_top(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", top);
	return system(command);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SCENARIO(the_same_build_of_another_client_is_reused),
		SCENARIO(another_source_is_built),
		SCENARIO(other_options_are_built),
		SCENARIO(other_settings_of_the_vendor_are_built),
		SCENARIO(another_tenant_builds_for_itself),
		SCENARIO(another_tenant_s_files_are_of_no_use),
		SCENARIO(a_damaged_entry_is_built_again),
		SCENARIO(a_binary_that_the_vendor_refuses_is_built_again),
		SCENARIO(a_reused_program_can_be_built_with_other_options),
		SCENARIO(without_a_binary_the_vendor_builds_behind_the_reply),
		SCENARIO(what_fails_behind_the_reply_fails_its_kernels),
		SCENARIO(failed_builds_are_not_kept),
		SCENARIO(nothing_is_kept_where_that_is_off),
		SCENARIO(no_more_is_kept_than_is_allowed),
	};

	if (mkdtemp(top) == NULL)
		return 1;
	return cmocka_run_group_tests(tests, NULL, remove_top);
}
