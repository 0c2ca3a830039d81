/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

void
check_clUnloadPlatformCompiler(struct world *w)
{
	if (older(w, 12))
		return;
	/* Null is for the loader, which may take it for a platform. */
	WANT(w, "platform of another kind", clUnloadPlatformCompiler(
	    (cl_platform_id)w->context), CL_INVALID_PLATFORM);
	WANT(w, "a platform", clUnloadPlatformCompiler(w->platform),
	    CL_SUCCESS);
	IS(w, "programs can be built behind it", world_program(w) != NULL);
}
