/* SPDX-License-Identifier: ISC */
#include "hostd/sane.h"

#include <CL/cl.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/log.h"

#define DIMENSIONS_MAX 16
#define ALIGN_BITS 1024u	/* where what is told can't be: a long16 */

/* Numbers: below the least nothing runs; above the most the most is told. */
static const struct rule {
	cl_device_info param;
	const char *name;
	size_t size;
	uint64_t least, most;
} rules[] = {
	{ CL_DEVICE_TYPE, "type", 8, 1, UINT64_MAX },
	{ CL_DEVICE_ADDRESS_BITS, "address bits", 4, 32, 64 },
	{ CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, "number of dimensions", 4, 1,
	    DIMENSIONS_MAX },
	{ CL_DEVICE_MAX_WORK_GROUP_SIZE, "work-group size", 8, 1, 1u << 30 },
	{ CL_DEVICE_MAX_COMPUTE_UNITS, "number of compute units", 4, 1,
	    1u << 20 },
	{ CL_DEVICE_MAX_CLOCK_FREQUENCY, "clock", 4, 0, 100000 },
	{ CL_DEVICE_GLOBAL_MEM_SIZE, "memory", 8, 1, (uint64_t)1 << 50 },
	{ CL_DEVICE_MAX_MEM_ALLOC_SIZE, "largest allocation", 8, 1,
	    (uint64_t)1 << 50 },
	{ CL_DEVICE_LOCAL_MEM_SIZE, "local memory", 8, 0, (uint64_t)1 << 40 },
	{ CL_DEVICE_MAX_PARAMETER_SIZE, "size of arguments", 8, 1, 1u << 24 },
};
#define RULES (sizeof(rules) / sizeof(rules[0]))

static const struct {
	cl_device_info param;
	const char *name;
} texts[] = {
	{ CL_DEVICE_NAME, "name" },
	{ CL_DEVICE_VENDOR, "vendor" },
	{ CL_DRIVER_VERSION, "driver's version" },
	{ CL_DEVICE_PROFILE, "profile" },
	{ CL_DEVICE_VERSION, "version" },
	{ CL_DEVICE_OPENCL_C_VERSION, "version of OpenCL C" },
	{ CL_DEVICE_EXTENSIONS, "extensions" },
	{ CL_DEVICE_BUILT_IN_KERNELS, "built-in kernels" },
};
#define TEXTS (sizeof(texts) / sizeof(texts[0]))

/* ---- what can't be ----------------------------------------------------------- */

static uint64_t
number(const void *p, size_t n)
{
	uint64_t v = 0;
	uint32_t small;

	if (n == sizeof(small)) {
		memcpy(&small, p, n);
		return small;
	}
	memcpy(&v, p, sizeof(v));
	return v;
}

static bool
number_can_be(const struct infoset *told, const struct rule *r,
    struct err_text *text)
{
	const void *p;
	size_t n;

	if ((p = infoset_find(told, r->param, &n)) == NULL || n != r->size) {
		err_set(text, VGPU_ECL, "it does not tell its %s", r->name);
		return false;
	}
	if (number(p, n) >= r->least)
		return true;
	err_set(text, VGPU_ECL, "its %s is %" PRIu64, r->name, number(p, n));
	return false;
}

static bool
item_sizes_can_be(const struct infoset *told, struct err_text *text)
{
	const uint32_t n = infoset_u32(told,
	    CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 0);
	size_t sizes[DIMENSIONS_MAX], bytes = 0;
	const void *p;
	uint32_t i;

	p = infoset_find(told, CL_DEVICE_MAX_WORK_ITEM_SIZES, &bytes);
	if (p == NULL || n > DIMENSIONS_MAX || bytes != n * sizeof(sizes[0])) {
		err_set(text, VGPU_ECL, "it tells %zu bytes of sizes for %"
		    PRIu32 " dimensions", bytes, n);
		return false;
	}
	memcpy(sizes, p, bytes);
	for (i = 0; i < n; i++)
		if (sizes[i] == 0) {
			err_set(text, VGPU_ECL, "a work-item size is 0");
			return false;
		}
	return true;
}

/* A text that ends; the version may have more behind it, and no end. */
static bool
version_can_be(const struct infoset *told, struct err_text *text)
{
	char version[32];
	unsigned major, minor;
	const char *p;
	size_t n = 0;

	p = infoset_find(told, CL_DEVICE_VERSION, &n);
	snprintf(version, sizeof(version), "%.*s", (int)(n < sizeof(version) ?
	    n : sizeof(version)), p != NULL ? p : "");
	if (sscanf(version, "OpenCL %u.%u", &major, &minor) == 2)
		return true;
	err_set(text, VGPU_ECL, "it has no version of OpenCL");
	return false;
}

/* ---- what is told instead ------------------------------------------------------ */

static void
put_number(struct infoset *out, const struct rule *r, uint64_t v,
    const struct infoset *told)
{
	uint64_t most = r->most, memory;

	memory = infoset_u64(told, CL_DEVICE_GLOBAL_MEM_SIZE, most);
	if (r->param == CL_DEVICE_MAX_MEM_ALLOC_SIZE && memory < most)
		most = memory;
	if (v > most) {
		log_warn("a device's %s can't be %" PRIu64 ": told as %"
		    PRIu64, r->name, v, most);
		v = most;
	}
	if (r->size == sizeof(uint32_t))
		infoset_put_u32(out, r->param, (uint32_t)v);
	else
		infoset_put_u64(out, r->param, v);
}

static void
put_align(struct infoset *out, uint32_t bits)
{
	if (bits < 8 || (bits & (bits - 1)) != 0) {
		log_warn("a device's alignment can't be %" PRIu32 " bits: told "
		    "as %u", bits, ALIGN_BITS);
		bits = ALIGN_BITS;
	}
	infoset_put_u32(out, CL_DEVICE_MEM_BASE_ADDR_ALIGN, bits);
}

/* A text without its end, with one; false: it is none. */
static bool
put_text(struct infoset *out, uint32_t param, const char *p, size_t n)
{
	char *copy;
	size_t i;

	for (i = 0; i < TEXTS && texts[i].param != param; i++)
		;
	if (i == TEXTS || n == 0 || p[n - 1] == '\0')
		return false;
	log_warn("a device's %s has no end: told as it is, with one",
	    texts[i].name);
	if ((copy = calloc(1, n + 1)) == NULL)
		return true;
	memcpy(copy, p, n);
	infoset_put(out, param, copy, n + 1);
	free(copy);
	return true;
}

static void
put(struct infoset *out, uint32_t param, const void *p, size_t n,
    const struct infoset *told)
{
	size_t i;

	for (i = 0; i < RULES; i++)
		if (rules[i].param == param) {
			put_number(out, &rules[i], number(p, n), told);
			return;
		}
	if (param == CL_DEVICE_MEM_BASE_ADDR_ALIGN && n == sizeof(uint32_t))
		put_align(out, (uint32_t)number(p, n));
	else if (!put_text(out, param, p, n))
		infoset_put(out, param, p, n);
}

bool
sane_device(struct infoset *out, const struct infoset *told,
    struct err_text *text)
{
	uint32_t param;
	const void *p;
	size_t at = 0, n, i;

	for (i = 0; i < RULES; i++)
		if (!number_can_be(told, &rules[i], text))
			return false;
	if (!item_sizes_can_be(told, text) || !version_can_be(told, text))
		return false;
	if (infoset_u32(told, CL_DEVICE_AVAILABLE, CL_TRUE) == CL_FALSE) {
		err_set(text, VGPU_ECL, "it is not available");
		return false;
	}
	while ((p = infoset_next(told, &at, &param, &n)) != NULL)
		put(out, param, p, n, told);
	return true;
}
