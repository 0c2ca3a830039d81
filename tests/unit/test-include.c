/* SPDX-License-Identifier: ISC */
/* Which files are found, and how what includes them is rewritten. */
#include "icd-vgpu/include.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/fixture-include.h"

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		INCLUDE_TEST(a_source_without_includes_ships_nothing),
		INCLUDE_TEST(what_is_not_found_is_left_alone),
		INCLUDE_TEST(files_are_found_in_the_folders_in_order),
		INCLUDE_TEST(the_current_folder_comes_first),
		INCLUDE_TEST(a_quoted_name_is_beside_its_file_first),
		INCLUDE_TEST(includes_are_followed_and_cycles_end),
		INCLUDE_TEST(branches_that_a_compiler_skips_are_shipped),
		INCLUDE_TEST(include_next_takes_every_folder),
		INCLUDE_TEST(absolute_names_are_rewritten_on_their_line),
		INCLUDE_TEST(a_path_with_an_angle_is_rewritten_in_quotes),
		INCLUDE_TEST(macros_name_files_as_hashcat_does),
		INCLUDE_TEST(macros_may_be_defined_in_what_is_shipped),
		INCLUDE_TEST(
		    every_definition_is_shipped_and_the_likeliest_rewritten),
		INCLUDE_TEST(names_that_step_out_have_their_folders_made),
		INCLUDE_TEST(links_are_followed_and_keep_their_names),
		INCLUDE_TEST(
		    stepping_out_of_a_link_is_rewritten_to_where_it_leads),
		INCLUDE_TEST(a_name_through_a_missing_folder_is_not_found),
		INCLUDE_TEST(only_regular_files_are_opened),
		INCLUDE_TEST(header_programs_are_left_alone),
		INCLUDE_TEST(without_a_current_folder_absolute_ones_still_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
