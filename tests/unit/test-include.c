/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/include.h"

#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/manifest.h"

#define HASHCAT "/usr/share/hashcat/OpenCL"

/* A made-up tree, removed after each test; all names are relative to it. */
static char root[64];

static struct options options;
static struct includes in;
static struct err_text err;

static int
setup(void **state)
{
	(void)state;
	snprintf(root, sizeof(root), "/tmp/vgpu-include-XXXXXX");
	memset(&options, 0, sizeof(options));
	memset(&in, 0, sizeof(in));
	return mkdtemp(root) == NULL ? -1 : 0;
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
	(void)st;
	(void)type;
	(void)f;
	return remove(path);
}

static int
teardown(void **state)
{
	(void)state;
	options_fini(&options);
	include_fini(&in);
	return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* root/name; the buffers are used in turn. */
static char *
at(const char *name)
{
	static char path[8][4200];
	static unsigned next;
	char *p = path[next++ % 8];

	snprintf(p, sizeof(path[0]), "%s/%s", root, name);
	return p;
}

static void
make_parents(char *path)
{
	char *p;

	for (p = path + strlen(root) + 1; (p = strchr(p, '/')) != NULL; p++) {
		*p = '\0';
		mkdir(path, 0700);
		*p = '/';
	}
}

static void
put_bytes(const char *name, const char *text, size_t n)
{
	char *path = at(name);
	FILE *f;

	make_parents(path);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

/* A copy of text: @ stands for the root, ^ for the root without its slash. */
static char *
with_root(const char *text)
{
	char *s = calloc(1, strlen(text) * sizeof(root) + 1), *to = s;

	assert_non_null(s);
	for (; *text != '\0'; text++)
		if (*text == '@' || *text == '^')
			to = stpcpy(to, root + (*text == '^'));
		else
			*to++ = *text;
	return s;
}

/* Write a file of a text, as with_root has it. */
static void
put(const char *name, const char *text)
{
	char *s = with_root(text);

	put_bytes(name, s, strlen(s));
	free(s);
}

static enum vgpu_err
collect_sources(const struct include_source *source, size_t n,
    const char *option_text)
{
	struct include_request r = { source, n, &options, root };
	char *s = with_root(option_text);

	options_fini(&options);
	include_fini(&in);
	assert_int_equal(options_parse(&options, s, &err), VGPU_OK);
	free(s);
	return include_collect(&in, &r, &err);
}

static enum vgpu_err
try_collect(const char *text, const char *option_text)
{
	char *s = with_root(text);
	const struct include_source source = { NULL, s, strlen(s) };
	enum vgpu_err e = collect_sources(&source, 1, option_text);

	free(s);
	return e;
}

static void
collect(const char *text, const char *option_text)
{
	enum vgpu_err e = try_collect(text, option_text);

	if (e != VGPU_OK)
		fail_msg("%s: %s", err_name(e), err.s);
}

/* What the result has, as text without the root: "a.h sub/b.h ". */
static const char *
files(void)
{
	static char all[8192];
	size_t i, n = 0;

	all[0] = '\0';
	for (i = 0; i < in.n_file; i++) {
		assert_int_equal(strncmp(in.file[i].path, root, strlen(root)),
		    0);
		n += (size_t)snprintf(all + n, sizeof(all) - n, "%s ",
		    in.file[i].path + strlen(root) + 1);
	}
	return all;
}

static const struct include_file *
file(const char *name)
{
	size_t i;

	for (i = 0; i < in.n_file; i++)
		if (strcmp(in.file[i].path, at(name)) == 0)
			return &in.file[i];
	fail_msg("%s is not among the files", name);
	return NULL;
}

/* The program's text as it is compiled, if it was rewritten. */
static void
check_source(const char *want)
{
	char *s = with_root(want);

	assert_int_equal(in.n_source, 1);
	assert_non_null(in.source[0].text);
	assert_int_equal(in.source[0].len, strlen(s));
	assert_memory_equal(in.source[0].text, s, strlen(s));
	free(s);
}

static void
check_file(const char *name, const char *want)
{
	const struct include_file *f = file(name);
	char *s = with_root(want);

	assert_int_equal(f->len, strlen(s));
	assert_memory_equal(f->data, s, strlen(s));
	free(s);
}

static void
check_unchanged(void)
{
	assert_int_equal(in.n_source, 1);
	assert_null(in.source[0].text);
}

static void
a_source_without_includes_ships_nothing(void **state)
{
	(void)state;
	collect("#define X 1\nkernel void k(void) {}\n", "-I@ -DX");
	assert_int_equal(in.n_file, 0);
	assert_int_equal(in.n_folder, 0);
	check_unchanged();
}

static void
what_is_not_found_is_left_alone(void **state)
{
	(void)state;
	collect("#include \"no.h\"\n#include <no.h>\n#include NO\n#include\n"
	    "#include \"\"\n#include <>\n#include \"@/no.h\"\n"
	    "#include <no\n", "-Inowhere");
	assert_int_equal(in.n_file, 0);
	check_unchanged();
}

static void
files_are_found_in_the_folders_in_order(void **state)
{
	(void)state;
	put("a/x.h", "a");
	put("b/x.h", "b");
	put("b/y.h", "b");
	collect("#include \"x.h\"\n#include <y.h>\n", "-I@/a -I b");
	assert_string_equal(files(), "a/x.h b/y.h ");
	assert_int_equal(in.n_folder, 2);
	assert_string_equal(in.folder[0], at("a"));
	assert_string_equal(in.folder[1], at("b"));
	collect("#include <x.h>\n", "-Ib -Ia");
	assert_string_equal(files(), "b/x.h ");
	assert_int_equal(in.n_folder, 1);
	check_unchanged();
}

static void
the_current_folder_comes_first(void **state)
{
	(void)state;
	put("x.h", "cwd");
	put("a/x.h", "a");
	collect("#include <x.h>\n", "-Ia");
	assert_string_equal(files(), "x.h ");
	assert_int_equal(in.n_folder, 1);
	assert_string_equal(in.folder[0], root);
}

static void
a_quoted_name_is_beside_its_file_first(void **state)
{
	(void)state;
	put("a/x.h", "#include \"y.h\"\n#include <z.h>\n#include \"w.h\"\n");
	put("a/y.h", "");
	put("a/z.h", "");
	put("b/y.h", "");
	put("b/z.h", "");
	put("b/w.h", "");
	collect("#include \"a/x.h\"\n", "-I b");
	assert_string_equal(files(), "a/x.h a/y.h b/w.h b/z.h ");
}

static void
includes_are_followed_and_cycles_end(void **state)
{
	(void)state;
	put("a.h", "#include \"b.h\"\n");
	put("b.h", "#include \"c.h\"\n#include \"b.h\"\n");
	put("c.h", "#include \"a.h\"\n");
	collect("#include \"a.h\"\n", "");
	assert_string_equal(files(), "a.h b.h c.h ");
}

static void
branches_that_a_compiler_skips_are_shipped(void **state)
{
	(void)state;
	put("a.h", "");
	put("b.h", "");
	collect("#ifdef X\n#include \"a.h\"\n#else\n#include \"b.h\"\n#endif\n",
	    "");
	assert_string_equal(files(), "a.h b.h ");
}

static void
include_next_takes_every_folder(void **state)
{
	(void)state;
	put("a/x.h", "#include_next <x.h>\n");
	put("b/x.h", "");
	put("c/x.h", "");
	collect("#include <x.h>\n", "-Ia -Ib -Ic");
	assert_string_equal(files(), "a/x.h b/x.h c/x.h ");
	assert_int_equal(in.n_folder, 3);
}

static void
absolute_names_are_rewritten_on_their_line(void **state)
{
	(void)state;
	put("a.h", "#include \"@/sub/b.h\"\r\n#include \"sub/b.h\"\r\n");
	put("sub/b.h", "");
	collect("  #include \"@/a.h\" // c\nint x;\n/*\n*/ #include \\\n"
	    "<@/sub/../sub/./b.h> /* \n */\r\nz\n#import \"@/a.h\"", "");
	assert_int_equal(in.n_file, 2);
	check_source("  #include <^/a.h>\nint x;\n/*\n*/ #include <^/sub/b.h>\n"
	    "\n\r\nz\n#import <^/a.h>");
	check_file("a.h", "#include <^/sub/b.h>\r\n#include \"sub/b.h\"\r\n");
	check_file("sub/b.h", "");
	assert_int_equal(in.n_folder, 0);
}

static void
a_path_with_an_angle_is_rewritten_in_quotes(void **state)
{
	(void)state;
	put("a>b.h", "");
	collect("#include \"@/a>b.h\"\n", "");
	check_source("#include \"^/a>b.h\"\n");
}

static void
macros_name_files_as_hashcat_does(void **state)
{
	(void)state;
	put("cl/a.h", "#define B S(P/b.h)\n");
	put("cl/b.h", "#include \"c.h\"\n");
	put("cl/c.h", "");
	collect("#include S(P/a.h)\n#include B\n",
	    "-D P=@/cl -D T(x)=#x -D S(x)=T(x)");
	assert_string_equal(files(), "cl/a.h cl/b.h cl/c.h ");
	check_source("#include <^/cl/a.h>\n#include <^/cl/b.h>\n");
}

static void
macros_may_be_defined_in_what_is_shipped(void **state)
{
	(void)state;
	put("names.h", "#define NAME \"a.h\"\n");
	put("a.h", "");
	put("b.h", "#include OTHER\n");
	put("c.h", "");
	collect("#include \"b.h\"\n#include \"names.h\"\n#include NAME\n"
	    "#define OTHER <c.h>\n", "");
	assert_string_equal(files(), "a.h b.h c.h names.h ");
	check_unchanged();
}

static void
every_definition_is_shipped_and_the_likeliest_rewritten(void **state)
{
	(void)state;
	put("fast.h", "");
	put("slow.h", "");
	put("mine.h", "");
	collect("#ifdef F\n#define H \"@/fast.h\"\n#else\n"
	    "#define H \"@/slow.h\"\n#endif\n#include H\n", "");
	assert_string_equal(files(), "fast.h slow.h ");
	assert_non_null(strstr(in.source[0].text, "/slow.h>\n"));
	collect("#ifndef H\n#define H \"@/slow.h\"\n#endif\n#include H\n",
	    "-DH='\"@/mine.h\"'");
	assert_string_equal(files(), "mine.h slow.h ");
	assert_non_null(strstr(in.source[0].text, "/mine.h>"));
}

static void
names_that_step_out_have_their_folders_made(void **state)
{
	(void)state;
	put("src/x.h", "#include \"../lib/deep/../y.h\"\n");
	put("lib/y.h", "");
	put("lib/deep/z.h", "");
	put("inc/unused.h", "");
	collect("#include <../src/x.h>\n", "-I inc");
	assert_string_equal(files(), "lib/y.h src/x.h ");
	assert_int_equal(in.n_folder, 1);
	assert_string_equal(in.folder[0], at("inc"));
	assert_int_equal(in.n_make, 3);
	assert_string_equal(in.make[0], at("inc"));
	assert_string_equal(in.make[1], at("lib/deep"));
	assert_string_equal(in.make[2], at("src"));
}

static void
links_are_followed_and_keep_their_names(void **state)
{
	(void)state;
	put("real/x.h", "#include \"y.h\"\n#include \"../z.h\"\n");
	put("real/y.h", "y");
	put("z.h", "z");
	assert_int_equal(symlink("real", at("link")), 0);
	assert_int_equal(symlink("real/y.h", at("y.h")), 0);
	collect("#include \"link/x.h\"\n#include \"y.h\"\n", "");
	assert_string_equal(files(), "link/x.h link/y.h y.h z.h ");
}

static void
stepping_out_of_a_link_is_rewritten_to_where_it_leads(void **state)
{
	(void)state;
	put("lib/inc/x.h", "#include \"../y.h\"\n");
	put("lib/y.h", "the right one\n#include \"w.h\"\n");
	put("lib/w.h", "");
	put("proj/y.h", "another");
	assert_int_equal(symlink("../lib/inc", at("proj/inc")), 0);
	collect("#include \"proj/inc/x.h\"\n#include \"proj/y.h\"\n"
	    "#include \"proj/inc/../w.h\"\n", "");
	assert_string_equal(files(), "lib/w.h lib/y.h proj/inc/x.h proj/y.h ");
	check_file("proj/inc/x.h", "#include <^/lib/y.h>\n");
	check_source("#include \"proj/inc/x.h\"\n#include \"proj/y.h\"\n"
	    "#include <^/lib/w.h>\n");
	collect("#include <y.h>\n", "-I proj/inc/..");
	assert_string_equal(files(), "lib/w.h lib/y.h ");
	assert_string_equal(in.folder[0], at("lib"));
}

static void
a_name_through_a_missing_folder_is_not_found(void **state)
{
	(void)state;
	put("a.h", "");
	collect("#include \"a.h\"\n#include \"no/../a.h\"\n", "");
	assert_string_equal(files(), "a.h ");
	assert_int_equal(in.n_make, 0);
}

static void
only_regular_files_are_opened(void **state)
{
	(void)state;
	put("b/dir/in.h", "");
	put("b/dir.h", "found");
	assert_int_equal(mkdir(at("a"), 0700), 0);
	assert_int_equal(mkdir(at("a/dir.h"), 0700), 0);
	assert_int_equal(mkfifo(at("fifo.h"), 0600), 0);
	collect("#include \"fifo.h\"\n#include <dir.h>\n"
	    "#include \"/dev/null\"\n#include \"@/b/dir\"\n", "-Ia -Ib");
	assert_string_equal(files(), "b/dir.h ");
}

static void
header_programs_are_left_alone(void **state)
{
	static const char main_text[] = "#include \"h.h\"\n"
	    "#include \"sub/g.h\"\n#include <a.h>\n";
	static const char header[] = "#include \"g.h\"\n#include \"b.h\"\n"
	    "#define X\n";
	const struct include_source source[] = {
		{ NULL, main_text, strlen(main_text) },
		{ "h.h", "", 0 },
		{ "sub/h.h", header, strlen(header) },
		{ "sub/g.h", "", 0 },
	};

	(void)state;
	put("h.h", "");
	put("g.h", "");
	put("sub/g.h", "");
	put("a.h", "#include \"h.h\"\n");
	put("b.h", "");
	put("c/a.h", "#include <h.h>\n");
	assert_int_equal(collect_sources(source, 4, "-Ic"), VGPU_OK);
	assert_string_equal(files(), "a.h b.h h.h ");
	assert_int_equal(in.n_source, 4);
	assert_null(in.source[2].text);
}

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

static void
without_a_current_folder_absolute_ones_still_work(void **state)
{
	struct include_request r = { NULL, 1, &options, NULL };
	const struct include_source source = { NULL, "#include <x.h>\n", 15 };
	int old = open(".", O_RDONLY | O_DIRECTORY);
	enum vgpu_err e;
	char *text;

	(void)state;
	put("a/x.h", "");
	assert_int_equal(mkdir(at("gone"), 0700), 0);
	assert_int_equal(chdir(at("gone")), 0);
	assert_int_equal(rmdir(at("gone")), 0);
	text = with_root("-I no -I@/a");
	assert_int_equal(options_parse(&options, text, NULL), VGPU_OK);
	free(text);
	r.source = &source;
	e = include_collect(&in, &r, &err);
	assert_int_equal(fchdir(old), 0);
	close(old);
	assert_int_equal(e, VGPU_OK);
	assert_string_equal(files(), "a/x.h ");
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_source_without_includes_ships_nothing),
		TEST(what_is_not_found_is_left_alone),
		TEST(files_are_found_in_the_folders_in_order),
		TEST(the_current_folder_comes_first),
		TEST(a_quoted_name_is_beside_its_file_first),
		TEST(includes_are_followed_and_cycles_end),
		TEST(branches_that_a_compiler_skips_are_shipped),
		TEST(include_next_takes_every_folder),
		TEST(absolute_names_are_rewritten_on_their_line),
		TEST(a_path_with_an_angle_is_rewritten_in_quotes),
		TEST(macros_name_files_as_hashcat_does),
		TEST(macros_may_be_defined_in_what_is_shipped),
		TEST(every_definition_is_shipped_and_the_likeliest_rewritten),
		TEST(names_that_step_out_have_their_folders_made),
		TEST(links_are_followed_and_keep_their_names),
		TEST(stepping_out_of_a_link_is_rewritten_to_where_it_leads),
		TEST(a_name_through_a_missing_folder_is_not_found),
		TEST(only_regular_files_are_opened),
		TEST(header_programs_are_left_alone),
		TEST(the_manifest_names_exactly_this_tree),
		TEST(hashes_are_of_what_is_shipped),
		TEST(too_many_files_are_refused),
		TEST(too_many_bytes_are_refused),
		TEST(without_a_current_folder_absolute_ones_still_work),
		TEST(hashcats_kernels_find_all_their_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
