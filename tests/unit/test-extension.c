/* SPDX-License-Identifier: ISC */
#include "hostd/extension.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "protocol/khr.h"

#define SUGGESTED "cl_khr_suggested_local_work_size"

static struct vendor_platform platform;
static struct infoset told, shown;

static void
a_function(void)
{
}

/* A device with these extensions, all of version 1.0.v. */
static void
tell(struct infoset *d, const char *version, const char *names, cl_version v)
{
	char copy[256], *name, *rest;
	cl_name_version list[8] = { 0 };
	size_t n = 0;

	infoset_init(d);
	infoset_put_text(d, CL_DEVICE_VERSION, version);
	infoset_put_text(d, CL_DEVICE_EXTENSIONS, names);
	strcpy(copy, names);
	for (name = strtok_r(copy, " ", &rest); name != NULL;
	    name = strtok_r(NULL, " ", &rest)) {
		list[n].version = CL_MAKE_VERSION(1, 0, v);
		strcpy(list[n++].name, name);
	}
	infoset_put(d, CL_DEVICE_EXTENSIONS_WITH_VERSION, list,
	    n * sizeof(*list));
}

static void
filter(const char *names)
{
	tell(&told, "OpenCL 1.1 old", names, 3);
	infoset_init(&shown);
	extension_filter(&shown, &told, &platform);
}

static int
clean(void **state)
{
	(void)state;
	memset(&platform, 0, sizeof(platform));
	return 0;
}

static int
forget(void **state)
{
	(void)state;
	infoset_fini(&told);
	infoset_fini(&shown);
	return 0;
}

static void
what_is_not_carried_is_hidden(void **state)
{
	(void)state;
	filter(" cl_khr_gl_sharing cl_khr_fp64  cl_khr_fp640 cl_khr ");
	assert_string_equal(infoset_text(&shown, CL_DEVICE_EXTENSIONS, ""),
	    "cl_khr_fp64");
	assert_string_equal(infoset_text(&shown, CL_DEVICE_VERSION, ""),
	    "OpenCL 1.1 old");
}

static void
a_star_stands_for_any_rest(void **state)
{
	(void)state;
	filter("cl_khr_subgroup_shuffle cl_khr_subgroups cl_khr_subgrou");
	assert_string_equal(infoset_text(&shown, CL_DEVICE_EXTENSIONS, ""),
	    "cl_khr_subgroup_shuffle cl_khr_subgroups");
}

static void
calls_need_the_vendors_functions(void **state)
{
	(void)state;
	filter(SUGGESTED " cl_khr_fp16");
	assert_string_equal(infoset_text(&shown, CL_DEVICE_EXTENSIONS, ""),
	    "cl_khr_fp16");
	forget(NULL);
	platform.functions[FUNCTION_clGetKernelSuggestedLocalWorkSizeKHR] =
	    a_function;
	filter(SUGGESTED " cl_khr_fp16");
	assert_string_equal(infoset_text(&shown, CL_DEVICE_EXTENSIONS, ""),
	    SUGGESTED " cl_khr_fp16");
}

static void
versions_are_the_vendors(void **state)
{
	const cl_name_version *v;
	size_t n;

	(void)state;
	filter(SUGGESTED " cl_khr_fp16");
	v = infoset_find(&shown, CL_DEVICE_EXTENSIONS_WITH_VERSION, &n);
	assert_non_null(v);
	assert_int_equal(n, sizeof(*v));
	assert_string_equal(v->name, "cl_khr_fp16");
	assert_int_equal(v->version, CL_MAKE_VERSION(1, 0, 3));
}

static void
vgpus_own_take_the_place_of_the_vendors(void **state)
{
	const cl_name_version *v;
	size_t n;

	(void)state;
	tell(&told, "OpenCL 1.2", "cl_khr_command_buffer cl_khr_fp64", 1);
	infoset_put_u64(&told, CL_DEVICE_QUEUE_PROPERTIES,
	    CL_QUEUE_PROFILING_ENABLE);
	infoset_init(&shown);
	extension_filter(&shown, &told, &platform);
	assert_true(extension_has(&shown, "cl_khr_command_buffer", 21));
	assert_string_equal(infoset_text(&shown, CL_DEVICE_EXTENSIONS, "") +
	    strlen("cl_khr_fp64 "), "cl_khr_command_buffer"
	    " cl_khr_command_buffer_mutable_dispatch cl_khr_semaphore");
	v = infoset_find(&shown, CL_DEVICE_EXTENSIONS_WITH_VERSION, &n);
	assert_non_null(v);
	assert_int_equal(n, 4 * sizeof(*v));
	assert_string_equal(v[1].name, "cl_khr_command_buffer");
	assert_int_equal(v[1].version, CL_MAKE_VERSION(0, 9, 8));
	assert_int_equal(infoset_u64(&shown,
	    CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR, 0),
	    CL_QUEUE_PROFILING_ENABLE);
}

static void
the_platform_has_what_all_devices_have(void **state)
{
	const struct infoset *both[] = { &told, &shown };
	const cl_name_version *v;
	struct infoset out;
	size_t n;

	(void)state;
	tell(&told, "OpenCL 3.0", "cl_khr_fp16 cl_khr_fp64 cl_khr_icd", 5);
	tell(&shown, "OpenCL 3.0", "cl_khr_icd cl_khr_fp64 cl_khr_spir", 4);
	infoset_init(&out);
	extension_common(&out, both, 2, true);
	assert_string_equal(infoset_text(&out, CL_PLATFORM_EXTENSIONS, ""),
	    "cl_khr_icd cl_khr_fp64");
	v = infoset_find(&out, CL_PLATFORM_EXTENSIONS_WITH_VERSION, &n);
	assert_non_null(v);
	assert_int_equal(n, 2 * sizeof(*v));
	assert_string_equal(v[1].name, "cl_khr_fp64");
	assert_int_equal(v[1].version, CL_MAKE_VERSION(1, 0, 4));
	infoset_fini(&out);
}

static void
a_platform_without_devices_has_only_its_own(void **state)
{
	struct infoset out;
	size_t n;

	(void)state;
	infoset_init(&out);
	extension_common(&out, NULL, 0, false);
	assert_string_equal(infoset_text(&out, CL_PLATFORM_EXTENSIONS, ""),
	    "cl_khr_icd");
	assert_null(infoset_find(&out, CL_PLATFORM_EXTENSIONS_WITH_VERSION,
	    &n));
	infoset_fini(&out);
}

static void
names_are_compared_whole(void **state)
{
	(void)state;
	tell(&told, "OpenCL 3.0", "cl_khr_fp64 cl_khr_il_program", 0);
	assert_true(extension_has(&told, "cl_khr_il_program", 17));
	assert_true(extension_has(&told, "cl_khr_fp64_not", 11));
	assert_false(extension_has(&told, "cl_khr_fp6", 10));
	assert_false(extension_has(&told, "khr_il_program", 14));
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, clean, forget)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(what_is_not_carried_is_hidden),
		CASE(a_star_stands_for_any_rest),
		CASE(calls_need_the_vendors_functions),
		CASE(versions_are_the_vendors),
		CASE(vgpus_own_take_the_place_of_the_vendors),
		CASE(the_platform_has_what_all_devices_have),
		CASE(a_platform_without_devices_has_only_its_own),
		CASE(names_are_compared_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
