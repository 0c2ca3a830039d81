/* SPDX-License-Identifier: ISC */
#include <string.h>

#include "conformance/calls/calls.h"

typedef cl_program (*create_il)(cl_context, const void *, size_t, cl_int *);

static bool
has_extension(struct world *w, const char *name)
{
	static char text[16384];

	text[0] = '\0';
	clGetDeviceInfo(w->device, CL_DEVICE_EXTENSIONS, sizeof(text) - 1,
	    text, NULL);
	return strstr(text, name) != NULL;
}

static void *
find(cl_platform_id p, const char *name)
{
	return clGetExtensionFunctionAddressForPlatform(p, name);
}

void
check_clGetExtensionFunctionAddressForPlatform(struct world *w)
{
	create_il create;

	if (older(w, 12))
		return;
	IS(w, "platform of another kind", find((cl_platform_id)w->context,
	    "clCreateProgramWithILKHR") == NULL);
	IS(w, "an unknown name", find(w->platform, "clNoSuchFunctionXYZ") ==
	    NULL);
	IS(w, "an empty name", find(w->platform, "") == NULL);
	if (!has_extension(w, "cl_khr_il_program")) {
		skip(w, "a function", "the device has no cl_khr_il_program");
		return;
	}
	create = (create_il)find(w->platform, "clCreateProgramWithILKHR");
	IS(w, "a function of an extension", create != NULL);
	if (create != NULL)
		WANT_NEW(w, "it is the function of that name", create(
		    w->context, NULL, 4, &w->err), CL_INVALID_VALUE);
}
