/* SPDX-License-Identifier: ISC */
/*
 * queries - what devices, contexts of them, kernels and programs tell of
 * themselves.
 *
 * Every value that param_name can have within 16 bits is asked for, so that
 * nothing depends on a list of names.  Each line is a value that the device
 * has.  Run natively and through vgpu, the lines must be the same but for what
 * has a reason.  With an argument, only calls of extensions are asked.
 */
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/queries.h"

#define PARAMS 0x10000u
#define VALUE_MAX (1u << 20)

static unsigned char value[VALUE_MAX] __attribute__((aligned(16)));

static void
fail(const char *what, cl_int code)
{
	fprintf(stderr, "queries: %s: OpenCL error %d\n", what, code);
	exit(1);
}

void
must(cl_int code, const char *what)
{
	if (code != CL_SUCCESS)
		fail(what, code);
}

/* ---- printing ---------------------------------------------------------- */

static int
is_text(const unsigned char *p, size_t n)
{
	size_t i;

	if (n < 2 || p[n - 1] != '\0')
		return 0;
	for (i = 0; i + 1 < n; i++)
		if (p[i] < ' ' || p[i] > '~')
			return 0;
	return 1;
}

static int
is_names(unsigned param)
{
	return param == CL_PLATFORM_EXTENSIONS_WITH_VERSION ||
	    param == CL_DEVICE_EXTENSIONS_WITH_VERSION ||
	    param == CL_DEVICE_ILS_WITH_VERSION ||
	    param == CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION ||
	    param == CL_DEVICE_OPENCL_C_ALL_VERSIONS ||
	    param == CL_DEVICE_OPENCL_C_FEATURES;
}

static int
is_handle(unsigned param)
{
	return param == CL_DEVICE_PLATFORM || param == CL_DEVICE_PARENT_DEVICE;
}

static void
print_words(const char *who, unsigned param, char *text)
{
	char *word, *rest = text;

	while ((word = strtok_r(rest, " ", &rest)) != NULL)
		printf("%s 0x%04x word %s\n", who, param, word);
}

/* OpenCL 3.1's queries of SPIR-V, which older headers do not name. */
static int
is_strings(unsigned param)
{
	return param == 0x12B9 || param == 0x12BA;
}

static void
print_strings(const char *who, unsigned param, const void *p, size_t n)
{
	const char *const *list = p;
	size_t i;

	for (i = 0; i < n / sizeof(*list); i++)
		printf("%s 0x%04x string %s\n", who, param, list[i]);
}

static void
print_names(const char *who, unsigned param, const unsigned char *p, size_t n)
{
	cl_name_version v;

	for (; n >= sizeof(v); p += sizeof(v), n -= sizeof(v)) {
		memcpy(&v, p, sizeof(v));
		printf("%s 0x%04x name %.64s 0x%x\n", who, param, v.name,
		    v.version);
	}
}

static void
print_bytes(const unsigned char *p, size_t n)
{
	size_t i;

	for (i = 0; i < n && i < 128; i++)
		printf("%02x", p[i]);
	printf("%s\n", n > i ? "..." : "");
}

void
print_value(const char *who, unsigned param, const void *p, size_t n)
{
	if (n == 0)
		printf("%s 0x%04x empty\n", who, param);
	else if (is_handle(param))
		printf("%s 0x%04x handle of %zu bytes\n", who, param, n);
	else if (is_names(param))
		print_names(who, param, p, n);
	else if (is_strings(param))
		print_strings(who, param, p, n);
	else if (param == CL_DEVICE_EXTENSIONS ||
	    param == CL_PLATFORM_EXTENSIONS)
		print_words(who, param, (char *)value);
	else if (is_text(p, n))
		printf("%s 0x%04x text \"%s\"\n", who, param,
		    (const char *)p);
	else {
		printf("%s 0x%04x bytes ", who, param);
		print_bytes(p, n);
	}
}

/* ---- sweeps ------------------------------------------------------------ */

/* An unknown name has one code; any other is worth a line. */
static void
print_answer(const char *who, unsigned param, cl_int code, size_t n)
{
	if (code == CL_SUCCESS && n <= VALUE_MAX)
		print_value(who, param, value, n);
	else if (code != CL_INVALID_VALUE)
		printf("%s 0x%04x error %d\n", who, param, code);
}

static void
sweep_device(cl_device_id d)
{
	unsigned param;
	size_t n;
	cl_int code;

	for (param = 0; param < PARAMS; param++) {
		n = 0;
		code = clGetDeviceInfo(d, param, VALUE_MAX, value, &n);
		print_answer("device", param, code, n);
	}
}

static void
sweep_platform(cl_platform_id p)
{
	unsigned param;
	size_t n;
	cl_int code;

	for (param = 0; param < PARAMS; param++) {
		n = 0;
		code = clGetPlatformInfo(p, param, VALUE_MAX, value, &n);
		print_answer("platform", param, code, n);
	}
}

int
main(int argc, char **argv)
{
	cl_platform_id platform;
	cl_device_id device[16];
	cl_uint n, i;

	must(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
	must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 16, device, &n),
	    "clGetDeviceIDs");
	(void)argv;
	if (argc == 1)
		sweep_platform(platform);
	for (i = 0; i < n; i++) {
		if (argc == 1) {
			sweep_device(device[i]);
			queries_of_kernels(platform, device[i]);
		}
		queries_of_extensions(platform, device[i]);
	}
	return 0;
}
