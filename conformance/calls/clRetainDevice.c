/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static cl_uint
count(cl_device_id d)
{
	cl_uint n = 0;

	clGetDeviceInfo(d, CL_DEVICE_REFERENCE_COUNT, sizeof(n), &n, NULL);
	return n;
}

void
check_clRetainDevice(struct world *w)
{
	if (older(w, 12))
		return;
	WANT_HANDLE(w, "device", cl_device_id, clRetainDevice(h),
	    CL_INVALID_DEVICE);
	WANT(w, "a root device", clRetainDevice(w->device), CL_SUCCESS);
	IS(w, "a root device is not counted", count(w->device) == 1);
	if (w->stranger == NULL) {
		skip(w, "a sub-device", "the device has no parts");
		return;
	}
	IS(w, "a new sub-device has one reference", count(w->stranger) == 1);
	WANT(w, "a sub-device", clRetainDevice(w->stranger), CL_SUCCESS);
	IS(w, "it has one reference more", count(w->stranger) == 2);
	clReleaseDevice(w->stranger);
	IS(w, "and one less after its release", count(w->stranger) == 1);
}
