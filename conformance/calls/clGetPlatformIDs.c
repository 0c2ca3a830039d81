/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

void
check_clGetPlatformIDs(struct world *w)
{
	cl_platform_id list[16] = { NULL };
	cl_uint n = 77;

	WANT(w, "no place for anything", clGetPlatformIDs(0, NULL, NULL),
	    CL_INVALID_VALUE);
	WANT(w, "no place, of some entries", clGetPlatformIDs(1, NULL, NULL),
	    CL_INVALID_VALUE);
	WANT(w, "room for none", clGetPlatformIDs(0, list, &n),
	    CL_INVALID_VALUE);
	IS(w, "room for none writes nothing", n == 77 && list[0] == NULL);
	WANT(w, "the number alone", clGetPlatformIDs(0, NULL, &n), CL_SUCCESS);
	IS(w, "the number is at least one", n > 0 && n != 77);
	WANT(w, "the first alone", clGetPlatformIDs(1, list, NULL),
	    CL_SUCCESS);
	IS(w, "the first is always the same", list[0] == w->platform);
	WANT(w, "more room than platforms", clGetPlatformIDs(16, list, &n),
	    CL_SUCCESS);
	IS(w, "what is beyond them is left", n >= 16 || list[n] == NULL);
}
