/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static void
types(struct world *w)
{
	cl_device_id list[16] = { NULL };
	cl_device_type type = world_info(w, CL_DEVICE_TYPE);
	cl_device_type other = type & CL_DEVICE_TYPE_ACCELERATOR ?
	    CL_DEVICE_TYPE_CUSTOM : CL_DEVICE_TYPE_ACCELERATOR;
	cl_uint n = 77;

	WANT(w, "no type", clGetDeviceIDs(w->platform, 0, 16, list, &n),
	    CL_INVALID_DEVICE_TYPE);
	WANT(w, "unknown type", clGetDeviceIDs(w->platform, NO_SUCH_BIT, 16,
	    list, &n), CL_INVALID_DEVICE_TYPE);
	WANT(w, "unknown type and a known one", clGetDeviceIDs(w->platform,
	    NO_SUCH_BIT | CL_DEVICE_TYPE_CPU, 16, list, &n),
	    CL_INVALID_DEVICE_TYPE);
	WANT(w, "type of no device", clGetDeviceIDs(w->platform, other, 16,
	    list, &n), CL_DEVICE_NOT_FOUND, CL_SUCCESS);
	IS(w, "the device is found by its type", clGetDeviceIDs(w->platform,
	    type, 16, list, &n) == CL_SUCCESS && n > 0);
	/* Programs that keep types in an int get there: OpenCV does. */
	IS(w, "all 64 bits are every type", clGetDeviceIDs(w->platform,
	    ~(cl_device_type)0, 16, list, &n) == CL_SUCCESS && n > 0);
	IS(w, "there is one default device", clGetDeviceIDs(w->platform,
	    CL_DEVICE_TYPE_DEFAULT, 16, list, &n) == CL_SUCCESS && n == 1);
}

void
check_clGetDeviceIDs(struct world *w)
{
	const cl_device_type all = CL_DEVICE_TYPE_ALL;
	cl_device_id list[64] = { NULL };
	cl_platform_id none = (cl_platform_id)w->context;
	cl_uint n = 77;

	/* "If platform is NULL, the behavior is implementation-defined." */
	WANT(w, "no platform", clGetDeviceIDs(NULL, all, 1, list, &n),
	    CL_INVALID_PLATFORM, CL_SUCCESS);
	WANT(w, "platform of another kind", clGetDeviceIDs(none, all, 1, list,
	    &n), CL_INVALID_PLATFORM);
	n = 77;
	list[0] = NULL;
	WANT(w, "room for none", clGetDeviceIDs(w->platform, all, 0, list,
	    &n), CL_INVALID_VALUE);
	IS(w, "room for none writes nothing", n == 77 && list[0] == NULL);
	WANT(w, "no place for anything", clGetDeviceIDs(w->platform, all, 0,
	    NULL, NULL), CL_INVALID_VALUE);
	WANT(w, "no place, of some entries", clGetDeviceIDs(w->platform, all,
	    1, NULL, NULL), CL_INVALID_VALUE);
	WANT(w, "the number alone", clGetDeviceIDs(w->platform, all, 0, NULL,
	    &n), CL_SUCCESS);
	WANT(w, "devices without number", clGetDeviceIDs(w->platform, all, 64,
	    list, NULL), CL_SUCCESS);
	IS(w, "as many as were said", n > 0 && n < 64 &&
	    list[n - 1] != NULL && list[n] == NULL);
	types(w);
}
