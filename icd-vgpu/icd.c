/* SPDX-License-Identifier: ISC */
/*
 * The three functions that loaders look up in the library (cl_khr_icd); all
 * others are reached through the dispatch table of the objects.
 */
#include "icd-vgpu/calls.h"

#include <string.h>

#include "icd-vgpu/platform.h"

#define ICD_EXPORT __attribute__((visibility("default")))

/* By it vgpu's host knows this library under any file name (its vendor.h). */
#define MARKER "vgpuIcdMarker"

ICD_EXPORT cl_int clIcdGetPlatformIDsKHR(cl_uint, cl_platform_id *, cl_uint *);
ICD_EXPORT void *clGetExtensionFunctionAddress(const char *);
ICD_EXPORT cl_int clGetPlatformInfo(cl_platform_id, cl_platform_info, size_t,
    void *, size_t *);

cl_int
clIcdGetPlatformIDsKHR(cl_uint num_entries, cl_platform_id *platforms,
    cl_uint *num_platforms)
{
	return icd_clGetPlatformIDs(num_entries, platforms, num_platforms);
}

void *
clGetExtensionFunctionAddress(const char *name)
{
	return icd_clGetExtensionFunctionAddress(name);
}

cl_int
clGetPlatformInfo(cl_platform_id platform, cl_platform_info param, size_t size,
    void *value, size_t *size_ret)
{
	return icd_clGetPlatformInfo(platform, param, size, value, size_ret);
}

void *
icd_clGetExtensionFunctionAddress(const char *func_name)
{
	const char *extension = NULL;
	void *function;

	if (func_name == NULL)
		return NULL;
	if (strcmp(func_name, "clIcdGetPlatformIDsKHR") == 0 ||
	    strcmp(func_name, MARKER) == 0)
		return (void *)clIcdGetPlatformIDsKHR;
	function = icd_function(func_name, &extension);
	if (extension != NULL && !platform_has_extension(extension))
		return NULL;
	return function;
}

void *
icd_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
    const char *func_name)
{
	if (object_check(platform, OBJ_PLATFORM) == NULL)
		return NULL;
	return icd_clGetExtensionFunctionAddress(func_name);
}
