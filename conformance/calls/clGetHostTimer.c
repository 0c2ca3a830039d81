/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

void
check_clGetHostTimer(struct world *w)
{
	cl_ulong device = 0, first = 0, between = 0, last = 0, resolution = 0;

	if (older(w, 21))
		return;
	WANT_HANDLE(w, "device", cl_device_id, clGetHostTimer(h, &first),
	    CL_INVALID_DEVICE);
	clGetPlatformInfo(w->platform, CL_PLATFORM_HOST_TIMER_RESOLUTION,
	    sizeof(resolution), &resolution, NULL);
	if (resolution == 0) {
		WANT(w, "there are no timers", clGetHostTimer(w->device,
		    &first), CL_INVALID_OPERATION);
		WANT(w, "no timers, nor a place", clGetHostTimer(w->device,
		    NULL), CL_INVALID_OPERATION);
		return;
	}
	WANT(w, "no place", clGetHostTimer(w->device, NULL),
	    CL_INVALID_VALUE);
	WANT(w, "a time", clGetHostTimer(w->device, &first), CL_SUCCESS);
	WANT(w, "with the device's", clGetDeviceAndHostTimer(w->device,
	    &device, &between), CL_SUCCESS);
	WANT(w, "a later time", clGetHostTimer(w->device, &last), CL_SUCCESS);
	IS(w, "it is one clock", first > 0 && first <= between &&
	    between <= last);
}
