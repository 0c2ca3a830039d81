/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

void
check_clGetDeviceAndHostTimer(struct world *w)
{
	cl_ulong d = 0, h2 = 0, host = 0, later = 0, resolution = 0;

	if (older(w, 21))
		return;
	WANT_HANDLE(w, "device", cl_device_id, clGetDeviceAndHostTimer(h, &d,
	    &host), CL_INVALID_DEVICE);
	IS(w, "nothing was written", d == 0 && host == 0);
	clGetPlatformInfo(w->platform, CL_PLATFORM_HOST_TIMER_RESOLUTION,
	    sizeof(resolution), &resolution, NULL);
	if (resolution == 0) {
		WANT(w, "there are no timers", clGetDeviceAndHostTimer(
		    w->device, &d, &host), CL_INVALID_OPERATION);
		WANT(w, "no timers, nor places", clGetDeviceAndHostTimer(
		    w->device, NULL, NULL), CL_INVALID_OPERATION);
		return;
	}
	WANT(w, "no place for the device's", clGetDeviceAndHostTimer(
	    w->device, NULL, &host), CL_INVALID_VALUE);
	WANT(w, "no place for the host's", clGetDeviceAndHostTimer(w->device,
	    &d, NULL), CL_INVALID_VALUE);
	WANT(w, "both", clGetDeviceAndHostTimer(w->device, &d, &host),
	    CL_SUCCESS);
	WANT(w, "both again", clGetDeviceAndHostTimer(w->device, &later, &h2),
	    CL_SUCCESS);
	IS(w, "time goes forward", d > 0 && later >= d && host > 0 &&
	    h2 >= host);
}
