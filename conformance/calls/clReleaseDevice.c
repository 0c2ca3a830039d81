/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

void
check_clReleaseDevice(struct world *w)
{
	if (older(w, 12))
		return;
	WANT_HANDLE(w, "device", cl_device_id, clReleaseDevice(h),
	    CL_INVALID_DEVICE);
	WANT(w, "a root device", clReleaseDevice(w->device), CL_SUCCESS);
	WANT(w, "a root device again", clReleaseDevice(w->device),
	    CL_SUCCESS);
	if (w->stranger == NULL) {
		skip(w, "a sub-device", "the device has no parts");
		return;
	}
	WANT(w, "a sub-device", clReleaseDevice(w->stranger), CL_SUCCESS);
	w->stranger = NULL;
}
