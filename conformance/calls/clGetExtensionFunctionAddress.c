/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

void
check_clGetExtensionFunctionAddress(struct world *w)
{
	IS(w, "an unknown name",
	    clGetExtensionFunctionAddress("clNoSuchFunctionXYZ") == NULL);
	IS(w, "an empty name", clGetExtensionFunctionAddress("") == NULL);
}
