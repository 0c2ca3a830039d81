/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

typedef cl_context_properties property;

static void CL_CALLBACK
notify(const char *text, const void *info, size_t n, void *data)
{
	(void)text, (void)info, (void)n, (void)data;
}

static cl_context
make(struct world *w, const property *p)
{
	return clCreateContext(p, 1, &w->device, NULL, NULL, &w->err);
}

static void
properties(struct world *w)
{
	const property platform = (property)w->platform;
	const property unknown[] = { NO_SUCH_NAME, 1, 0 };
	const property twice[] = { CL_CONTEXT_PLATFORM, platform,
		CL_CONTEXT_PLATFORM, platform, 0 };
	const property no_platform[] = { CL_CONTEXT_PLATFORM, 0, 0 };
	const property wrong[] = { CL_CONTEXT_PLATFORM, (property)w->queue,
		0 };
	const property sync[] = { CL_CONTEXT_PLATFORM, platform,
		CL_CONTEXT_INTEROP_USER_SYNC, 7, 0 };
	const property sync_twice[] = { CL_CONTEXT_INTEROP_USER_SYNC,
		CL_FALSE, CL_CONTEXT_INTEROP_USER_SYNC, CL_FALSE, 0 };

	WANT_NEW(w, "unknown property", make(w, unknown),
	    CL_INVALID_PROPERTY);
	WANT_NEW(w, "platform twice", make(w, twice), CL_INVALID_PROPERTY);
	WANT_NEW(w, "no platform", make(w, no_platform), CL_INVALID_PLATFORM);
	WANT_NEW(w, "platform of another kind", make(w, wrong),
	    CL_INVALID_PLATFORM);
	WANT_NEW(w, "user synchronization neither true nor false",
	    make(w, sync), CL_INVALID_PROPERTY);
	WANT_NEW(w, "user synchronization twice", make(w, sync_twice),
	    CL_INVALID_PROPERTY);
}

static void
right(struct world *w)
{
	const property list[] = { CL_CONTEXT_PLATFORM, (property)w->platform,
		CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0 };
	const property empty[] = { 0 };
	const cl_device_id twice[] = { w->device, w->device };
	property got[8] = { 0 };
	cl_context c = NULL;
	cl_uint n = 0;
	size_t size = 0;

	WANT_NEW(w, "all properties", c = make(w, list), CL_SUCCESS);
	if (c != NULL) {
		must(clGetContextInfo(c, CL_CONTEXT_PROPERTIES, sizeof(got),
		    got, &size), "CL_CONTEXT_PROPERTIES");
		IS(w, "they are told as they were", size == sizeof(list) &&
		    got[0] == list[0] && got[1] == list[1] &&
		    got[2] == list[2] && got[3] == list[3] && got[4] == 0);
		clReleaseContext(c);
	}
	WANT_NEW(w, "an empty list", c = make(w, empty), CL_SUCCESS);
	if (c != NULL)
		clReleaseContext(c);
	WANT_NEW(w, "with a callback", c = clCreateContext(NULL, 1,
	    &w->device, notify, w, &w->err), CL_SUCCESS);
	if (c != NULL)
		clReleaseContext(c);
	c = NULL;
	WANT_NEW(w, "a device twice", c = clCreateContext(NULL, 2, twice,
	    NULL, NULL, &w->err), CL_SUCCESS);
	if (c != NULL) {
		clGetContextInfo(c, CL_CONTEXT_NUM_DEVICES, sizeof(n), &n,
		    NULL);
		IS(w, "it counts once", n == 1);
		clReleaseContext(c);
	}
}

void
check_clCreateContext(struct world *w)
{
	cl_device_id none = NULL, wrong = (cl_device_id)w->queue, mixed[2];
	cl_context c = NULL;

	WANT_NEW(w, "no devices", clCreateContext(NULL, 0, &w->device, NULL,
	    NULL, &w->err), CL_INVALID_VALUE);
	WANT_NEW(w, "devices nowhere", clCreateContext(NULL, 1, NULL, NULL,
	    NULL, &w->err), CL_INVALID_VALUE);
	WANT_NEW(w, "user data without callback", clCreateContext(NULL, 1,
	    &w->device, NULL, w, &w->err), CL_INVALID_VALUE);
	WANT_NEW(w, "no device", clCreateContext(NULL, 1, &none, NULL, NULL,
	    &w->err), CL_INVALID_DEVICE);
	WANT_NEW(w, "device of another kind", clCreateContext(NULL, 1, &wrong,
	    NULL, NULL, &w->err), CL_INVALID_DEVICE);
	mixed[0] = w->device;
	mixed[1] = wrong;
	WANT_NEW(w, "second device of another kind", clCreateContext(NULL, 2,
	    mixed, NULL, NULL, &w->err), CL_INVALID_DEVICE);
	properties(w);
	right(w);
	IS(w, "without errcode_ret, failing", clCreateContext(NULL, 0, NULL,
	    NULL, NULL, NULL) == NULL);
	IS(w, "without errcode_ret", (c = clCreateContext(NULL, 1, &w->device,
	    NULL, NULL, NULL)) != NULL);
	if (c != NULL)
		clReleaseContext(c);
}
