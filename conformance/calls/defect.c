/* SPDX-License-Identifier: ISC */
#include "conformance/calls/defect.h"

#include <string.h>

bool
pocl_crashes(struct world *w, const char *what)
{
	char version[256] = "";

	must(clGetDeviceInfo(w->device, CL_DRIVER_VERSION, sizeof(version),
	    version, NULL), "CL_DRIVER_VERSION");
	if (strncmp(version, "3.", 2) != 0)
		return false;
	must(clGetDeviceInfo(w->device, CL_DEVICE_VERSION, sizeof(version),
	    version, NULL), "CL_DEVICE_VERSION");
	if (strstr(version, "PoCL") == NULL &&
	    strstr(version, "pocl") == NULL)
		return false;
	skip(w, what, "PoCL 3 crashes");
	return true;
}
