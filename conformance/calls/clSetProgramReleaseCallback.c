/* SPDX-License-Identifier: ISC */
#include "conformance/calls/calls.h"

static void CL_CALLBACK
released(cl_program p, void *data)
{
	(void)p, (void)data;
}

void
check_clSetProgramReleaseCallback(struct world *w)
{
	cl_program p = world_program(w);

	if (older(w, 22))
		return;
	WANT_HANDLE(w, "program", cl_program, clSetProgramReleaseCallback(h,
	    released, NULL), CL_INVALID_PROGRAM);
	WANT(w, "no function", clSetProgramReleaseCallback(p, NULL, NULL),
	    CL_INVALID_VALUE, CL_INVALID_OPERATION);
	/* No device of 3.0 has destructors of program scope. */
	if (w->version >= 30)
		WANT(w, "there are no destructors",
		    clSetProgramReleaseCallback(p, released, NULL),
		    CL_INVALID_OPERATION);
	else
		WANT(w, "a function", clSetProgramReleaseCallback(p, released,
		    NULL), CL_SUCCESS);
}
