/* SPDX-License-Identifier: ISC */
/* What is shipped of the files that were found, and how much of them may be. */
#include "icd-vgpu/include.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/manifest.h"
#include "tests/unit/fixture-include.h"

#define HASHCAT "/usr/share/hashcat/OpenCL"

static void
the_manifest_names_exactly_this_tree(void **state)
{
	uint8_t first[SHA256_LEN], hash[SHA256_LEN];
	struct manifest_reader r;
	struct manifest_entry e;
	struct buf b;
	size_t n = 0;

	(void)state;
	put("a/x.h", "#include \"../y.h\"\n");
	put("y.h", "1");
	collect("#include \"a/x.h\"\n", "");
	buf_init(&b);
	include_manifest(&in, &b);
	assert_int_equal(sha256(buf_front(&b), buf_len(&b), hash), VGPU_OK);
	assert_memory_equal(hash, in.manifest, SHA256_LEN);
	manifest_reader_init(&r, buf_front(&b), buf_len(&b));
	while (manifest_next(&r, &e, &err) == VGPU_OK)
		n++;
	assert_int_equal(r.left, 0);
	assert_int_equal(n, in.n_make + in.n_file);
	buf_fini(&b);
	memcpy(first, in.manifest, SHA256_LEN);
	collect("#include \"y.h\"\n#include \"a/x.h\"\n", "");
	assert_memory_equal(first, in.manifest, SHA256_LEN);
	put("y.h", "2");
	collect("#include \"a/x.h\"\n", "");
	assert_memory_not_equal(first, in.manifest, SHA256_LEN);
}

static void
hashes_are_of_what_is_shipped(void **state)
{
	uint8_t hash[SHA256_LEN];
	const struct include_file *f;

	(void)state;
	put("a.h", "#include \"@/b.h\"\n");
	put_bytes("b.h", "x\0y\n", 4);
	collect("#include \"a.h\"\n", "");
	f = file("a.h");
	assert_int_equal(sha256(f->data, f->len, hash), VGPU_OK);
	assert_memory_equal(f->hash, hash, SHA256_LEN);
	f = file("b.h");
	assert_int_equal(f->len, 4);
	assert_memory_equal(f->data, "x\0y\n", 4);
}

static void
too_many_files_are_refused(void **state)
{
	char name[16], text[64];
	unsigned i;

	(void)state;
	for (i = 0; i <= INCLUDE_FILES_MAX; i++) {
		snprintf(name, sizeof(name), "%u.h", i);
		snprintf(text, sizeof(text), "#include \"%u.h\"\n", i + 1);
		put(name, text);
	}
	assert_int_equal(try_collect("#include \"0.h\"\n", ""), VGPU_EQUOTA);
	assert_non_null(strstr(err.s, "more than 4096"));
	assert_int_equal(unlink(at("4096.h")), 0);
	collect("#include \"0.h\"\n", "");
	assert_int_equal(in.n_file, INCLUDE_FILES_MAX);
}

static void
too_many_bytes_are_refused(void **state)
{
	(void)state;
	put("a.h", "#include \"b.h\"\n");
	put("b.h", "");
	assert_int_equal(truncate(at("b.h"), (off_t)INCLUDE_BYTES_MAX), 0);
	assert_int_equal(try_collect("#include \"a.h\"\n", ""), VGPU_EQUOTA);
	assert_non_null(strstr(err.s, "bytes, at "));
	assert_non_null(strstr(err.s, "/b.h"));
	assert_int_equal(truncate(at("b.h"), (off_t)INCLUDE_BYTES_MAX - 15),
	    0);
	collect("#include \"a.h\"\n", "");
	assert_int_equal(in.n_file, 2);
}

/* Read a file of hashcat's; its length, or 0. */
static size_t
read_kernel(const char *name, char *text, size_t size)
{
	FILE *f = fopen(name, "r");
	size_t n;

	if (f == NULL)
		return 0;
	n = fread(text, 1, size, f);
	fclose(f);
	return n;
}

static bool
source_has(const char *text)
{
	return memmem(in.source[0].text, in.source[0].len, text,
	    strlen(text)) != NULL;
}

static void
hashcats_kernels_find_all_their_files(void **state)
{
	static char text[1 << 20];
	struct include_source source = { NULL, text, 0 };
	size_t i, vendor = 0;

	(void)state;
	source.len = read_kernel(HASHCAT "/m07900-pure.cl", text, sizeof(text));
	if (source.len == 0)
		skip();
	assert_int_equal(collect_sources(&source, 1, "-D KERNEL_STATIC "
	    "-D INCLUDE_PATH=" HASHCAT " -D XM2S(x)=#x -D M2S(x)=XM2S(x) -w"),
	    VGPU_OK);
	assert_true(in.n_file >= 8);
	for (i = 0; i < in.n_file; i++)
		vendor += strcmp(in.file[i].path, HASHCAT "/inc_vendor.h") == 0;
	assert_int_equal(vendor, 1);
	assert_true(source_has("\n#include <usr/share/hashcat/OpenCL/"
	    "inc_vendor.h>\n"));
	assert_false(source_has("#include M2S"));
	assert_false(source_has("#include COMPARE_M"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		INCLUDE_TEST(the_manifest_names_exactly_this_tree),
		INCLUDE_TEST(hashes_are_of_what_is_shipped),
		INCLUDE_TEST(too_many_files_are_refused),
		INCLUDE_TEST(too_many_bytes_are_refused),
		INCLUDE_TEST(hashcats_kernels_find_all_their_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
