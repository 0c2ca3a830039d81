/* SPDX-License-Identifier: ISC */
#include "hostd/includes.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/buf.h"
#include "common/manifest.h"

#define TEXT "int answer = 42;\n"
#define TEXT_LEN (sizeof(TEXT) - 1)

static char folder[] = "/tmp/vgpu-includes-XXXXXX";

/* A list as the decoder gives it; lives until the program ends. */
static struct span
list_of(const struct span *elements, size_t n)
{
	static const struct field field = { .name = "list",
		.kind = FIELD_LIST, .length_field = -1 };
	const struct span plain = { elements, n };
	struct span list;
	static struct buf kept[16];
	static unsigned used;
	struct buf *b = &kept[used++ % 16];

	buf_fini(b);
	buf_init(b);
	codec_encode(b, &field, 1, &plain);
	assert_int_equal(codec_decode(buf_front(b), buf_len(b), &field, 1,
	    &list, NULL), VGPU_OK);
	return list;
}

static struct span
list_of_text(const char *text)
{
	const struct span one = { text, strlen(text) };

	return list_of(&one, 1);
}

static void
write_manifest(struct buf *b, const char *path, uint64_t size)
{
	uint8_t hash[SHA256_LEN];

	assert_int_equal(sha256(TEXT, TEXT_LEN, hash), VGPU_OK);
	buf_init(b);
	manifest_write(b, &(struct manifest_entry){ .path = path,
	    .path_len = strlen(path), .size = size, .hash = hash });
}

/* Open a mirror with one file in it and one folder to search. */
static enum vgpu_err
open_one(struct includes *in, const char *path, const char *dir, bool ship)
{
	struct span dirs = list_of_text(dir);
	struct span files = ship ? list_of_text(TEXT) : list_of(NULL, 0);
	struct err_text text;
	struct span manifest;
	struct buf b;
	enum vgpu_err e;

	write_manifest(&b, path, TEXT_LEN);
	manifest = (struct span){ buf_front(&b), buf_len(&b) };
	e = includes_open(in, folder, &dirs, &manifest, &files, &text);
	buf_fini(&b);
	return e;
}

static bool
holds_text(const char *path)
{
	char found[64] = "";
	FILE *f = fopen(path, "r");

	if (f == NULL)
		return false;
	assert_non_null(fgets(found, sizeof(found), f));
	fclose(f);
	return strcmp(found, TEXT) == 0;
}

static void
a_file_is_where_the_client_has_it(void **state)
{
	char path[512], option[512];
	struct includes in;

	(void)state;
	assert_int_equal(open_one(&in, "/home/me/inc/a.h", "/home/me/inc",
	    true), VGPU_OK);
	snprintf(path, sizeof(path), "%s/home/me/inc/a.h", in.root);
	assert_true(holds_text(path));
	snprintf(option, sizeof(option), " -I %s/home/me/inc -I %s", in.root,
	    in.root);
	assert_string_equal(in.options, option);
	includes_fini(&in);
}

static void
contents_need_not_come_twice(void **state)
{
	struct includes in;
	char path[512];

	(void)state;
	assert_int_equal(open_one(&in, "/twice/a.h", "/twice", true),
	    VGPU_OK);
	includes_fini(&in);
	assert_int_equal(open_one(&in, "/twice/b.h", "/twice", false),
	    VGPU_OK);
	snprintf(path, sizeof(path), "%s/twice/b.h", in.root);
	assert_true(holds_text(path));
	includes_fini(&in);
}

static void
equal_manifests_have_one_path(void **state)
{
	struct includes a, b;

	(void)state;
	assert_int_equal(open_one(&a, "/same/a.h", "/same", true), VGPU_OK);
	assert_int_equal(open_one(&b, "/same/a.h", "/same", true), VGPU_OK);
	assert_string_equal(a.root, b.root);
	includes_fini(&a);
	includes_fini(&b);
}

static void
without_a_manifest_there_are_no_options(void **state)
{
	const struct span none = { NULL, 0 };
	struct span empty = list_of(NULL, 0);
	struct includes in;

	(void)state;
	assert_int_equal(includes_open(&in, folder, &empty, &none, &empty,
	    NULL), VGPU_OK);
	assert_string_equal(in.options, "");
	assert_null(in.root);
	includes_fini(&in);
}

static void
contents_that_never_came_are_missed(void **state)
{
	struct span dirs = list_of_text("/x"), files = list_of(NULL, 0);
	uint8_t hash[SHA256_LEN] = { 1, 2, 3 };
	struct err_text text;
	struct includes in;
	struct span manifest;
	struct buf b;

	(void)state;
	buf_init(&b);
	manifest_write(&b, &(struct manifest_entry){ .path = "/x/a.h",
	    .path_len = 6, .size = 5, .hash = hash });
	manifest = (struct span){ buf_front(&b), buf_len(&b) };
	assert_int_equal(includes_open(&in, folder, &dirs, &manifest, &files,
	    &text), VGPU_EPROTO);
	assert_non_null(strstr(text.s, "/x/a.h never came"));
	/* Nothing half made stays behind to be taken for whole. */
	assert_int_equal(includes_open(&in, folder, &dirs, &manifest, &files,
	    &text), VGPU_EPROTO);
	buf_fini(&b);
}

static void
bytes_that_are_no_manifest_are_refused(void **state)
{
	struct span dirs = list_of_text("/x"), files = list_of(NULL, 0);
	const struct span manifest = { "rubbish", 7 };
	struct includes in;

	(void)state;
	assert_int_equal(includes_open(&in, folder, &dirs, &manifest, &files,
	    NULL), VGPU_EPROTO);
}

static void
folders_outside_of_the_mirror_are_refused(void **state)
{
	static const char *const bad[] = { "/../../etc", "/a/../../../etc",
		"etc", "", "/a//b", "/." };
	struct includes in;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(open_one(&in, "/out/a.h", bad[i], true),
		    VGPU_EPROTO);
}

static void
a_build_that_is_too_large_is_refused(void **state)
{
	struct span dirs = list_of_text("/big"), files = list_of(NULL, 0);
	struct err_text text;
	struct includes in;
	struct span manifest;
	struct buf b;

	(void)state;
	write_manifest(&b, "/big/a.h", INCLUDES_BYTES_MAX + 1);
	manifest = (struct span){ buf_front(&b), buf_len(&b) };
	assert_int_equal(includes_open(&in, folder, &dirs, &manifest, &files,
	    &text), VGPU_EQUOTA);
	buf_fini(&b);
}

static void
a_folder_with_blanks_is_reached_without(void **state)
{
	struct includes in;
	char path[512], log[512];

	(void)state;
	assert_int_equal(open_one(&in, "/my files/\"inc\"/a.h",
	    "/my files/\"inc\"", true), VGPU_OK);
	assert_int_equal(in.alias_count, 1);
	assert_null(strpbrk(in.options, "\"'"));
	snprintf(path, sizeof(path), "%s/a.h", in.alias[0].link);
	assert_true(holds_text(path));
	snprintf(log, sizeof(log), "%s/a.h:1: no", in.alias[0].link);
	includes_clean(&in, log);
	assert_string_equal(log, "/my files/\"inc\"/a.h:1: no");
	includes_fini(&in);
}

static void
logs_name_the_files_of_the_client(void **state)
{
	struct includes in;
	char log[1024];

	(void)state;
	assert_int_equal(open_one(&in, "/log/a.h", "/log", true), VGPU_OK);
	snprintf(log, sizeof(log), "%s/log/a.h:1: x\n%s/log/a.h:2: y",
	    in.root, in.root);
	includes_clean(&in, log);
	assert_string_equal(log, "/log/a.h:1: x\n/log/a.h:2: y");
	includes_fini(&in);
}

static int
make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) == NULL;
}

static int
remove_entry(const char *path, const struct stat *st, int kind,
    struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	return remove(path);
}

static int
remove_folder(void **state)
{
	(void)state;
	return nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_where_the_client_has_it),
		cmocka_unit_test(contents_need_not_come_twice),
		cmocka_unit_test(equal_manifests_have_one_path),
		cmocka_unit_test(without_a_manifest_there_are_no_options),
		cmocka_unit_test(contents_that_never_came_are_missed),
		cmocka_unit_test(bytes_that_are_no_manifest_are_refused),
		cmocka_unit_test(folders_outside_of_the_mirror_are_refused),
		cmocka_unit_test(a_build_that_is_too_large_is_refused),
		cmocka_unit_test(a_folder_with_blanks_is_reached_without),
		cmocka_unit_test(logs_name_the_files_of_the_client),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
