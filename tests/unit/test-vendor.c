/* SPDX-License-Identifier: ISC */
#include "hostd/vendor.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define POCL "/etc/OpenCL/vendors/pocl.icd"
#define OCLGRIND "/usr/lib/oclgrind/liboclgrind-rt-icd.so"

static char folder[] = "/tmp/vgpu-test-vendor-XXXXXX";
static char file[64];
static struct err_text text;

static const char *
icd(const char *content)
{
	FILE *f;

	snprintf(file, sizeof(file), "%s/one.icd", folder);
	assert_non_null(f = fopen(file, "w"));
	fputs(content, f);
	assert_int_equal(fclose(f), 0);
	return file;
}

static void
an_icd_file_names_its_library(void **state)
{
	char out[64];

	(void)state;
	assert_int_equal(vendor_library(icd(" libx.so.1 \r\nmore\n"), out,
	    sizeof(out), &text), VGPU_OK);
	assert_string_equal(out, "libx.so.1");
	assert_int_equal(vendor_library("/a/liby.so", out, sizeof(out),
	    &text), VGPU_OK);
	assert_string_equal(out, "/a/liby.so");
	assert_int_equal(vendor_library(icd("\n\n"), out, sizeof(out), &text),
	    VGPU_ECONF);
	assert_int_equal(vendor_library("/nonexistent/x.icd", out,
	    sizeof(out), &text), VGPU_ESYS);
	assert_int_equal(vendor_library(icd("libx.so.1"), out, 9, &text),
	    VGPU_ECONF);
}

static void
vgpus_own_library_is_never_a_vendor(void **state)
{
	struct vendor *v;

	(void)state;
	assert_true(vendor_is_vgpu("libvgpu-icd.so"));
	assert_true(vendor_is_vgpu("/usr/lib/vgpu/libvgpu-icd.so.0"));
	assert_false(vendor_is_vgpu("/libvgpu-icd/libpocl.so"));
	assert_int_equal(vendor_open(icd("/x/libvgpu-icd.so\n"), &v, &text),
	    VGPU_ECONF);
	assert_non_null(strstr(text.s, "is vgpu itself"));
}

/* A copy of the built library, by a name that tells nothing. */
static void
vgpus_own_library_is_known_by_any_name(void **state)
{
	const char *top = getenv("top_builddir");
	char from[PATH_MAX], to[PATH_MAX];
	struct vendor *v;

	(void)state;
	if (top == NULL)
		skip();
	snprintf(from, sizeof(from), "%s/icd-vgpu/.libs/libvgpu-icd.so", top);
	snprintf(to, sizeof(to), "%s/libother.so", folder);
	assert_int_equal(symlink(from, to), 0);
	if (access(to, R_OK) != 0) {
		unlink(to);
		skip();
	}
	assert_int_equal(vendor_open(to, &v, &text), VGPU_ECONF);
	assert_non_null(strstr(text.s, "libother.so is vgpu itself"));
	unlink(to);
}

static void
a_library_that_does_not_load_is_named(void **state)
{
	struct vendor *v;

	(void)state;
	assert_int_equal(vendor_open(icd("/nonexistent/libx.so\n"), &v,
	    &text), VGPU_ECL);
	assert_non_null(strstr(text.s, "/nonexistent/libx.so"));
	assert_int_equal(vendor_open(icd("libm.so.6\n"), &v, &text),
	    VGPU_ECL);
	assert_non_null(strstr(text.s, "no OpenCL vendor library"));
}

/* Each by itself, in one process, and the linked loader sees neither. */
static void
vendors_live_side_by_side(void **state)
{
	static const char *const icds[] = { POCL, OCLGRIND };
	static const char *const names[] = { "Portable Computing Language",
		"Oclgrind" };
	struct vendor *v;
	char name[128];
	cl_uint n = 9;
	unsigned i, found = 0;

	(void)state;
	for (i = 0; i < 2; i++) {
		if (access(icds[i], R_OK) != 0)
			continue;
		found++;
		assert_int_equal(vendor_open(icds[i], &v, &text), VGPU_OK);
		assert_int_equal(v->platform_count, 1);
		assert_true(v->platforms[0].device_count >= 1);
		assert_int_equal(clGetPlatformInfo(v->platforms[0].id,
		    CL_PLATFORM_NAME, sizeof(name), name, NULL), CL_SUCCESS);
		assert_string_equal(name, names[i]);
		vendor_close(v);
	}
	if (found == 0)
		skip();
	clGetPlatformIDs(0, NULL, &n);
	assert_int_equal(n, 0);
}

/* Names that mean more than a library to one loader or the other. */
static void
a_library_may_have_any_name(void **state)
{
	static const char *const names[] = { "lib:two.so", "library.icd" };
	const char *top = getenv("top_builddir");
	char from[PATH_MAX], to[PATH_MAX], line[PATH_MAX + 1];
	struct vendor *v;
	unsigned i;

	(void)state;
	snprintf(from, sizeof(from), "%s/tests/fakecl/.libs/libfakecl.so",
	    top == NULL ? "" : top);
	if (access(from, R_OK) != 0)
		skip();
	for (i = 0; i < 2; i++) {
		snprintf(to, sizeof(to), "%s/%s", folder, names[i]);
		assert_int_equal(symlink(from, to), 0);
		snprintf(line, sizeof(line), "%s\n", to);
		assert_int_equal(vendor_open(icd(line), &v, &text), VGPU_OK);
		assert_int_equal(v->platforms[0].device_count, 1);
		vendor_close(v);
		unlink(to);
	}
}

static void
the_environment_is_as_before(void **state)
{
	static const char *const names[] = { "OCL_ICD_VENDORS",
		"OCL_ICD_FILENAMES" };
	char *before[2];
	struct vendor *v;
	unsigned i;

	(void)state;
	for (i = 0; i < 2; i++) {
		assert_non_null(getenv(names[i]));
		assert_non_null(before[i] = strdup(getenv(names[i])));
	}
	vendor_open(icd("libnothing.so\n"), &v, &text);
	if (vendor_open(POCL, &v, &text) == VGPU_OK)
		vendor_close(v);
	for (i = 0; i < 2; i++) {
		assert_string_equal(getenv(names[i]), before[i]);
		free(before[i]);
	}
}

static int
make_folder(void **state)
{
	(void)state;
	vendor_init();
	return mkdtemp(folder) == NULL ? -1 : 0;
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
		cmocka_unit_test(an_icd_file_names_its_library),
		cmocka_unit_test(vgpus_own_library_is_never_a_vendor),
		cmocka_unit_test(vgpus_own_library_is_known_by_any_name),
		cmocka_unit_test(a_library_that_does_not_load_is_named),
		cmocka_unit_test(vendors_live_side_by_side),
		cmocka_unit_test(a_library_may_have_any_name),
		cmocka_unit_test(the_environment_is_as_before),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
