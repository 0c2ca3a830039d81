/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

typedef cl_program (*create_il)(cl_context, const void *, size_t, cl_int *);

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
	create = (create_il)extension(w, "cl_khr_il_program",
	    "clCreateProgramWithILKHR");
	if (create != NULL)
		WANT_NEW(w, "a function is the one of that name", create(
		    w->context, NULL, 4, &w->err), CL_INVALID_VALUE);
}
