/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

typedef cl_context_properties property;

static cl_context
make(struct world *w, const property *p, cl_device_type type)
{
	return clCreateContextFromType(p, type, NULL, NULL, &w->err);
}

static void
types(struct world *w, const property *p)
{
	cl_uint n;

	WANT_NEW(w, "no type", make(w, p, 0), CL_INVALID_DEVICE_TYPE);
	WANT_NEW(w, "unknown type", make(w, p, NO_SUCH_BIT),
	    CL_INVALID_DEVICE_TYPE);
	if (clGetDeviceIDs(w->platform, CL_DEVICE_TYPE_ACCELERATOR, 0, NULL,
	    &n) == CL_DEVICE_NOT_FOUND)
		WANT_NEW(w, "type of no device", make(w, p,
		    CL_DEVICE_TYPE_ACCELERATOR), CL_DEVICE_NOT_FOUND);
}

static void
properties(struct world *w, cl_device_type type)
{
	const property platform = (property)w->platform;
	const property unknown[] = { CL_CONTEXT_PLATFORM, platform,
		NO_SUCH_NAME, 1, 0 };
	const property twice[] = { CL_CONTEXT_PLATFORM, platform,
		CL_CONTEXT_PLATFORM, platform, 0 };
	const property no_platform[] = { CL_CONTEXT_PLATFORM, 0, 0 };
	const property wrong[] = { CL_CONTEXT_PLATFORM, (property)w->queue,
		0 };
	const property sync[] = { CL_CONTEXT_PLATFORM, platform,
		CL_CONTEXT_INTEROP_USER_SYNC, 7, 0 };

	WANT_NEW(w, "unknown property", make(w, unknown, type),
	    CL_INVALID_PROPERTY);
	WANT_NEW(w, "platform twice", make(w, twice, type),
	    CL_INVALID_PROPERTY);
	WANT_NEW(w, "no platform", make(w, no_platform, type),
	    CL_INVALID_PLATFORM);
	WANT_NEW(w, "platform of another kind", make(w, wrong, type),
	    CL_INVALID_PLATFORM);
	WANT_NEW(w, "user synchronization neither true nor false",
	    make(w, sync, type), CL_INVALID_PROPERTY);
}

void
check_clCreateContextFromType(struct world *w)
{
	const property list[] = { CL_CONTEXT_PLATFORM, (property)w->platform,
		0 };
	const cl_device_type type = world_info(w, CL_DEVICE_TYPE);
	cl_context c = NULL;

	WANT_NEW(w, "user data without callback", clCreateContextFromType(
	    list, type, NULL, w, &w->err), CL_INVALID_VALUE);
	types(w, list);
	properties(w, type);
	WANT_NEW(w, "of the device's type", c = make(w, list, type),
	    CL_SUCCESS);
	if (c != NULL)
		clReleaseContext(c);
	c = NULL;
	WANT_NEW(w, "of the default type", c = make(w, list,
	    CL_DEVICE_TYPE_DEFAULT), CL_SUCCESS);
	if (c != NULL)
		clReleaseContext(c);
	IS(w, "without errcode_ret, failing", clCreateContextFromType(list, 0,
	    NULL, NULL, NULL) == NULL);
}
